import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Stat, Stats } from '../../components/layout/Stat.tsx'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import { homeTexts } from './texts.ts'

/** How many contacts there are, who came and who went; a course once there are days to compare. */
export function Growth() {
  const t = useText(homeTexts)
  const growth = useQuery({
    queryKey: ['targets', 'growth'],
    queryFn: ({ signal }) => data(api.GET('/targets/growth', { signal })),
    staleTime: 60_000,
  })
  const days = growth.data ?? []
  const sum = (member: 'entered' | 'left'): number => days.reduce((all, day) => all + day[member], 0)
  return (
    <Panel title={t('growth')}>
      {growth.error && <Problem error={growth.error} onRetry={() => void growth.refetch()} />}
      {growth.isPending && <Skeleton lines={[30, 100]} />}
      {growth.data && (
        <Stats>
          <Stat label={t('contacts')} definition={t('contactsWhy')} to="/contacts">
            <Num value={days.at(-1)?.count ?? 0} />
          </Stat>
          <Stat label={t('entered')} definition={t('enteredWhy')}>
            <Num value={sum('entered')} />
          </Stat>
          <Stat label={t('left')} definition={t('leftWhy')}>
            <Num value={sum('left')} />
          </Stat>
        </Stats>
      )}
      {days.length > 2 && (
        <Chart
          title={t('growthChart')}
          times={days.map(({ date }) => Date.parse(`${date}T12:00:00Z`))}
          series={[{ label: t('contacts'), values: days.map(({ count }) => count) }]}
          height={180}
        />
      )}
    </Panel>
  )
}
