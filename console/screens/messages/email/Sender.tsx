import { ChoiceField, FieldGroup, TextField } from '../../../parts/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { useSending } from '../use-sending.ts'
import type { ContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** Who it is from, and where replies go; what is empty comes from the sending profile. */
export function Sender({ hasReply = true, ...own }: ContentProps<Action> & { hasReply?: boolean }) {
  const t = useText(emailTexts)
  const sending = useSending()
  const from = '/content/headers/from'
  const domains = (sending.data?.domains ?? []).map(({ domain }) => domain)
  const chosen = own.form.value.content.headers?.from.domain
  const known = chosen && !domains.includes(chosen) ? [...domains, chosen] : domains
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
      {hasReply && (
        <TextField {...own} at="/content/headers/reply" label={t('reply')} type="email" placeholder={placeholder} />
      )}
    </FieldGroup>
  )
}
