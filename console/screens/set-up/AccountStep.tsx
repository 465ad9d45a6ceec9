import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { type Stored, useForm } from '../../components/form/use-form.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import { useCountries } from '../messages/sms/use-countries.ts'
import { browserFacts } from './browser-facts.ts'
import { type SaveFirst, useSaveFirst } from './save-first.ts'
import { type AccountFacts, isNew, readFacts, writeFacts } from './stored.ts'
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

function zoneChoices(own: readonly string[]) {
  return [...new Set([...own, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({
    value: zone,
    label: zone,
  }))
}

function cultureChoices(own: readonly string[], tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'language' })
  return [...new Set([...own, ...CULTURES])].map((culture) => ({ value: culture, label: names.of(culture) ?? culture }))
}

function AccountForm({ stored, saveFirst }: { stored: Stored<AccountFacts>; saveFirst: SaveFirst | undefined }) {
  const t = useText(setUpTexts)
  const { tag } = useLocale()
  const mayChange = useMay('admin')
  const [first] = useState(() =>
    saveFirst && mayChange && isNew(stored.data) ? { ...stored.data, ...browserFacts() } : stored.data,
  )
  const form = useForm<AccountFacts>({
    name: 'set-up.account',
    stored,
    first,
    save: (value, etag) => writeFacts(stored.data, value, etag),
    load: readFacts,
  })
  useSaveFirst(saveFirst, form)
  return (
    <FormFrame form={form} pointers={['/name', '/timeZone', '/culture', '/country']}>
      {first !== stored.data && <Text maw={560}>{t('fromBrowser')}</Text>}
      <FieldGroup>
        <TextField form={form} at="/name" label={t('accountName')} help={t('accountWhy')} />
        <ChoiceField form={form} at="/country" label={t('country')} help={t('countryWhy')} choices={useCountries()} />
        <ChoiceField
          form={form}
          at="/timeZone"
          label={t('zone')}
          help={t('zoneWhy')}
          choices={zoneChoices([stored.data.timeZone, first.timeZone])}
        />
        <ChoiceField
          form={form}
          at="/culture"
          label={t('culture')}
          help={t('cultureWhy')}
          choices={cultureChoices([stored.data.culture, first.culture], tag)}
        />
      </FieldGroup>
    </FormFrame>
  )
}

/** Name, country, zone and language of the account. In set-up, `saveFirst`, the browser proposes those of a new one. */
export function AccountStep({ saveFirst }: { saveFirst?: SaveFirst }) {
  const read = useQuery({ queryKey: ['set-up', 'account'], queryFn: readFacts, staleTime: 0, gcTime: 0 })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  return read.data ? <AccountForm stored={read.data} saveFirst={saveFirst} /> : <Skeleton />
}
