import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { buildApiUrl } from '../../../api/client.ts'
import { useCurrentUser, useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { NotFoundPage } from '../../../components/layout/NotFoundPage.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { CampaignItemState } from '../../campaigns/item-state.tsx'
import { MESSAGE_CHANNELS } from '../channels.ts'
import { ReportBenchmark } from '../experiment/ReportBenchmark.tsx'
import { ReportExperiment } from '../experiment/ReportExperiment.tsx'
import { isMessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { useMessage } from '../use-message.ts'
import { useMessageTabs } from '../use-message-tabs.ts'
import { hasContentVersions } from '../versions/experiment.ts'
import { CampaignControls } from '../write/CampaignProgress.tsx'
import type { EditedMessage, MessageChannelSpec } from '../write/channel.ts'
import { isMessageSending } from '../write/standing.ts'
import { ClickMap } from './ClickMap.tsx'
import { ReportBalancePanel } from './ReportBalancePanel.tsx'
import { ReportBouncesPanel } from './ReportBouncesPanel.tsx'
import { ReportDevicesPanel } from './ReportDevicesPanel.tsx'
import { ReportFunnel } from './ReportFunnel.tsx'
import { ReportLinksPanel } from './ReportLinksPanel.tsx'
import styles from './ReportPage.module.css'
import { ReportTimeCourse } from './ReportTimeCourse.tsx'
import { countOpenMessages, type ApiMessageReport as ReportDocument, readApiReport } from './report.ts'
import { REPORT_PERIODS_DAYS, type ReportPeriodDays } from './routes.ts'
import { reportTexts } from './texts.ts'

const route = getRouteApi('/messages/$channel/$id/report')
const LIVE_MS = 2000
const SETTLED_MS = 30_000
const DEFAULT_DAYS: ReportPeriodDays = 30

interface Of {
  channel: MessageChannelSpec
  id: string
}

function useReport({ channel: { name }, id }: Of, days: ReportPeriodDays | undefined) {
  return useQuery({
    queryKey: ['report', name, id, days ?? 0],
    queryFn: ({ signal }) => readApiReport(name, id, days, signal),
    refetchInterval: ({ state }) => (state.data && countOpenMessages(state.data) === 0 ? SETTLED_MS : LIVE_MS),
    placeholderData: (before) => before,
  })
}

function Reactions({ report, to }: { report: ReportDocument; to(of: string): string }) {
  const t = useTranslator(reportTexts)
  const { unsubscribes, complaints, replies } = report
  return (
    <StatFigures>
      <StatFigure label={t('unsubscribes')} definition={t('unsubscribesWhy')} to={to('unsubscribes')}>
        <FormattedNumber value={unsubscribes} />
      </StatFigure>
      <StatFigure label={t('complaints')} definition={t('complaintsWhy')} to={to('complaints')}>
        <FormattedNumber value={complaints} />
      </StatFigure>
      <StatFigure label={t('replies')} definition={t('repliesWhy')} to={to('replies')}>
        <FormattedNumber value={replies} />
      </StatFigure>
    </StatFigures>
  )
}

const EXPORTS = ['recipients', 'opens', 'clicks'] as const
const EXPORT_PATHS = { recipients: 'recipients', opens: 'tracking/opens', clicks: 'tracking/clicks' } as const

function Exports({ id }: { id: string }) {
  const t = useTranslator(reportTexts)
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
            href={buildApiUrl(`/actions/${id}/export/${EXPORT_PATHS[what]}.csv`)}
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

function Period({ days, onDays }: { days: ReportPeriodDays; onDays(days: ReportPeriodDays): void }) {
  const t = useTranslator(reportTexts)
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('period')}
      data={REPORT_PERIODS_DAYS.map((value) => ({ value: String(value), label: t('lastDays', { count: value }) }))}
      value={String(days)}
      onChange={(next) => onDays(Number(next) as ReportPeriodDays)}
    />
  )
}

interface FiguresProps {
  of: Of
  title: string
  report: ReportDocument
  days: ReportPeriodDays | undefined
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
  const tried = experiment && <ReportExperiment channel={name} id={id} name={title} {...{ experiment, to, onDone }} />
  // What a person has to do comes first.
  const isWaiting = experiment?.state === 'asking'
  return (
    <>
      {isWaiting && tried}
      <div className={styles['two']}>
        <ReportBalancePanel report={report} to={to} />
        <ReportFunnel report={report} to={to} />
      </div>
      {!isWaiting && tried}
      <Reactions report={report} to={address} />
      <ReportTimeCourse report={report} />
      <ReportLinksPanel report={report} to={to} />
      {name === 'email' && report.links.length > 0 && <ClickMap id={id} report={report} />}
      <div className={styles['two']}>
        <ReportBouncesPanel report={report} />
        <ReportDevicesPanel report={report} />
      </div>
      <ReportBenchmark channel={name} id={id} />
    </>
  )
}

function Shown({ of, message, onDone }: { of: Of; message: EditedMessage; onDone(): Promise<void> }) {
  const t = useTranslator(reportTexts)
  const words = useTranslator(messageTexts)
  const { masked } = useCurrentUser()
  const maySend = useHasRight('send')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { channel, id } = of
  const standing = channel.standing(message)
  const days = channel.isCampaign(message) ? undefined : (search.days ?? DEFAULT_DAYS)
  const read = useReport(of, days)
  const report = read.data
  const isAction = channel.asked === 'action'
  const onDays = (next: ReportPeriodDays): void => void navigate({ search: { days: next }, replace: true })
  return (
    <ScreenPage
      title={message.name}
      parent={{ label: words(channel.name), to: `/messages/${channel.name}` }}
      badge={<CampaignItemState item={standing} />}
      action={isAction && !masked && <Exports id={id} />}
      tabs={useMessageTabs({ name: channel.name, hasVersions: hasContentVersions(channel, message) }, id, 'report')}
      note={
        report && (
          <span>
            {t(countOpenMessages(report) > 0 ? 'runs' : 'asOf')} <FormattedTime at={report.at} />
          </span>
        )
      }
    >
      <div className={styles['page']}>
        {days !== undefined && <Period days={days} onDays={onDays} />}
        {maySend && isMessageSending(standing) && <CampaignControls {...{ channel, message, onDone }} />}
        {read.error && <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <LoadingSkeleton lines={[60, 100, 80, 100]} />}
        {report && <Figures of={of} title={message.name} report={report} days={days} onDone={onDone} />}
      </div>
    </ScreenPage>
  )
}

function Known({ channel, id }: Of) {
  const t = useTranslator(messageTexts)
  const message = useMessage(channel, id)
  return (
    <DocumentLoader
      read={message}
      title={t('message')}
      parent={{ label: t(channel.name), to: `/messages/${channel.name}` }}
    >
      {({ data }) => (
        <Shown of={{ channel, id }} message={data} onDone={() => message.refetch().then(() => undefined)} />
      )}
    </DocumentLoader>
  )
}

/** What became of a message: who got it, what they did, what came back. */
export function ReportPage() {
  const { channel: name, id } = route.useParams()
  const channel = isMessageChannelName(name) ? MESSAGE_CHANNELS[name] : undefined
  return channel === undefined ? <NotFoundPage /> : <Known key={id} channel={channel} id={id} />
}
