import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { measures, none, reactions } from '../actions/short-reports.ts'
import { countHours, countSubjects } from '../events/subject-counts.ts'
import { balanceOfRun, balanceOnDemand } from './balance.ts'
import { deliveredOf } from './delivered.ts'
import { detailsOfReport } from './report-details.ts'
import type { Report } from './report-schemas.ts'
import { isBounded, isEventOf, type Reported } from './reported.ts'
import { usualOf } from './usual.ts'

const DAY_MS = 86_400_000
/** Longer series are by day. */
const MAX_HOURS_MS = 7 * DAY_MS

const ofSeries = {
  sends: measures.activations,
  opens: measures.opens,
  clicks: measures.clicks,
}

type Hours = Awaited<ReturnType<typeof countHours<keyof typeof ofSeries>>>

/** Hours as points in time, of more than a week put together by day. */
function seriesOf(hours: Hours): Report['series'] {
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
  const chosen = isBounded(period) ? sql`events e where ${isEventOf(reported)}` : undefined
  const counts = await countSubjects(db, counted, measures, chosen)
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
    series: seriesOf(await countHours(db, counted, ofSeries, chosen)),
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
export function readReport(db: Db, reported: Reported): Promise<Report> {
  return inTransaction(db, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
    const { cancelled, ...details } = await detailsOfReport(tx, reported)
    const { shown, series } = await reactionsOf(tx, reported)
    const { balance, delivered } = reported.isCampaign
      ? await resultOfRun(tx, reported, cancelled)
      : await balanceOnDemand(tx, reported)
    const at = rows[0]!.at.toISOString()
    const usual = await usualOf(tx, reported)
    return { ...balance, holdout: 0, delivered, ...shown, ...details, series, usual, at }
  })
}
