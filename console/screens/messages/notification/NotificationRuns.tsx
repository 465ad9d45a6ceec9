import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { FactList, PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { NotificationForm } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

const POLL_INTERVAL_MS = 2000

/** Delivery figures of a notification, and its last and next runs; polled while it is active. */
export function NotificationRuns({ message }: { message: NotificationForm }) {
  const t = useTranslator(notificationTexts)
  const { id, active } = message
  const params = { path: { id: String(id) } }
  const runsQuery = useQuery({
    queryKey: ['notificationRuns', id, active],
    queryFn: async ({ signal }) => {
      const [report, { task }] = await Promise.all([
        apiClient.getNotificationReport({ ...params, signal }),
        apiClient.getNotification({ ...params, signal }),
      ])
      return { report, scheduler: task?.scheduler }
    },
    refetchInterval: active ? POLL_INTERVAL_MS : false,
  })
  if (runsQuery.error) return <ProblemAlert error={runsQuery.error} onRetry={() => void runsQuery.refetch()} />
  if (!runsQuery.data) return null
  const { report, scheduler } = runsQuery.data
  if (!active && report.audience === 0) return null
  const cancelled = report.cancelled.reduce((sum, { count }) => sum + count, 0)
  const runFigures = [
    ['sent', report.sent],
    ['inWaiting', report.waiting + report.postponed + report.deferred],
    ['cancelled', cancelled],
    ['refused', report.refused],
  ] as const
  const runDates = (['lastRun', 'nextRun'] as const).map((key) => {
    const runDate = scheduler?.[key]
    return { key, label: t(key), value: runDate ? <FormattedTime at={runDate} as="moment" /> : t('none') }
  })
  return (
    <PagePanel title={t('runs')}>
      <StatFigures>
        {runFigures.map(([key, value]) => (
          <StatFigure key={key} label={t(key)} definition={t(`${key}Why`)}>
            <FormattedNumber value={value} />
          </StatFigure>
        ))}
      </StatFigures>
      {scheduler && <FactList facts={runDates} />}
    </PagePanel>
  )
}
