import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Split } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useOverview } from '../../layout/overview.ts'
import { useText } from '../../text/catalogue.ts'
import { Campaigns } from './Campaigns.tsx'
import { Deliverability } from './Deliverability.tsx'
import { Growth } from './Growth.tsx'
import { Approvals, FailingTasks, Failures, Planned, Running } from './Lists.tsx'
import { homeTexts } from './texts.ts'

function Welcome() {
  const t = useText(homeTexts)
  const may = useMay('admin')
  return (
    <Empty
      title={t('welcome')}
      action={
        may && (
          <Button component={Link} to="/set-up">
            {t('setUp')}
          </Button>
        )
      }
    >
      {t('welcomeWhy')}
    </Empty>
  )
}

/** What runs now, what waits, what failed and why; the last campaigns, where mail arrives, and how contacts grow. */
export function Home() {
  const t = useText(homeTexts)
  const { data, error, isPending, refetch } = useOverview()
  const isNew = data && data.campaigns.length + data.running.length + data.planned.length === 0
  return (
    <Page title={t('title')}>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={[24, 90, 80, 85, 60]} />}
      {data?.untrustedProxy && (
        <Problem error={null} title={t('proxy')} fallback={t('proxyWhy', { address: data.untrustedProxy })} />
      )}
      {data && (
        <Split
          isAsideFirst
          aside={
            <>
              <Running running={data.running} />
              <Approvals approvals={data.approvals} />
              <Planned planned={data.planned} />
              <Failures failed={data.failed} />
              <FailingTasks tasks={data.failingTasks} />
            </>
          }
        >
          {isNew ? <Welcome /> : <Campaigns campaigns={data.campaigns} />}
          <Growth />
          <Deliverability />
        </Split>
      )}
    </Page>
  )
}
