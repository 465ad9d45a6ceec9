import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocale } from '../../text/locale.ts'
import { useCountries } from '../messages/sms/use-countries.ts'
import { readBrowserLocale } from './browser-facts.ts'
import { type SaveBeforeNextStep, useSaveBeforeNextStep } from './save-first.ts'
import { type AccountLocaleSettings, isNewAccountLocale, readAccountLocale, writeAccountLocale } from './stored.ts'
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

function AccountForm({
  stored,
  saveFirst,
}: {
  stored: StoredDocument<AccountLocaleSettings>
  saveFirst: SaveBeforeNextStep | undefined
}) {
  const t = useTranslator(setUpTexts)
  const { tag } = useLocale()
  const mayChange = useHasRight('admin')
  const [first] = useState(() =>
    saveFirst && mayChange && isNewAccountLocale(stored.data)
      ? { ...stored.data, ...readBrowserLocale() }
      : stored.data,
  )
  const form = useDocumentForm<AccountLocaleSettings>({
    name: 'set-up.account',
    stored,
    first,
    save: (value, etag) => writeAccountLocale(stored.data, value, etag),
    load: readAccountLocale,
  })
  useSaveBeforeNextStep(saveFirst, form)
  return (
    <FormLayout form={form} pointers={['/name', '/timeZone', '/culture', '/country']}>
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
    </FormLayout>
  )
}

/** Name, country, zone and language of the account. In set-up, `saveFirst`, the browser proposes those of a new one. */
export function AccountStep({ saveFirst }: { saveFirst?: SaveBeforeNextStep }) {
  const read = useQuery({ queryKey: ['set-up', 'account'], queryFn: readAccountLocale, staleTime: 0, gcTime: 0 })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  return read.data ? <AccountForm stored={read.data} saveFirst={saveFirst} /> : <LoadingSkeleton />
}
