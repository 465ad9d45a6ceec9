import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { Period } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { measures, none, reactions } from '../../actions/reports/short-reports.ts'
import type { Counted } from '../../events/counts/counted-spans.ts'
import { countMoments, countSubjects } from '../../events/counts/subject-counts.ts'
import { setReading } from '../../events/history/older-events.ts'
import { balanceOfRun, balanceOnDemand } from './balance.ts'
import { deliveredOf } from './delivered.ts'
import { experimentFigures } from './experiment-figures.ts'
import { keepReached } from './rates.ts'
import { detailsOfReport } from './report-details.ts'
import type { Report } from './report-schemas.ts'
import { isBounded, type Reported } from './reported.ts'
import { usualOf } from './usual.ts'

/** Longer series are by day. */
const MAX_HOURS_MS = 7 * DAY_MS

const { opens, clicks, unsubscribes, complaints, replies } = measures
const shownMeasures = { opens, clicks, unsubscribes, complaints, replies }

const ofSeries = {
  sends: measures.activations,
  opens: measures.opens,
  clicks: measures.clicks,
}

type Moments = Awaited<ReturnType<typeof countMoments<keyof typeof ofSeries>>>

const allOf = (moments: Moments): number => moments.reduce((all, { humans }) => all + humans, 0)

/**
 * What happened by hour, as far as that may be shown: by day when it covers more than a week by far, or when its hours are kept no more.
 */
async function momentsOf(db: Db, counted: Counted, asked: Period | undefined): Promise<Moments> {
  const days = await countMoments(db, counted, ofSeries, { asked })
  const [first, last] = [days[0]?.at.getTime(), days.at(-1)?.at.getTime()]
  if (first === undefined || last === undefined || last - first > MAX_HOURS_MS + DAY_MS) return days
  const hours = await countMoments(db, counted, ofSeries, { asked, hours: { start: first, end: last + DAY_MS } })
  return allOf(hours) === allOf(days) ? hours : days
}

/** Hours as points in time, of more than a week put together by day. */
function seriesOf(hours: Moments): Report['series'] {
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return []
  const isLong = last.at.getTime() - first.at.getTime() > MAX_HOURS_MS
  const points = new Map<number, Report['series'][number]>()
  for (const { at, measure, humans } of hours) {
    const ms = at.getTime() - (isLong ? at.getTime() % DAY_MS : 0)
    const point = points.get(ms) ?? { at: new Date(ms).toISOString(), sends: 0, opens: 0, clicks: 0 }
    point[measure] += humans
    points.set(ms, point)
  }
  return [...points.values()]
}

/** The numbers that are counts of events. */
async function reactionsOf(db: Db, reported: Reported) {
  const { account, channel, source, period } = reported
  const counted = { account, channels: [channel], subjects: [source] }
  const asked = isBounded(period) ? period : undefined
  const counts = await countSubjects(db, counted, shownMeasures, asked)
  const {
    opens = none,
    clicks = none,
    unsubscribes = none,
    complaints = none,
    replies = none,
  } = counts.get(source) ?? {}
  return {
    shown: {
      opens: reactions(opens),
      clicks: reactions(clicks),
      unsubscribes: unsubscribes.total,
      complaints: complaints.total,
      replies: replies.total,
    },
    series: seriesOf(await momentsOf(db, counted, asked)),
  }
}

/** How a campaign stands, and how much of it arrived. */
async function resultOfRun(db: Db, reported: Reported, cancelled: ReadonlyMap<string, number>) {
  const { account, channel, source, sending } = reported
  const balance = await balanceOfRun(db, sending, cancelled)
  const delivered = await deliveredOf(db, { account, channel, sent: new Map([[source, balance.sent]]) })
  return { balance, delivered: delivered?.get(source) ?? null }
}

/** The results of what was sent, all of one moment: every message of the audience is in exactly one of the numbers that make it up. */
export async function readReport(db: Db, reported: Reported, now: Date): Promise<Report> {
  const { report, fresh } = await readNow(db, reported, now)
  await keepReached(db, reported, fresh)
  return report
}

function readNow(db: Db, reported: Reported, now: Date) {
  return inTransaction(db, async (tx) => {
    await setReading(tx)
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
    const { cancelled, arrivals, ...details } = await detailsOfReport(tx, reported)
    const { shown, series } = await reactionsOf(tx, reported)
    const { balance, delivered } = reported.isCampaign
      ? await resultOfRun(tx, reported, cancelled)
      : await balanceOnDemand(tx, reported, arrivals)
    const at = rows[0]!.at.toISOString()
    const { usual, fresh } = await usualOf(tx, reported)
    const tried = await experimentFigures(tx, reported, now)
    const report: Report = { ...balance, ...tried, delivered, ...shown, ...details, series, usual, at }
    return { report, fresh }
  })
}
