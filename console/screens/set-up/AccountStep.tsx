import { useQuery } from '@tanstack/react-query'
import { FormFrame } from '../../parts/form/FormFrame.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../parts/form/fields.tsx'
import { type Stored, useForm } from '../../parts/form/use-form.ts'
import { Problem } from '../../parts/Problem.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import { type AccountFacts, readFacts, writeFacts } from './stored.ts'
import { setUpTexts } from './texts.ts'

const CULTURES = [
  'en-GB',
  'en-US',
  'fr-FR',
  'fr-CA',
  'fr-CH',
  'de-DE',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'pt-PT',
  'sv-SE',
]

function zoneChoices(own: string) {
  return [...new Set([own, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({ value: zone, label: zone }))
}

function cultureChoices(own: string, tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'language' })
  return [...new Set([own, ...CULTURES])].map((culture) => ({ value: culture, label: names.of(culture) ?? culture }))
}

function AccountForm({ stored }: { stored: Stored<AccountFacts> }) {
  const t = useText(setUpTexts)
  const { tag } = useLocale()
  const form = useForm<AccountFacts>({
    name: 'set-up.account',
    stored,
    save: (value, etag) => writeFacts(stored.data, value, etag),
    load: readFacts,
  })
  return (
    <FormFrame form={form} pointers={['/name', '/timeZone', '/culture']}>
      <FieldGroup>
        <TextField form={form} at="/name" label={t('accountName')} help={t('accountWhy')} />
        <ChoiceField
          form={form}
          at="/timeZone"
          label={t('zone')}
          help={t('zoneWhy')}
          choices={zoneChoices(stored.data.timeZone)}
        />
        <ChoiceField
          form={form}
          at="/culture"
          label={t('culture')}
          help={t('cultureWhy')}
          choices={cultureChoices(stored.data.culture, tag)}
        />
      </FieldGroup>
    </FormFrame>
  )
}

/** Name, zone and language of the account. */
export function AccountStep() {
  const read = useQuery({ queryKey: ['set-up', 'account'], queryFn: readFacts, staleTime: 0, gcTime: 0 })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  return read.data ? <AccountForm stored={read.data} /> : <Skeleton />
}
