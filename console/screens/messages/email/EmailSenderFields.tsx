import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useSendingSettings } from '../use-sending.ts'
import { emailTexts } from './texts.ts'

interface Props<T> {
  form: FormBinding<T>
  /** Pointer to the headers. */
  at?: string
  isReadOnly: boolean
  hasReply?: boolean
}

/** Sender and reply address; empty fields default to the sending profile. */
export function EmailSenderFields<T>({ hasReply = true, at = '/content/headers', ...fieldProps }: Props<T>) {
  const t = useTranslator(emailTexts)
  const sendingSettings = useSendingSettings()
  const fromPointer = `${at}/from`
  const sendingDomains = (sendingSettings.data?.domains ?? []).map(({ domain }) => domain)
  const chosenDomain = readPointerValue(fieldProps.form.value, `${fromPointer}/domain`)
  const selectableDomains =
    typeof chosenDomain === 'string' && chosenDomain !== '' && !sendingDomains.includes(chosenDomain)
      ? [...sendingDomains, chosenDomain]
      : sendingDomains
  const placeholder = t('defaultOf')
  return (
    <FieldGroup title={t('from')}>
      <TextField {...fieldProps} at={`${fromPointer}/label`} label={t('label')} placeholder={placeholder} />
      <TextField {...fieldProps} at={`${fromPointer}/prefix`} label={t('prefix')} placeholder={placeholder} />
      <ChoiceField
        {...fieldProps}
        at={`${fromPointer}/domain`}
        label={t('domain')}
        isClearable
        choices={selectableDomains.map((value) => ({ value, label: value }))}
      />
      {hasReply && (
        <TextField {...fieldProps} at={`${at}/reply`} label={t('reply')} type="email" placeholder={placeholder} />
      )}
    </FieldGroup>
  )
}
