import { TimeChart } from '../../../components/chart/TimeChart.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The interface gives hours of courses up to a week, and days of longer ones. */
const LONGEST_IN_HOURS = 7 * DAY_MS

type Point = ApiMessageReport['series'][number]

/** Points with those between in which nothing happened, and how far they are apart. */
export function fillReportPoints(points: readonly Point[]): { step: number; points: Point[] } {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]))
  const [first, last] = [Math.min(...known.keys()), Math.max(...known.keys())]
  const step = known.size > 0 && last - first > LONGEST_IN_HOURS ? DAY_MS : HOUR_MS
  if (known.size === 0) return { step, points: [] }
  const count = Math.round((last - first) / step) + 1
  const whole = Array.from({ length: count }, (_, place) => {
    const at = first + place * step
    return known.get(at) ?? { at: new Date(at).toISOString(), sends: 0, opens: 0, clicks: 0 }
  })
  return { step, points: whole }
}

/** When it was sent, opened and clicked; by people. */
export function ReportTimeCourse({ report: { series } }: { report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const { step, points } = fillReportPoints(series)
  return (
    <PagePanel title={t('course')}>
      {points.length === 0 ? (
        <p>{t('noCourse')}</p>
      ) : (
        <TimeChart
          title={t(step === HOUR_MS ? 'courseHours' : 'courseDays')}
          times={points.map(({ at }) => Date.parse(at))}
          series={[
            { label: t('opens'), values: points.map(({ opens }) => opens) },
            { label: t('clicks'), values: points.map(({ clicks }) => clicks) },
          ]}
          marks={points.filter(({ sends }) => sends > 0).map(({ at }) => Date.parse(at))}
        />
      )}
    </PagePanel>
  )
}
