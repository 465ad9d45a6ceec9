import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { DISPLAY_PERIODS_DAYS, type DisplayPeriodDays } from './address.ts'
import styles from './Display.module.css'
import { displayTexts } from './texts.ts'

type DisplayReport = ApiAnswer<'getDisplayCampaignReport'>
type DisplayShare = DisplayReport['contents'][number]

const DAY_MS = 86_400_000
const POLL_INTERVAL_MS = 10_000

/** Every day of a period, so that one on which nothing was shown is a gap and not missing. */
function fillDays({ start, end, days }: DisplayReport): DisplayReport['days'] {
  const daysByDate = new Map(days.map((day) => [day.date, day]))
  const firstDayMs = days[0] ? Math.min(Date.parse(start), Date.parse(days[0].date)) : Date.parse(start)
  const count = Math.ceil((Date.parse(end) - firstDayMs) / DAY_MS)
  return Array.from({ length: count + 1 }, (_, step) => {
    const dayDate = new Date(firstDayMs + step * DAY_MS).toISOString().slice(0, 10)
    return daysByDate.get(dayDate) ?? { date: dayDate, impressions: 0, clicks: 0 }
  })
}

function DisplayFigures({ course: { impressions, clicks } }: { course: DisplayReport }) {
  const t = useTranslator(displayTexts)
  const formatMachineCount = (count: number): string => t('byMachines', { count })
  return (
    <StatFigures>
      <StatFigure
        label={t('impressions')}
        definition={t('impressionsWhy')}
        note={formatMachineCount(impressions.machine)}
      >
        <FormattedNumber value={impressions.human} />
      </StatFigure>
      <StatFigure label={t('clicks')} definition={t('clicksWhy')} note={formatMachineCount(clicks.machine)}>
        <FormattedNumber value={clicks.human} />
      </StatFigure>
      <StatFigure label={t('rate')} definition={t('rateWhy')}>
        {impressions.human > 0 ? <FormattedNumber value={clicks.human / impressions.human} percent /> : t('none')}
      </StatFigure>
      <StatFigure label={t('contacts')} definition={t('contactsWhy')}>
        <FormattedNumber value={impressions.contacts} />
      </StatFigure>
    </StatFigures>
  )
}

function ShareTable({
  title,
  shares,
  nameOf,
}: {
  title: string
  shares: readonly DisplayShare[]
  nameOf(id: string): string
}) {
  const t = useTranslator(displayTexts)
  return (
    <PlainTable label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" data-number>
            {t('impressions')}
          </th>
          <th scope="col" data-number>
            {t('clicks')}
          </th>
          <th scope="col" data-number>
            {t('rate')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ id, impressions, clicks }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{nameOf(id)}</bdi>
            </th>
            <td data-number>
              <FormattedNumber value={impressions} />
            </td>
            <td data-number>
              <FormattedNumber value={clicks} />
            </td>
            <td data-number>{impressions > 0 && <FormattedNumber value={clicks / impressions} percent />}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

interface Props {
  id: string
  days: DisplayPeriodDays
  onDays(days: DisplayPeriodDays): void
  contentName(id: string): string
  placementName(id: string): string
}

/** Impressions and clicks: total, by day, by content and by placement. */
export function DisplayResults({ id, days, onDays, contentName, placementName }: Props) {
  const t = useTranslator(displayTexts)
  const reportQuery = useQuery({
    queryKey: ['display', 'report', id, days],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - days * DAY_MS).toISOString()
      return apiClient.getDisplayCampaignReport({ path: { id }, query: { start }, signal })
    },
    refetchInterval: POLL_INTERVAL_MS,
    placeholderData: (before) => before,
  })
  const displayReport = reportQuery.data
  const filledDays = displayReport && fillDays(displayReport)
  const hasDays = displayReport !== undefined && displayReport.days.length > 0
  return (
    <>
      {reportQuery.error && <ProblemAlert error={reportQuery.error} onRetry={() => void reportQuery.refetch()} />}
      {reportQuery.isPending && <LoadingSkeleton lines={[50, 100]} />}
      {displayReport && <DisplayFigures course={displayReport} />}
      {displayReport && (
        <PagePanel
          title={t('course')}
          tools={
            <SegmentedControl
              size="xs"
              aria-label={t('period')}
              data={DISPLAY_PERIODS_DAYS.map((value) => ({
                value: String(value),
                label: t('lastDays', { count: value }),
              }))}
              value={String(days)}
              onChange={(next) => onDays(Number(next) as DisplayPeriodDays)}
            />
          }
        >
          {!hasDays && <p>{t('nothingShown')}</p>}
          {hasDays && filledDays && (
            <TimeChart
              title={t('chart')}
              as="bars"
              times={filledDays.map(({ date }) => Date.parse(`${date}T12:00:00Z`))}
              series={[
                { label: t('impressions'), values: filledDays.map(({ impressions }) => impressions) },
                { label: t('clicks'), values: filledDays.map(({ clicks }) => clicks) },
              ]}
            />
          )}
        </PagePanel>
      )}
      {displayReport && hasDays && (
        <div className={styles['two']}>
          <ShareTable title={t('content')} shares={displayReport.contents} nameOf={contentName} />
          <ShareTable title={t('placement')} shares={displayReport.placements} nameOf={placementName} />
        </div>
      )}
    </>
  )
}
