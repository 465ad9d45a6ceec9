import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { homeTexts } from './texts.ts'

/** How many contacts there are, who came and who went; a course once there are days to compare. */
export function ContactGrowth() {
  const t = useTranslator(homeTexts)
  const growth = useQuery({
    queryKey: ['targets', 'growth'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/targets/growth', { signal })),
    staleTime: 60_000,
  })
  const days = growth.data ?? []
  const sum = (member: 'entered' | 'left'): number => days.reduce((all, day) => all + day[member], 0)
  return (
    <PagePanel title={t('growth')}>
      {growth.error && <ProblemAlert error={growth.error} onRetry={() => void growth.refetch()} />}
      {growth.isPending && <LoadingSkeleton lines={[30, 100]} />}
      {growth.data && (
        <StatFigures>
          <StatFigure label={t('contacts')} definition={t('contactsWhy')} to="/contacts">
            <FormattedNumber value={days.at(-1)?.count ?? 0} />
          </StatFigure>
          <StatFigure label={t('entered')} definition={t('enteredWhy')}>
            <FormattedNumber value={sum('entered')} />
          </StatFigure>
          <StatFigure label={t('left')} definition={t('leftWhy')}>
            <FormattedNumber value={sum('left')} />
          </StatFigure>
        </StatFigures>
      )}
      {days.length > 2 && (
        <TimeChart
          title={t('growthChart')}
          times={days.map(({ date }) => Date.parse(`${date}T12:00:00Z`))}
          series={[{ label: t('contacts'), values: days.map(({ count }) => count) }]}
          height={180}
        />
      )}
    </PagePanel>
  )
}
