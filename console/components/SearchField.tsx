import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../layout/dialogs/keys.tsx'
import { layoutTexts } from '../layout/texts.ts'
import { useTranslator } from '../text/catalogue.ts'
import { componentTexts } from './texts.ts'

const PAUSE_MS = 200

interface Props {
  label: string
  /** What is looked for, as the address says. */
  value: string
  onChange(value: string): void
}

/** Search within a list; `/` goes there. What is typed reaches the address after a short pause. */
export function SearchField({ label, value, onChange }: Props) {
  const [t, frame] = [useTranslator(componentTexts), useTranslator(layoutTexts)]
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  useShortcut('/', frame('keySearchHere'), () => input.current?.focus())
  return (
    <TextInput
      ref={input}
      size="xs"
      w="100%"
      maw={260}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="xs" aria-label={t('close')} onClick={() => onChange('')} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
