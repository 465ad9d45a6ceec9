import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { addressOf } from '../../../api/client.ts'
import { useMe } from '../../../api/me.ts'
import { Missing } from '../../../parts/Missing.tsx'
import { Num } from '../../../parts/Num.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Problem } from '../../../parts/Problem.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Stat, Stats } from '../../../parts/Stat.tsx'
import { Time } from '../../../parts/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import { Balance } from './Balance.tsx'
import { Bounces } from './Bounces.tsx'
import { ClickMap } from './ClickMap.tsx'
import { Compared } from './Compared.tsx'
import { Course } from './Course.tsx'
import { Devices } from './Devices.tsx'
import { Funnel } from './Funnel.tsx'
import { Links } from './Links.tsx'
import styles from './Report.module.css'
import { isCampaign, openOf, type Report as ReportDocument, type Reported, readReport, readReported } from './report.ts'
import { CHANNELS, type Channel, type Days, PERIODS } from './routes.ts'
import { reportTexts } from './texts.ts'

const route = getRouteApi('/messages/$channel/$id/report')
const LIVE_MS = 2000
const SETTLED_MS = 30_000
const DEFAULT_DAYS: Days = 30

interface Of {
  channel: Channel
  id: string
}

export function useReported({ channel, id }: Of) {
  return useQuery({
    queryKey: ['reported', channel, id],
    queryFn: ({ signal }) => readReported(channel, id, signal),
  })
}

function useReport({ channel, id }: Of, days: Days | undefined, isKnown: boolean) {
  return useQuery({
    enabled: isKnown,
    queryKey: ['report', channel, id, days ?? 0],
    queryFn: ({ signal }) => readReport(channel, id, days, signal),
    refetchInterval: ({ state }) => (state.data && openOf(state.data) === 0 ? SETTLED_MS : LIVE_MS),
    placeholderData: (before) => before,
  })
}

function Reactions({ report, to }: { report: ReportDocument; to(of: string): string }) {
  const t = useText(reportTexts)
  const { unsubscribes, complaints, replies } = report
  return (
    <Stats>
      <Stat label={t('unsubscribes')} definition={t('unsubscribesWhy')} to={to('unsubscribes')}>
        <Num value={unsubscribes} />
      </Stat>
      <Stat label={t('complaints')} definition={t('complaintsWhy')} to={to('complaints')}>
        <Num value={complaints} />
      </Stat>
      <Stat label={t('replies')} definition={t('repliesWhy')} to={to('replies')}>
        <Num value={replies} />
      </Stat>
    </Stats>
  )
}

const EXPORTS = ['recipients', 'opens', 'clicks'] as const
const EXPORT_PATHS = { recipients: 'recipients', opens: 'tracking/opens', clicks: 'tracking/clicks' } as const

function Exports({ id }: { id: string }) {
  const t = useText(reportTexts)
  return (
    <Menu width={240}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORTS.map((what) => (
          <Menu.Item
            key={what}
            component="a"
            href={addressOf(`/actions/${id}/export/${EXPORT_PATHS[what]}.csv`)}
            download
          >
            {t(`export_${what}`)}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => print()}>{t('print')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Period({ days, onDays }: { days: Days; onDays(days: Days): void }) {
  const t = useText(reportTexts)
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('period')}
      data={PERIODS.map((value) => ({ value: String(value), label: t('lastDays', { count: value }) }))}
      value={String(days)}
      onChange={(next) => onDays(Number(next) as Days)}
    />
  )
}

function Figures({ of, report, days }: { of: Of; report: ReportDocument; days: Days | undefined }) {
  const { channel, id } = of
  const path = `/messages/${channel}/${id}/report/contacts`
  const search = (word: string) => ({ of: word, ...(days !== undefined && { days }) })
  const to = (word: string) => ({ to: path, search: search(word) })
  const address = (word: string): string =>
    `${path}?${new URLSearchParams({ of: word, ...(days && { days: `${days}` }) })}`
  return (
    <>
      <div className={styles['two']}>
        <Balance report={report} to={to} />
        <Funnel report={report} to={to} />
      </div>
      <Reactions report={report} to={address} />
      <Course report={report} />
      <Links report={report} to={to} />
      {channel === 'email' && report.links.length > 0 && <ClickMap id={id} report={report} />}
      <div className={styles['two']}>
        <Bounces report={report} />
        <Devices report={report} />
      </div>
      <Compared {...of} />
    </>
  )
}

function Shown({ of, reported }: { of: Of; reported: Reported }) {
  const t = useText(reportTexts)
  const { masked } = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const days = isCampaign(reported.type) ? undefined : (search.days ?? DEFAULT_DAYS)
  const read = useReport(of, days, true)
  const report = read.data
  const isAction = of.channel === 'email' || of.channel === 'sms'
  const onDays = (next: Days): void => void navigate({ search: { days: next }, replace: true })
  return (
    <Page
      title={reported.name}
      parent={{ label: t('messages'), to: '/messages' }}
      action={isAction && !masked && <Exports id={of.id} />}
      tabs={[
        { label: t('write'), to: `/messages/${of.channel}/${of.id}`, isOpen: false },
        { label: t('report'), to: `/messages/${of.channel}/${of.id}/report`, isOpen: true },
      ]}
      note={
        report && (
          <span>
            {t(openOf(report) > 0 ? 'runs' : 'asOf')} <Time at={report.at} />
          </span>
        )
      }
    >
      <div className={styles['page']}>
        {days !== undefined && <Period days={days} onDays={onDays} />}
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton lines={[60, 100, 80, 100]} />}
        {report && <Figures of={of} report={report} days={days} />}
      </div>
    </Page>
  )
}

/** What became of a message: who got it, what they did, what came back. */
export function Report() {
  const params = route.useParams()
  const channel = CHANNELS.find((one) => one === params.channel)
  const of = { channel: channel ?? 'email', id: params.id } as const
  const reported = useReported(of)
  if (channel === undefined) return <Missing />
  if (reported.error) return <Problem error={reported.error} onRetry={() => void reported.refetch()} />
  if (!reported.data) return <Skeleton lines={[30, 60, 100]} />
  return <Shown of={of} reported={reported.data} />
}
