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
const MAX_HOURLY_SERIES_MS = 7 * DAY_MS

const { opens, clicks, unsubscribes, complaints, replies } = reportMeasures
const shownMeasures = { opens, clicks, unsubscribes, complaints, replies }

const seriesMeasures = {
  sends: reportMeasures.activations,
  opens: reportMeasures.opens,
  clicks: reportMeasures.clicks,
}

type MeasureMoments = Awaited<ReturnType<typeof countMeasureMoments<keyof typeof seriesMeasures>>>

const sumHumans = (moments: MeasureMoments): number =>
  moments.reduce((humanTotal, { humans }) => humanTotal + humans, 0)

/**
 * Counts events by hour, as far as they may be shown: by day if the period is much longer than a week, or if its hours are no longer
 * stored.
 */
async function readMoments(
  db: Db,
  countedSubjects: CountedSubjects,
  requestedPeriod: TimePeriod | undefined,
): Promise<MeasureMoments> {
  const dailyMoments = await countMeasureMoments(db, countedSubjects, seriesMeasures, { asked: requestedPeriod })
  const [firstDay, lastDay] = [dailyMoments[0]?.at.getTime(), dailyMoments.at(-1)?.at.getTime()]
  if (firstDay === undefined || lastDay === undefined || lastDay - firstDay > MAX_HOURLY_SERIES_MS + DAY_MS)
    return dailyMoments
  const hourlyMoments = await countMeasureMoments(db, countedSubjects, seriesMeasures, {
    asked: requestedPeriod,
    hours: { start: firstDay, end: lastDay + DAY_MS },
  })
  return sumHumans(hourlyMoments) === sumHumans(dailyMoments) ? hourlyMoments : dailyMoments
}

/** Hours as points in time, of more than a week put together by day. */
function buildSeries(hours: MeasureMoments): ReportResource['series'] {
  const [firstHour, lastHour] = [hours[0], hours.at(-1)]
  if (!firstHour || !lastHour) return []
  const isDaily = lastHour.at.getTime() - firstHour.at.getTime() > MAX_HOURLY_SERIES_MS
  const pointsByTime = new Map<number, ReportResource['series'][number]>()
  for (const { at, measure, humans } of hours) {
    const pointTime = at.getTime() - (isDaily ? at.getTime() % DAY_MS : 0)
    const seriesPoint = pointsByTime.get(pointTime) ?? {
      at: new Date(pointTime).toISOString(),
      sends: 0,
      opens: 0,
      clicks: 0,
    }
    seriesPoint[measure] += humans
    pointsByTime.set(pointTime, seriesPoint)
  }
  return [...pointsByTime.values()]
}

/** The numbers that are counts of events. */
async function readReactions(db: Db, reported: ReportSubject) {
  const { account, channel, source, period } = reported
  const countedSubjects = { account, channels: [channel], subjects: [source] }
  const boundedPeriod = isBoundedPeriod(period) ? period : undefined
  const counts = await countSubjectEvents(db, countedSubjects, shownMeasures, boundedPeriod)
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
    series: buildSeries(await readMoments(db, countedSubjects, boundedPeriod)),
  }
}

/** Reads the balance of a campaign, and the number of messages that arrived. */
async function readRunResult(db: Db, reported: ReportSubject, cancelled: ReadonlyMap<string, number>) {
  const { account, channel, source, sending } = reported
  const balance = await readCampaignBalance(db, sending, cancelled)
  const delivered = await countDeliveredMessages(db, { account, channel, sent: new Map([[source, balance.sent]]) })
  return { balance, delivered: delivered?.get(source) ?? null }
}

/** The results of what was sent, all of one moment: every message of the audience is in exactly one of the numbers that make it up. */
export async function composeReport(db: Db, reported: ReportSubject, now: Date): Promise<ReportResource> {
  const { report, fresh: freshReach } = await readReportSnapshot(db, reported, now)
  await storeCampaignReach(db, reported, freshReach)
  return report
}

function readReportSnapshot(db: Db, reported: ReportSubject, now: Date) {
  return inTransaction(db, async (tx) => {
    await enterEventSnapshot(tx)
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx)
    const { cancelled, arrivals, ...details } = await readReportDetails(tx, reported)
    const { shown: reactionCounts, series } = await readReactions(tx, reported)
    const { balance, delivered } = reported.isCampaign
      ? await readRunResult(tx, reported, cancelled)
      : await readOnDemandBalance(tx, reported, arrivals)
    const reportedAt = rows[0]!.at.toISOString()
    const { usual, fresh: freshReach } = await readUsualRates(tx, reported)
    const experimentFigures = await readExperimentFigures(tx, reported, now)
    const report: ReportResource = {
      ...balance,
      ...experimentFigures,
      delivered,
      ...reactionCounts,
      ...details,
      series,
      usual,
      at: reportedAt,
    }
    return { report, fresh: freshReach }
  })
}
