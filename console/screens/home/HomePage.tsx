import { lazy, Suspense } from 'react'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { type ApiOverview, useAccountOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ContactGrowth } from './ContactGrowth.tsx'
import { GoingOut } from './GoingOut.tsx'
import { HomeNeeds } from './HomeNeeds.tsx'
import styles from './HomePage.module.css'
import { RecentCampaigns } from './RecentCampaigns.tsx'
import { homeTexts } from './texts.ts'
import { useHomeNeeds } from './use-needs.ts'

/** Only new accounts need it. */
const LazyChecklist = lazy(() => import('./Checklist.tsx'))

/** Beginning of an account: the checklist for those who set it up, words for all others. */
function FirstSteps() {
  const t = useTranslator(homeTexts)
  if (!useHasRight('admin')) return <EmptyState title={t('welcome')}>{t('welcomeWhy')}</EmptyState>
  return (
    <Suspense fallback={<LoadingSkeleton lines={[24, 90, 80, 85, 60]} />}>
      <LazyChecklist />
    </Suspense>
  )
}

function HomeParts({ overview }: { overview: ApiOverview }) {
  const needs = useHomeNeeds(overview)
  const { campaigns, running, planned } = overview
  const isNew = campaigns.length === 0
  return (
    <div className={styles['parts']}>
      {isNew && <FirstSteps />}
      {(needs.length > 0 || !isNew) && <HomeNeeds needs={needs} />}
      <GoingOut running={running} planned={planned} />
      {!isNew && <RecentCampaigns campaigns={campaigns} />}
      <ContactGrowth />
    </div>
  )
}

/** What waits for a person, what goes out, and what came of it; until the first campaign was sent, the steps to it. */
export function HomePage() {
  const t = useTranslator(homeTexts)
  const { data, error, isPending, refetch } = useAccountOverview()
  return (
    <ScreenPage title={t('title')}>
      {error && !data && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingSkeleton lines={[24, 90, 80, 85, 60]} />}
      {data?.untrustedProxy && (
        <ProblemAlert error={null} title={t('proxy')} fallback={t('proxyWhy', { address: data.untrustedProxy })} />
      )}
      {data && <HomeParts overview={data} />}
    </ScreenPage>
  )
}
