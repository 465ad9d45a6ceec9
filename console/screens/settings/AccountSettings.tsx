import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/me.ts'
import { Facts } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { AccountStep } from '../set-up/AccountStep.tsx'
import { readFacts } from '../set-up/stored.ts'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsTexts } from './texts.ts'

function Shown() {
  const t = useText(settingsTexts)
  const read = useQuery({ queryKey: ['set-up', 'account'], queryFn: readFacts })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const { name, country, timeZone, culture } = read.data.data
  return (
    <Facts
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
export function AccountSettings() {
  return <SettingsPage>{useMay('admin') ? <AccountStep /> : <Shown />}</SettingsPage>
}
