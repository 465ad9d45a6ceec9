import { Button, Popover, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, useRef, useState } from 'react'
import { InsertFieldButton } from '../../../components/expression/InsertFieldButton.tsx'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { formatLinkTemplate } from './liquid.ts'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

interface Props<T> {
  form: FormBinding<T>
  at: string
  label: string
  help?: string
  rows?: number
  isReadOnly: boolean
  /** One line, such as a subject. */
  isLine?: boolean
  /** Short links may be put into it. */
  hasLinks?: boolean
}

function LinkMenu({ onInsert }: { onInsert(text: string): void }) {
  const t = useTranslator(phonesTexts)
  const [isOpen, setOpen] = useState(false)
  const [linkAddress, setAddress] = useState('https://')
  const [name, setName] = useState('')
  const isReady = URL.canParse(linkAddress)
  const insertLink = (): void => {
    onInsert(formatLinkTemplate(linkAddress, name))
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(!isOpen)}>
          {t('shortLink')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NestedForm label={t('shortLink')} className={styles['part']} isDisabled={!isReady} onSubmit={insertLink}>
          <TextInput
            label={t('address')}
            description={t('shortLinkWhy')}
            value={linkAddress}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <TextInput label={t('linkName')} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button disabled={!isReady} onClick={insertLink}>
            {t('insertLink')}
          </Button>
        </NestedForm>
      </Popover.Dropdown>
    </Popover>
  )
}

/** A text with Liquid: fields of the contact, and short links, are put in where the caret stands. */
export function LiquidTextField<T>(props: Props<T>) {
  const { form, at, label, help, rows = 2, isReadOnly, isLine = false, hasLinks = false } = props
  const inputRef = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const text = String(readPointerValue(form.value, at) ?? '')
  const insertText = (part: string): void => {
    const [selectionFrom, selectionTo] = [
      inputRef.current?.selectionStart ?? text.length,
      inputRef.current?.selectionEnd ?? text.length,
    ]
    form.set(at, text.slice(0, selectionFrom) + part + text.slice(selectionTo))
    inputRef.current?.focus()
  }
  const inputProps = {
    ref: inputRef,
    label,
    description: help,
    error: form.faultAt(at),
    readOnly: isReadOnly,
    value: text,
    onChange: (event: ChangeEvent<HTMLTextAreaElement | HTMLInputElement>) => form.set(at, event.currentTarget.value),
  }
  return (
    <div style={{ maxWidth: 620 }}>
      {isLine ? <TextInput {...inputProps} /> : <Textarea {...inputProps} autosize minRows={rows} maxRows={18} />}
      {!isReadOnly && (
        <div className={styles['line']}>
          <InsertFieldButton into={label} onInsert={insertText} />
          {hasLinks && <LinkMenu onInsert={insertText} />}
        </div>
      )}
    </div>
  )
}
