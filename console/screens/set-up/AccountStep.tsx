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

const COMMON_CULTURES = [
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

function listZoneChoices(additionalValues: readonly string[]) {
  return [...new Set([...additionalValues, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({
    value: zone,
    label: zone,
  }))
}

function listCultureChoices(additionalValues: readonly string[], tag: string) {
  const languageNames = new Intl.DisplayNames(tag, { type: 'language' })
  return [...new Set([...additionalValues, ...COMMON_CULTURES])].map((culture) => ({
    value: culture,
    label: languageNames.of(culture) ?? culture,
  }))
}

function AccountForm({
  stored: storedLocale,
  saveFirst,
}: {
  stored: StoredDocument<AccountLocaleSettings>
  saveFirst: SaveBeforeNextStep | undefined
}) {
  const t = useTranslator(setUpTexts)
  const { tag } = useLocale()
  const mayChange = useHasRight('admin')
  const [initialLocale] = useState(() =>
    saveFirst && mayChange && isNewAccountLocale(storedLocale.data)
      ? { ...storedLocale.data, ...readBrowserLocale() }
      : storedLocale.data,
  )
  const form = useDocumentForm<AccountLocaleSettings>({
    name: 'set-up.account',
    stored: storedLocale,
    first: initialLocale,
    save: (value, etag) => writeAccountLocale(storedLocale.data, value, etag),
    load: readAccountLocale,
  })
  useSaveBeforeNextStep(saveFirst, form)
  return (
    <FormLayout form={form} pointers={['/name', '/timeZone', '/culture', '/country']}>
      {initialLocale !== storedLocale.data && <Text maw={560}>{t('fromBrowser')}</Text>}
      <FieldGroup>
        <TextField form={form} at="/name" label={t('accountName')} help={t('accountWhy')} />
        <ChoiceField form={form} at="/country" label={t('country')} help={t('countryWhy')} choices={useCountries()} />
        <ChoiceField
          form={form}
          at="/timeZone"
          label={t('zone')}
          help={t('zoneWhy')}
          choices={listZoneChoices([storedLocale.data.timeZone, initialLocale.timeZone])}
        />
        <ChoiceField
          form={form}
          at="/culture"
          label={t('culture')}
          help={t('cultureWhy')}
          choices={listCultureChoices([storedLocale.data.culture, initialLocale.culture], tag)}
        />
      </FieldGroup>
    </FormLayout>
  )
}

/** Name, country, zone and language of the account. In set-up, `saveFirst`, the browser proposes those of a new one. */
export function AccountStep({ saveFirst }: { saveFirst?: SaveBeforeNextStep }) {
  const localeQuery = useQuery({ queryKey: ['set-up', 'account'], queryFn: readAccountLocale, staleTime: 0, gcTime: 0 })
  if (localeQuery.error) return <ProblemAlert error={localeQuery.error} onRetry={() => void localeQuery.refetch()} />
  return localeQuery.data ? <AccountForm stored={localeQuery.data} saveFirst={saveFirst} /> : <LoadingSkeleton />
}
