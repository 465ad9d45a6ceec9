const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The interface gives hours of courses up to a week, and days of longer ones. */
const MAX_HOURLY_SPAN_MS = 7 * DAY_MS
/** A course is at least a day: an axis of one point has no scale. */
const MIN_POINTS = 24

interface SeriesPoint {
  at: string
  sends: number
  opens: number
  clicks: number
}

/** Points with those between in which nothing happened, and how far they are apart. */
export function fillReportPoints(points: readonly SeriesPoint[]): { step: number; points: SeriesPoint[] } {
  const pointsByTime = new Map(points.map((point) => [Date.parse(point.at), point]))
  const [firstTime, lastTime] = [Math.min(...pointsByTime.keys()), Math.max(...pointsByTime.keys())]
  const stepMs = pointsByTime.size > 0 && lastTime - firstTime > MAX_HOURLY_SPAN_MS ? DAY_MS : HOUR_MS
  if (pointsByTime.size === 0) return { step: stepMs, points: [] }
  const spanCount = Math.round((lastTime - firstTime) / stepMs) + 1
  const count = stepMs === HOUR_MS ? Math.max(spanCount, MIN_POINTS) : spanCount
  const startTime = lastTime - (count - 1) * stepMs
  const filledPoints = Array.from({ length: count }, (_, place) => {
    const pointTime = startTime + place * stepMs
    return pointsByTime.get(pointTime) ?? { at: new Date(pointTime).toISOString(), sends: 0, opens: 0, clicks: 0 }
  })
  return { step: stepMs, points: filledPoints }
}
