import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Edited } from '../../../components/form/use-form.ts'
import { useText } from '../../../text/catalogue.ts'
import { useSending } from '../use-sending.ts'
import { emailTexts } from './texts.ts'

interface Props<T> {
  form: Edited<T>
  /** Where its headers stand. */
  at?: string
  isReadOnly: boolean
  hasReply?: boolean
}

/** Who it is from, and where replies go; what is empty comes from the sending profile. */
export function Sender<T>({ hasReply = true, at = '/content/headers', ...own }: Props<T>) {
  const t = useText(emailTexts)
  const sending = useSending()
  const from = `${at}/from`
  const domains = (sending.data?.domains ?? []).map(({ domain }) => domain)
  const chosen = valueAt(own.form.value, `${from}/domain`)
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
