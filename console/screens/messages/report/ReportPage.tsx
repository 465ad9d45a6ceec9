import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { buildApiUrl } from '../../../api/client.ts'
import { useCurrentUser } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { NotFoundPage } from '../../../components/layout/NotFoundPage.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useMessageRoom } from '../../../layout/bar/use-message-room.ts'
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
import { REPORT_PERIODS_DAYS, type ReportPeriodDays } from './address.ts'
import { ClickMap } from './ClickMap.tsx'
import { ReportBalancePanel } from './ReportBalancePanel.tsx'
import { ReportBouncesPanel } from './ReportBouncesPanel.tsx'
import { ReportDevicesPanel } from './ReportDevicesPanel.tsx'
import { ReportFunnel } from './ReportFunnel.tsx'
import { ReportHeadline } from './ReportHeadline.tsx'
import { ReportLinksPanel } from './ReportLinksPanel.tsx'
import styles from './ReportPage.module.css'
import { ReportTimeCourse } from './ReportTimeCourse.tsx'
import { type ApiMessageReport, countOpenMessages, readApiReport } from './report.ts'
import { reportTexts } from './texts.ts'

const route = getRouteApi('/messages/$channel/$id/report')
const LIVE_INTERVAL_MS = 2000
const IDLE_INTERVAL_MS = 30_000
const DEFAULT_DAYS: ReportPeriodDays = 30

interface ReportSubject {
  channel: MessageChannelSpec
  id: string
}

function useReportQuery({ channel: { name }, id }: ReportSubject, days: ReportPeriodDays | undefined) {
  return useQuery({
    queryKey: ['report', name, id, days ?? 0],
    queryFn: ({ signal }) => readApiReport(name, id, days, signal),
    refetchInterval: ({ state }) =>
      state.data && countOpenMessages(state.data) === 0 ? IDLE_INTERVAL_MS : LIVE_INTERVAL_MS,
    placeholderData: (before) => before,
  })
}

function ReactionPanels({ report, to }: { report: ApiMessageReport; to(of: string): string }) {
  const t = useTranslator(reportTexts)
  const { complaints, replies } = report
  return (
    <StatFigures>
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

function ExportItems({ id }: { id: string }) {
  const t = useTranslator(reportTexts)
  return (
    <Menu width={240}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORTS.map((exportName) => (
          <Menu.Item
            key={exportName}
            component="a"
            href={buildApiUrl(`/actions/${id}/export/${EXPORT_PATHS[exportName]}.csv`)}
            download
          >
            {t(`export_${exportName}`)}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => print()}>{t('print')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function PeriodSelect({ days, onDays }: { days: ReportPeriodDays; onDays(days: ReportPeriodDays): void }) {
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

interface ReportFiguresProps {
  of: ReportSubject
  title: string
  report: ApiMessageReport
  days: ReportPeriodDays | undefined
  onDone(): Promise<void>
}

function ReportFigures({ of, title, report, days, onDone }: ReportFiguresProps) {
  const {
    channel: { name },
    id,
  } = of
  const path = `/messages/${name}/${id}/report/contacts`
  const buildSearch = (word: string) => ({ of: word, ...(days !== undefined && { days }) })
  const buildLinkProps = (word: string) => ({ to: path, search: buildSearch(word) })
  const buildAddress = (word: string): string =>
    `${path}?${new URLSearchParams({ of: word, ...(days && { days: `${days}` }) })}`
  const { experiment } = report
  const experimentPanel = experiment && (
    <ReportExperiment channel={name} id={id} name={title} experiment={experiment} to={buildLinkProps} onDone={onDone} />
  )
  // What a person has to do comes first.
  const isWaiting = experiment?.state === 'asking'
  return (
    <>
      {isWaiting && experimentPanel}
      <ReportHeadline report={report} to={buildAddress} />
      {!isWaiting && experimentPanel}
      <ReportTimeCourse report={report} />
      {name === 'email' && report.links.length > 0 && <ClickMap id={id} report={report} />}
      <ReportLinksPanel report={report} to={buildLinkProps} />
      <div className={styles['two']}>
        <ReportBalancePanel report={report} to={buildLinkProps} />
        <ReportFunnel report={report} to={buildLinkProps} />
      </div>
      <ReactionPanels report={report} to={buildAddress} />
      <div className={styles['two']}>
        <ReportBouncesPanel report={report} />
        <ReportDevicesPanel report={report} />
      </div>
      <ReportBenchmark channel={name} id={id} />
    </>
  )
}

function LoadedReport({ of, message, onDone }: { of: ReportSubject; message: EditedMessage; onDone(): Promise<void> }) {
  const t = useTranslator(reportTexts)
  const { masked } = useCurrentUser()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { channel, id } = of
  const messageStatus = channel.standing(message)
  const periodDays = channel.isCampaign(message) ? undefined : (search.days ?? DEFAULT_DAYS)
  const reportQuery = useReportQuery(of, periodDays)
  const reportData = reportQuery.data
  const isActionChannel = channel.asked === 'action'
  const onDays = (next: ReportPeriodDays): void => void navigate({ search: { days: next }, replace: true })
  return (
    <ScreenPage
      title={message.name}
      parent={useMessageRoom(channel.isCampaign(message))}
      badge={<CampaignItemState item={messageStatus} />}
      action={
        <>
          {isActionChannel && !masked && <ExportItems id={id} />}
          <CampaignControls channel={channel} message={message} onDone={onDone} />
        </>
      }
      tabs={useMessageTabs({ name: channel.name, hasVersions: hasContentVersions(channel, message) }, id, 'report')}
      note={
        reportData && (
          <span>
            {t(countOpenMessages(reportData) > 0 ? 'runs' : 'asOf')} <FormattedTime at={reportData.at} />
          </span>
        )
      }
    >
      <div className={styles['page']}>
        {periodDays !== undefined && <PeriodSelect days={periodDays} onDays={onDays} />}
        {reportQuery.error && <ProblemAlert error={reportQuery.error} onRetry={() => void reportQuery.refetch()} />}
        {reportQuery.isPending && <LoadingSkeleton lines={[60, 100, 80, 100]} />}
        {reportData && (
          <ReportFigures of={of} title={message.name} report={reportData} days={periodDays} onDone={onDone} />
        )}
      </div>
    </ScreenPage>
  )
}

function MessageReportLoader({ channel, id }: ReportSubject) {
  const t = useTranslator(messageTexts)
  const message = useMessage(channel, id)
  return (
    <DocumentLoader read={message} title={t('message')} parent={useMessageRoom(true)}>
      {({ data }) => (
        <LoadedReport of={{ channel, id }} message={data} onDone={() => message.refetch().then(() => undefined)} />
      )}
    </DocumentLoader>
  )
}

/** Outcome of a message: recipients, reactions and bounces. */
export function ReportPage() {
  const { channel: name, id } = route.useParams()
  const channel = isMessageChannelName(name) ? MESSAGE_CHANNELS[name] : undefined
  return channel === undefined ? <NotFoundPage /> : <MessageReportLoader key={id} channel={channel} id={id} />
}
