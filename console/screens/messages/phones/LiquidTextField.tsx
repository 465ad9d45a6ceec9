import { Button, Menu, Popover, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useContactFields } from '../../../api/definitions.ts'
import { NestedForm } from '../../../components/form/NestedForm.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { formatFieldTemplate, formatLinkTemplate } from './liquid.ts'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

interface Props<T> {
  form: FormState<T>
  at: string
  label: string
  help?: string
  rows?: number
  isReadOnly: boolean
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
  const { form, at, label, help, rows = 2, isReadOnly, hasLinks = false } = props
  const t = useTranslator(phonesTexts)
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const contactFields = useContactFields().data ?? []
  const text = String(readPointerValue(form.value, at) ?? '')
  const insertText = (part: string): void => {
    const [selectionFrom, selectionTo] = [
      textareaRef.current?.selectionStart ?? text.length,
      textareaRef.current?.selectionEnd ?? text.length,
    ]
    form.set(at, text.slice(0, selectionFrom) + part + text.slice(selectionTo))
    textareaRef.current?.focus()
  }
  return (
    <div style={{ maxWidth: 620 }}>
      <Textarea
        ref={textareaRef}
        label={label}
        description={help}
        error={form.faultAt(at)}
        readOnly={isReadOnly}
        autosize
        minRows={rows}
        maxRows={18}
        value={text}
        onChange={(event) => form.set(at, event.currentTarget.value)}
      />
      {!isReadOnly && (
        <div className={styles['line']}>
          <Menu withinPortal={false}>
            <Menu.Target>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPlus size={14} aria-hidden />}
                aria-label={`${t('contactField')}: ${label}`}
              >
                {t('contactField')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={260} style={{ overflowY: 'auto' }}>
              {contactFields.map(({ id, name }) => (
                <Menu.Item key={id} onClick={() => insertText(formatFieldTemplate(name))}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          {hasLinks && <LinkMenu onInsert={insertText} />}
        </div>
      )}
    </div>
  )
}
