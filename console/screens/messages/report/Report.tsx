import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { addressOf } from '../../../api/client.ts'
import { useMay, useMe } from '../../../api/me.ts'
import { Loaded } from '../../../components/form/Loaded.tsx'
import { Missing } from '../../../components/layout/Missing.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import { ItemState } from '../../campaigns/item-state.tsx'
import { CHANNELS } from '../channels.ts'
import { Compared } from '../experiment/Compared.tsx'
import { Experiment } from '../experiment/Experiment.tsx'
import { isChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { useMessage } from '../use-message.ts'
import { useMessageTabs } from '../use-message-tabs.ts'
import { hasVersions } from '../versions/experiment.ts'
import type { Channel, Message } from '../write/channel.ts'
import { Controls } from '../write/Progress.tsx'
import { isSending } from '../write/standing.ts'
import { Balance } from './Balance.tsx'
import { Bounces } from './Bounces.tsx'
import { ClickMap } from './ClickMap.tsx'
import { Course } from './Course.tsx'
import { Devices } from './Devices.tsx'
import { Funnel } from './Funnel.tsx'
import { Links } from './Links.tsx'
import styles from './Report.module.css'
import { openOf, type Report as ReportDocument, readReport } from './report.ts'
import { type Days, PERIODS } from './routes.ts'
import { reportTexts } from './texts.ts'

const route = getRouteApi('/messages/$channel/$id/report')
const LIVE_MS = 2000
const SETTLED_MS = 30_000
const DEFAULT_DAYS: Days = 30

interface Of {
  channel: Channel
  id: string
}

function useReport({ channel: { name }, id }: Of, days: Days | undefined) {
  return useQuery({
    queryKey: ['report', name, id, days ?? 0],
    queryFn: ({ signal }) => readReport(name, id, days, signal),
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

interface FiguresProps {
  of: Of
  title: string
  report: ReportDocument
  days: Days | undefined
  onDone(): Promise<void>
}

function Figures({ of, title, report, days, onDone }: FiguresProps) {
  const {
    channel: { name },
    id,
  } = of
  const path = `/messages/${name}/${id}/report/contacts`
  const search = (word: string) => ({ of: word, ...(days !== undefined && { days }) })
  const to = (word: string) => ({ to: path, search: search(word) })
  const address = (word: string): string =>
    `${path}?${new URLSearchParams({ of: word, ...(days && { days: `${days}` }) })}`
  const { experiment } = report
  const tried = experiment && <Experiment channel={name} id={id} name={title} {...{ experiment, to, onDone }} />
  // What a person has to do comes first.
  const isWaiting = experiment?.state === 'asking'
  return (
    <>
      {isWaiting && tried}
      <div className={styles['two']}>
        <Balance report={report} to={to} />
        <Funnel report={report} to={to} />
      </div>
      {!isWaiting && tried}
      <Reactions report={report} to={address} />
      <Course report={report} />
      <Links report={report} to={to} />
      {name === 'email' && report.links.length > 0 && <ClickMap id={id} report={report} />}
      <div className={styles['two']}>
        <Bounces report={report} />
        <Devices report={report} />
      </div>
      <Compared channel={name} id={id} />
    </>
  )
}

function Shown({ of, message, onDone }: { of: Of; message: Message; onDone(): Promise<void> }) {
  const t = useText(reportTexts)
  const words = useText(messageTexts)
  const { masked } = useMe()
  const maySend = useMay('send')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { channel, id } = of
  const standing = channel.standing(message)
  const days = channel.isCampaign(message) ? undefined : (search.days ?? DEFAULT_DAYS)
  const read = useReport(of, days)
  const report = read.data
  const isAction = channel.asked === 'action'
  const onDays = (next: Days): void => void navigate({ search: { days: next }, replace: true })
  return (
    <Page
      title={message.name}
      parent={{ label: words(channel.name), to: `/messages/${channel.name}` }}
      badge={<ItemState item={standing} />}
      action={isAction && !masked && <Exports id={id} />}
      tabs={useMessageTabs({ name: channel.name, hasVersions: hasVersions(channel, message) }, id, 'report')}
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
        {maySend && isSending(standing) && <Controls {...{ channel, message, onDone }} />}
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <Skeleton lines={[60, 100, 80, 100]} />}
        {report && <Figures of={of} title={message.name} report={report} days={days} onDone={onDone} />}
      </div>
    </Page>
  )
}

function Known({ channel, id }: Of) {
  const t = useText(messageTexts)
  const message = useMessage(channel, id)
  return (
    <Loaded read={message} title={t('message')} parent={{ label: t(channel.name), to: `/messages/${channel.name}` }}>
      {({ data }) => (
        <Shown of={{ channel, id }} message={data} onDone={() => message.refetch().then(() => undefined)} />
      )}
    </Loaded>
  )
}

/** What became of a message: who got it, what they did, what came back. */
export function Report() {
  const { channel: name, id } = route.useParams()
  const channel = isChannelName(name) ? CHANNELS[name] : undefined
  return channel === undefined ? <Missing /> : <Known key={id} channel={channel} id={id} />
}
