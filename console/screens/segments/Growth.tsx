import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** How many contacts a segment had day by day, and who came and went. */
export function Growth({ id }: { id: number }) {
  const t = useText(segmentTexts)
  const growth = useQuery({
    queryKey: ['segment', String(id), 'growth'],
    queryFn: ({ signal }) => data(api.GET('/segments/{id}/growth', { params: { path: { id: String(id) } }, signal })),
  })
  if (growth.error) return <Problem error={growth.error} onRetry={() => void growth.refetch()} />
  if (!growth.data) return <Skeleton lines={[100, 100, 100]} height={60} />
  if (growth.data.length < 2) return <Empty title={t('noGrowth')}>{t('noGrowthWhy')}</Empty>
  const times = growth.data.map(({ date }) => Date.parse(date))
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 32 }}>
      <Chart
        title={t('growthTitle')}
        times={times}
        series={[{ label: t('contacts'), values: growth.data.map(({ count }) => count) }]}
      />
      <Chart
        title={t('movesTitle')}
        as="bars"
        times={times}
        series={[
          { label: t('entered'), values: growth.data.map(({ entered }) => entered) },
          { label: t('leftIt'), values: growth.data.map(({ left }) => left), colour: 2 },
        ]}
      />
    </div>
  )
}
