import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { reportMeasures, toReactionCounts, ZERO_REPORT_COUNTS } from '../../actions/reports/short-reports.ts'
import type { CountedSubjects } from '../../events/counts/counted-spans.ts'
import { countMeasureMoments, countSubjectEvents } from '../../events/counts/subject-counts.ts'
import { enterEventSnapshot } from '../../events/history/older-events.ts'
import { readCampaignBalance, readOnDemandBalance } from './balance.ts'
import { countDeliveredMessages } from './delivered.ts'
import { readExperimentFigures } from './experiment-figures.ts'
import { storeCampaignReach } from './rates.ts'
import { readReportDetails } from './report-details.ts'
import type { ReportResource } from './report-schemas.ts'
import { isBoundedPeriod, type ReportSubject } from './reported.ts'
import { readUsualRates } from './usual.ts'

/** Longer series are by day. */
const MAX_HOURS_MS = 7 * DAY_MS

const { opens, clicks, unsubscribes, complaints, replies } = reportMeasures
const shownMeasures = { opens, clicks, unsubscribes, complaints, replies }

const ofSeries = {
  sends: reportMeasures.activations,
  opens: reportMeasures.opens,
  clicks: reportMeasures.clicks,
}

type Moments = Awaited<ReturnType<typeof countMeasureMoments<keyof typeof ofSeries>>>

const allOf = (moments: Moments): number => moments.reduce((all, { humans }) => all + humans, 0)

/**
 * What happened by hour, as far as that may be shown: by day when it covers more than a week by far, or when its hours are kept no more.
 */
async function momentsOf(db: Db, counted: CountedSubjects, asked: TimePeriod | undefined): Promise<Moments> {
  const days = await countMeasureMoments(db, counted, ofSeries, { asked })
  const [first, last] = [days[0]?.at.getTime(), days.at(-1)?.at.getTime()]
  if (first === undefined || last === undefined || last - first > MAX_HOURS_MS + DAY_MS) return days
  const hours = await countMeasureMoments(db, counted, ofSeries, { asked, hours: { start: first, end: last + DAY_MS } })
  return allOf(hours) === allOf(days) ? hours : days
}

/** Hours as points in time, of more than a week put together by day. */
function seriesOf(hours: Moments): ReportResource['series'] {
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return []
  const isLong = last.at.getTime() - first.at.getTime() > MAX_HOURS_MS
  const points = new Map<number, ReportResource['series'][number]>()
  for (const { at, measure, humans } of hours) {
    const ms = at.getTime() - (isLong ? at.getTime() % DAY_MS : 0)
    const point = points.get(ms) ?? { at: new Date(ms).toISOString(), sends: 0, opens: 0, clicks: 0 }
    point[measure] += humans
    points.set(ms, point)
  }
  return [...points.values()]
}

/** The numbers that are counts of events. */
async function reactionsOf(db: Db, reported: ReportSubject) {
  const { account, channel, source, period } = reported
  const counted = { account, channels: [channel], subjects: [source] }
  const asked = isBoundedPeriod(period) ? period : undefined
  const counts = await countSubjectEvents(db, counted, shownMeasures, asked)
  const {
    opens = ZERO_REPORT_COUNTS,
    clicks = ZERO_REPORT_COUNTS,
    unsubscribes = ZERO_REPORT_COUNTS,
    complaints = ZERO_REPORT_COUNTS,
    replies = ZERO_REPORT_COUNTS,
  } = counts.get(source) ?? {}
  return {
    shown: {
      opens: toReactionCounts(opens),
      clicks: toReactionCounts(clicks),
      unsubscribes: unsubscribes.total,
      complaints: complaints.total,
      replies: replies.total,
    },
    series: seriesOf(await momentsOf(db, counted, asked)),
  }
}

/** How a campaign stands, and how much of it arrived. */
async function resultOfRun(db: Db, reported: ReportSubject, cancelled: ReadonlyMap<string, number>) {
  const { account, channel, source, sending } = reported
  const balance = await readCampaignBalance(db, sending, cancelled)
  const delivered = await countDeliveredMessages(db, { account, channel, sent: new Map([[source, balance.sent]]) })
  return { balance, delivered: delivered?.get(source) ?? null }
}

/** The results of what was sent, all of one moment: every message of the audience is in exactly one of the numbers that make it up. */
export async function composeReport(db: Db, reported: ReportSubject, now: Date): Promise<ReportResource> {
  const { report, fresh } = await readNow(db, reported, now)
  await storeCampaignReach(db, reported, fresh)
  return report
}

function readNow(db: Db, reported: ReportSubject, now: Date) {
  return inTransaction(db, async (tx) => {
    await enterEventSnapshot(tx)
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
    const { cancelled, arrivals, ...details } = await readReportDetails(tx, reported)
    const { shown, series } = await reactionsOf(tx, reported)
    const { balance, delivered } = reported.isCampaign
      ? await resultOfRun(tx, reported, cancelled)
      : await readOnDemandBalance(tx, reported, arrivals)
    const at = rows[0]!.at.toISOString()
    const { usual, fresh } = await readUsualRates(tx, reported)
    const tried = await readExperimentFigures(tx, reported, now)
    const report: ReportResource = { ...balance, ...tried, delivered, ...shown, ...details, series, usual, at }
    return { report, fresh }
  })
}
