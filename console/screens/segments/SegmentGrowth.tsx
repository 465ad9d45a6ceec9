import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** How many contacts a segment had day by day, and who came and went. */
export function SegmentGrowth({ id }: { id: number }) {
  const t = useTranslator(segmentTexts)
  const growth = useQuery({
    queryKey: ['segment', String(id), 'growth'],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/segments/{id}/growth', { params: { path: { id: String(id) } }, signal })),
  })
  if (growth.error) return <ProblemAlert error={growth.error} onRetry={() => void growth.refetch()} />
  if (!growth.data) return <LoadingSkeleton lines={[100, 100, 100]} height={60} />
  if (growth.data.length < 2) return <EmptyState title={t('noGrowth')}>{t('noGrowthWhy')}</EmptyState>
  const times = growth.data.map(({ date }) => Date.parse(date))
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 32 }}>
      <TimeChart
        title={t('growthTitle')}
        times={times}
        series={[{ label: t('contacts'), values: growth.data.map(({ count }) => count) }]}
      />
      <TimeChart
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
