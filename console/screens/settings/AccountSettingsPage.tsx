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

function Shown() {
  const t = useTranslator(settingsScreenTexts)
  const read = useQuery({ queryKey: ['set-up', 'account'], queryFn: readAccountLocale })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingSkeleton />
  const { name, country, timeZone, culture } = read.data.data
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

/** What the account is called, its country, zone and culture. */
export function AccountSettingsPage() {
  return <SettingsPage>{useHasRight('admin') ? <AccountStep /> : <Shown />}</SettingsPage>
}
