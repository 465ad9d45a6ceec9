import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { TwoColumnLayout } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useAccountOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ContactGrowth } from './ContactGrowth.tsx'
import { DeliverabilitySummary } from './DeliverabilitySummary.tsx'
import { FailingTasks, PendingApprovals, PlannedCampaigns, RecentFailures, RunningObjects } from './Lists.tsx'
import { RecentCampaigns } from './RecentCampaigns.tsx'
import { homeTexts } from './texts.ts'

function WelcomePanel() {
  const t = useTranslator(homeTexts)
  const isAdmin = useHasRight('admin')
  return (
    <EmptyState
      title={t('welcome')}
      action={
        isAdmin && (
          <Button component={Link} to="/set-up">
            {t('setUp')}
          </Button>
        )
      }
    >
      {t('welcomeWhy')}
    </EmptyState>
  )
}

/** Running, waiting and failed work with reasons; recent campaigns, deliverability, and contact growth. */
export function HomePage() {
  const t = useTranslator(homeTexts)
  const { data, error, isPending, refetch } = useAccountOverview()
  const isNewAccount = data && data.campaigns.length + data.running.length + data.planned.length === 0
  return (
    <ScreenPage title={t('title')}>
      {error && !data && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingSkeleton lines={[24, 90, 80, 85, 60]} />}
      {data?.untrustedProxy && (
        <ProblemAlert error={null} title={t('proxy')} fallback={t('proxyWhy', { address: data.untrustedProxy })} />
      )}
      {data && (
        <TwoColumnLayout
          isAsideFirst
          aside={
            <>
              <RunningObjects running={data.running} />
              <PendingApprovals approvals={data.approvals} />
              <PlannedCampaigns planned={data.planned} />
              <RecentFailures failed={data.failed} />
              <FailingTasks tasks={data.failingTasks} />
            </>
          }
        >
          {isNewAccount ? <WelcomePanel /> : <RecentCampaigns campaigns={data.campaigns} />}
          <ContactGrowth />
          <DeliverabilitySummary />
        </TwoColumnLayout>
      )}
    </ScreenPage>
  )
}
