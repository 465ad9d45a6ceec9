import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../layout/dialogs/keys.tsx'
import { layoutTexts } from '../layout/texts.ts'
import { useTranslator } from '../text/catalogue.ts'
import { componentTexts } from './texts.ts'

const SEARCH_DELAY_MS = 200

interface Props {
  label: string
  /** Search text in the address. */
  value: string
  onChange(value: string): void
}

/** Search within a list; `/` goes there. What is typed reaches the address after a short pause. */
export function SearchField({ label, value, onChange }: Props) {
  const [t, layoutT] = [useTranslator(componentTexts), useTranslator(layoutTexts)]
  const inputRef = useRef<HTMLInputElement>(null)
  const [typedText, setTypedText] = useState(value)
  const [knownValue, setKnownValue] = useState(value)
  if (knownValue !== value) {
    setKnownValue(value)
    setTypedText(value)
  }
  useEffect(() => {
    if (typedText === value) return
    const timer = setTimeout(() => onChange(typedText), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typedText, value, onChange])
  useShortcut('/', layoutT('keySearchHere'), () => inputRef.current?.focus())
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      w="100%"
      maw={260}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typedText !== '' && <CloseButton size="xs" aria-label={t('close')} onClick={() => onChange('')} />}
      value={typedText}
      onChange={(event) => setTypedText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
