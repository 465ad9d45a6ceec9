import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** Daily number of contacts in a segment, with new and lost contacts. */
export function SegmentGrowth({ id }: { id: number }) {
  const t = useTranslator(segmentTexts)
  const growthQuery = useQuery({
    queryKey: ['segment', String(id), 'growth'],
    queryFn: ({ signal }) => apiClient.getSegmentGrowth({ path: { id: String(id) }, signal }),
  })
  if (growthQuery.error) return <ProblemAlert error={growthQuery.error} onRetry={() => void growthQuery.refetch()} />
  if (!growthQuery.data) return <LoadingSkeleton lines={[100, 100, 100]} height={60} />
  if (growthQuery.data.length < 2) return <EmptyState title={t('noGrowth')}>{t('noGrowthWhy')}</EmptyState>
  const dayTimes = growthQuery.data.map(({ date }) => Date.parse(date))
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 32 }}>
      <TimeChart
        title={t('growthTitle')}
        times={dayTimes}
        series={[{ label: t('contacts'), values: growthQuery.data.map(({ count }) => count) }]}
      />
      <TimeChart
        title={t('movesTitle')}
        as="bars"
        times={dayTimes}
        series={[
          { label: t('entered'), values: growthQuery.data.map(({ entered: enteredCount }) => enteredCount) },
          { label: t('leftIt'), values: growthQuery.data.map(({ left: leftCount }) => leftCount), colour: 2 },
        ]}
      />
    </div>
  )
}
