import { useQuery } from '@tanstack/react-query'
import { useHasRight } from '../../api/me.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { FactList } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AccountStep } from '../set-up/AccountStep.tsx'
import { readAccountLocale } from '../set-up/stored.ts'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'

function LoadedAccountSettings() {
  const t = useTranslator(settingsScreenTexts)
  const localeQuery = useQuery({ queryKey: ['set-up', 'account'], queryFn: readAccountLocale })
  if (localeQuery.error) return <ProblemAlert error={localeQuery.error} onRetry={() => void localeQuery.refetch()} />
  if (!localeQuery.data) return <LoadingSkeleton />
  const { name, country, timeZone, culture } = localeQuery.data.data
  return (
    <FactList
      facts={[
        { key: 'name', label: t('name'), value: name },
        { key: 'country', label: t('country'), value: country },
        { key: 'zone', label: t('timeZone'), value: timeZone },
        { key: 'culture', label: t('culture'), value: culture },
      ]}
    />
  )
}

/** Name, country, time zone and culture of the account. */
export function AccountSettingsPage() {
  return <SettingsPage>{useHasRight('admin') ? <AccountStep /> : <LoadedAccountSettings />}</SettingsPage>
}
