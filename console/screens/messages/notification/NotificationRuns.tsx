import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import { Facts, Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Notification } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

const POLL_MS = 2000

/** What became of a notification so far, and its last and next runs; read again and again while it is active. */
export function NotificationRuns({ message }: { message: Notification }) {
  const t = useText(notificationTexts)
  const { id, active } = message
  const params = { path: { id: String(id) } }
  const read = useQuery({
    queryKey: ['notificationRuns', id, active],
    queryFn: async ({ signal }) => {
      const [report, { task }] = await Promise.all([
        data(api.GET('/notifications/{id}/report', { params, signal })),
        data(api.GET('/notifications/{id}', { params, signal })),
      ])
      return { report, scheduler: task?.scheduler }
    },
    refetchInterval: active ? POLL_MS : false,
  })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  const { report, scheduler } = read.data
  if (!active && report.audience === 0) return null
  const cancelled = report.cancelled.reduce((sum, { count }) => sum + count, 0)
  const figures = [
    ['sent', report.sent],
    ['inWaiting', report.waiting + report.postponed + report.deferred],
    ['cancelled', cancelled],
    ['refused', report.refused],
  ] as const
  const dates = (['lastRun', 'nextRun'] as const).map((key) => {
    const at = scheduler?.[key]
    return { key, label: t(key), value: at ? <Time at={at} as="moment" /> : t('none') }
  })
  return (
    <Panel title={t('runs')}>
      <Stats>
        {figures.map(([key, value]) => (
          <Stat key={key} label={t(key)} definition={t(`${key}Why`)}>
            <Num value={value} />
          </Stat>
        ))}
      </Stats>
      {scheduler && <Facts facts={dates} />}
    </Panel>
  )
}
