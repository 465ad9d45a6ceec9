import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { homeTexts } from './texts.ts'

/** Number of contacts, new and lost; a chart as soon as there are days to compare. */
export function ContactGrowth() {
  const t = useTranslator(homeTexts)
  const growthQuery = useQuery({
    queryKey: ['targets', 'growth'],
    queryFn: ({ signal }) => apiClient.getTargetGrowth({ signal }),
    staleTime: 60_000,
  })
  const growthDays = growthQuery.data ?? []
  const sumDays = (member: 'entered' | 'left'): number => growthDays.reduce((daySum, day) => daySum + day[member], 0)
  return (
    <PagePanel title={t('growth')}>
      {growthQuery.error && <ProblemAlert error={growthQuery.error} onRetry={() => void growthQuery.refetch()} />}
      {growthQuery.isPending && <LoadingSkeleton lines={[30, 100]} />}
      {growthQuery.data && (
        <StatFigures>
          <StatFigure label={t('contacts')} definition={t('contactsWhy')} to="/contacts">
            <FormattedNumber value={growthDays.at(-1)?.count ?? 0} />
          </StatFigure>
          <StatFigure label={t('entered')} definition={t('enteredWhy')}>
            <FormattedNumber value={sumDays('entered')} />
          </StatFigure>
          <StatFigure label={t('left')} definition={t('leftWhy')}>
            <FormattedNumber value={sumDays('left')} />
          </StatFigure>
        </StatFigures>
      )}
      {growthDays.length > 2 && (
        <TimeChart
          title={t('growthChart')}
          times={growthDays.map(({ date }) => Date.parse(`${date}T12:00:00Z`))}
          series={[{ label: t('contacts'), values: growthDays.map(({ count }) => count) }]}
          height={180}
        />
      )}
    </PagePanel>
  )
}
