import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Display.module.css'
import { DISPLAY_PERIODS_DAYS, type DisplayPeriodDays } from './routes.ts'
import { displayTexts } from './texts.ts'

type Course = ApiAnswer<'/display/campaign/{id}/report', 'get'>
type Share = Course['contents'][number]

const DAY_MS = 86_400_000
const POLL_MS = 10_000

/** Every day of a period, so that one on which nothing was shown is a gap and not missing. */
function daysOf({ start, end, days }: Course): Course['days'] {
  const known = new Map(days.map((day) => [day.date, day]))
  const first = days[0] ? Math.min(Date.parse(start), Date.parse(days[0].date)) : Date.parse(start)
  const count = Math.ceil((Date.parse(end) - first) / DAY_MS)
  return Array.from({ length: count + 1 }, (_, step) => {
    const date = new Date(first + step * DAY_MS).toISOString().slice(0, 10)
    return known.get(date) ?? { date, impressions: 0, clicks: 0 }
  })
}

function Figures({ course: { impressions, clicks } }: { course: Course }) {
  const t = useTranslator(displayTexts)
  const machines = (count: number): string => t('byMachines', { count })
  return (
    <StatFigures>
      <StatFigure label={t('impressions')} definition={t('impressionsWhy')} note={machines(impressions.machine)}>
        <FormattedNumber value={impressions.human} />
      </StatFigure>
      <StatFigure label={t('clicks')} definition={t('clicksWhy')} note={machines(clicks.machine)}>
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

function Shares({ title, shares, nameOf }: { title: string; shares: readonly Share[]; nameOf(id: string): string }) {
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

/** What was shown and followed: in all, day by day, by content and by placement. */
export function DisplayResults({ id, days, onDays, contentName, placementName }: Props) {
  const t = useTranslator(displayTexts)
  const read = useQuery({
    queryKey: ['display', 'report', id, days],
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - days * DAY_MS).toISOString()
      return readAnswer(
        apiClient.GET('/display/campaign/{id}/report', { params: { path: { id }, query: { start } }, signal }),
      )
    },
    refetchInterval: POLL_MS,
    placeholderData: (before) => before,
  })
  const course = read.data
  const shown = course && daysOf(course)
  const isAny = course !== undefined && course.days.length > 0
  return (
    <>
      {read.error && <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <LoadingSkeleton lines={[50, 100]} />}
      {course && <Figures course={course} />}
      {course && (
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
          {!isAny && <p>{t('nothingShown')}</p>}
          {isAny && shown && (
            <TimeChart
              title={t('chart')}
              as="bars"
              times={shown.map(({ date }) => Date.parse(`${date}T12:00:00Z`))}
              series={[
                { label: t('impressions'), values: shown.map(({ impressions }) => impressions) },
                { label: t('clicks'), values: shown.map(({ clicks }) => clicks) },
              ]}
            />
          )}
        </PagePanel>
      )}
      {course && isAny && (
        <div className={styles['two']}>
          <Shares title={t('content')} shares={course.contents} nameOf={contentName} />
          <Shares title={t('placement')} shares={course.placements} nameOf={placementName} />
        </div>
      )}
    </>
  )
}
