import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useSendingSettings } from '../use-sending.ts'
import { emailTexts } from './texts.ts'

interface Props<T> {
  form: FormBinding<T>
  /** Where its headers stand. */
  at?: string
  isReadOnly: boolean
  hasReply?: boolean
}

/** Who it is from, and where replies go; what is empty comes from the sending profile. */
export function EmailSenderFields<T>({ hasReply = true, at = '/content/headers', ...own }: Props<T>) {
  const t = useTranslator(emailTexts)
  const sending = useSendingSettings()
  const from = `${at}/from`
  const domains = (sending.data?.domains ?? []).map(({ domain }) => domain)
  const chosen = readPointerValue(own.form.value, `${from}/domain`)
  const known =
    typeof chosen === 'string' && chosen !== '' && !domains.includes(chosen) ? [...domains, chosen] : domains
  const placeholder = t('defaultOf')
  return (
    <FieldGroup title={t('from')}>
      <TextField {...own} at={`${from}/label`} label={t('label')} placeholder={placeholder} />
      <TextField {...own} at={`${from}/prefix`} label={t('prefix')} placeholder={placeholder} />
      <ChoiceField
        {...own}
        at={`${from}/domain`}
        label={t('domain')}
        isClearable
        choices={known.map((value) => ({ value, label: value }))}
      />
      {hasReply && <TextField {...own} at={`${at}/reply`} label={t('reply')} type="email" placeholder={placeholder} />}
    </FieldGroup>
  )
}
