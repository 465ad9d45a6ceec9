import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useAccountOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ContactGrowth } from './ContactGrowth.tsx'
import styles from './HomePage.module.css'
import { RecentCampaigns } from './RecentCampaigns.tsx'
import { homeTexts } from './texts.ts'

/** Results across campaigns, and the growth of the audience. */
export function ReportsPage() {
  const t = useTranslator(homeTexts)
  const { data, error, refetch } = useAccountOverview()
  return (
    <ScreenPage title={t('reports')}>
      <div className={styles['parts']}>
        {error && !data && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {data && <RecentCampaigns campaigns={data.campaigns} />}
        <ContactGrowth />
      </div>
    </ScreenPage>
  )
}
