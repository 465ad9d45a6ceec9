import { TimeChart } from '../../../components/chart/TimeChart.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The interface gives hours of courses up to a week, and days of longer ones. */
const MAX_HOURLY_SPAN_MS = 7 * DAY_MS

type SeriesPoint = ApiMessageReport['series'][number]

/** Points with those between in which nothing happened, and how far they are apart. */
export function fillReportPoints(points: readonly SeriesPoint[]): { step: number; points: SeriesPoint[] } {
  const pointsByTime = new Map(points.map((point) => [Date.parse(point.at), point]))
  const [firstTime, lastTime] = [Math.min(...pointsByTime.keys()), Math.max(...pointsByTime.keys())]
  const stepMs = pointsByTime.size > 0 && lastTime - firstTime > MAX_HOURLY_SPAN_MS ? DAY_MS : HOUR_MS
  if (pointsByTime.size === 0) return { step: stepMs, points: [] }
  const count = Math.round((lastTime - firstTime) / stepMs) + 1
  const filledPoints = Array.from({ length: count }, (_, place) => {
    const pointTime = firstTime + place * stepMs
    return pointsByTime.get(pointTime) ?? { at: new Date(pointTime).toISOString(), sends: 0, opens: 0, clicks: 0 }
  })
  return { step: stepMs, points: filledPoints }
}

/** Sending, opens and clicks by people over time. */
export function ReportTimeCourse({ report: { series } }: { report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const { step: stepMs, points } = fillReportPoints(series)
  return (
    <PagePanel title={t('course')}>
      {points.length === 0 ? (
        <p>{t('noCourse')}</p>
      ) : (
        <TimeChart
          title={t(stepMs === HOUR_MS ? 'courseHours' : 'courseDays')}
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
