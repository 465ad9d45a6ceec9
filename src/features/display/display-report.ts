import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { buildTimeZoneExpression } from '../../database/rows/zones.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { parseTimePeriod } from '../../lib/time/period.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { readContactSettings } from '../contacts/settings/settings.ts'
import { countSubjectEvents, type EventMeasures } from '../events/counts/subject-counts.ts'
import { withEventTable } from '../events/history/older-events.ts'
import type { ReactivityCounts } from '../events/history/reactivities.ts'
import type { DisplayReport, DisplayTimeline, DisplayTimelineQuery } from './display-report-schemas.ts'
import type { DisplayResourceKey } from './resources.ts'

const DEFAULT_DAYS = 30
const MAX_DAYS = 92
/** So many campaigns of a list are reported of at a time. */
const REPORT_BATCH_SIZE = 100

const eventMeasures: EventMeasures<'impressions' | 'clicks'> = {
  impressions: ['activations'],
  clicks: ['hits/redirection'],
}

function toReactions({ total, robots, contacts }: ReactivityCounts): DisplayReport['impressions'] {
  return { human: total, machine: robots, contacts }
}

const emptyReport: DisplayReport = {
  impressions: { human: 0, machine: 0, contacts: 0 },
  clicks: { human: 0, machine: 0, contacts: 0 },
}

/** Reads the results of display campaigns, by their numbers. */
export async function readDisplayReports(
  db: Db,
  account: AccountId,
  subjects: readonly number[],
): Promise<Map<number, DisplayReport>> {
  const counts = await countSubjectEvents(db, { account, channels: ['display'], subjects }, eventMeasures)
  return new Map(
    subjects.map((subject) => {
      const subjectCounts = counts.get(subject)
      return [
        subject,
        subjectCounts
          ? { impressions: toReactions(subjectCounts.impressions), clicks: toReactions(subjectCounts.clicks) }
          : emptyReport,
      ]
    }),
  )
}

async function loadCampaignNumbers(db: Db, account: AccountId, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; number: number }>`
    select id, number from display_campaigns
    where account = ${account} and id = any(${ids}::text[]) and deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** Display campaigns in their order, each with its report; a long list is reported of piece by piece. */
export async function* attachDisplayReports<Shown extends { id: string }>(
  db: Db,
  account: AccountId,
  listed: AsyncIterable<Shown>,
): AsyncGenerator<Shown & { report: DisplayReport }> {
  let waitingCampaigns: Shown[] = []
  async function* reportedNow() {
    const batch = waitingCampaigns
    waitingCampaigns = []
    const campaignIds = batch.map(({ id }) => id)
    const numbers = await loadCampaignNumbers(db, account, campaignIds)
    const reports = await readDisplayReports(db, account, [...numbers.values()])
    for (const shownCampaign of batch)
      yield { ...shownCampaign, report: reports.get(numbers.get(shownCampaign.id) ?? 0) ?? emptyReport }
  }
  for await (const shownCampaign of listed) {
    waitingCampaigns.push(shownCampaign)
    if (waitingCampaigns.length === REPORT_BATCH_SIZE) yield* reportedNow()
  }
  yield* reportedNow()
}

/** The period asked for. Throws 400. */
function parseReportPeriod(query: DisplayTimelineQuery, now: number): { start: Date; end: Date } {
  const { start, end } = parseTimePeriod(query)
  const periodEnd = end ?? now
  const periodStart = start ?? periodEnd - DEFAULT_DAYS * DAY_MS
  if (periodEnd - periodStart > MAX_DAYS * DAY_MS)
    throw badRequestProblem('end', `must be at most ${MAX_DAYS} days after start`)
  return { start: new Date(periodStart), end: new Date(periodEnd) }
}

interface TimelinePart {
  date: string | null
  content: string | null
  placement: string | null
  impressions: number
  clicks: number
}

/** Counts human views and clicks in a period by day, by content and by placement, in one pass over the events. */
async function countTimelineParts(
  db: Db,
  { account, subject }: { account: AccountId; subject: number },
  { start, end }: { start: Date; end: Date },
): Promise<TimelinePart[]> {
  const period = { since: start.getTime(), until: end.getTime() }
  const paths = ['activation,content', 'activation,placement']
  const eventQuery = { account, channels: ['display'], subjects: [subject], ...period, isHuman: true, paths } as const
  const { timeZone } = await readContactSettings(db, account)
  return withEventTable(db, [eventQuery], async (tx, events) => {
    const { rows } = await sql<TimelinePart>`
    with seen as (
      select (e.at at time zone ${buildTimeZoneExpression(timeZone)})::date as date, e.kind,
        e.detail #>> '{activation,content}' as content, e.detail #>> '{activation,placement}' as placement
      from ${events} e
      where e.account = ${account} and e.channel = 'display' and e.subject = ${subject}
        and e.at >= ${start} and e.at < ${end} and e.classification is null and not e.is_test
    )
    select date::text, content, placement, count(*) filter (where kind = 'activations')::integer as impressions,
      count(*) filter (where kind = 'hits/redirection')::integer as clicks
    from seen group by grouping sets ((date), (content), (placement)) order by impressions desc, clicks desc`.execute(
      tx,
    )
    return rows
  })
}

/** A display campaign in all, and day by day in a period. Throws notFound, 400. */
export async function readDisplayTimeline(
  db: Db,
  { account, id }: DisplayResourceKey,
  query: DisplayTimelineQuery,
  now: number,
): Promise<DisplayTimeline> {
  const period = parseReportPeriod(query, now)
  const subject = (await loadCampaignNumbers(db, account, [id])).get(id)
  if (subject === undefined) throw notFoundProblem('display campaign', id)
  const [reports, parts] = await Promise.all([
    readDisplayReports(db, account, [subject]),
    countTimelineParts(db, { account, subject }, period),
  ])
  const sumPartsBy = (key: 'date' | 'content' | 'placement') =>
    parts.flatMap(({ [key]: name, impressions, clicks }) => (name === null ? [] : [{ name, impressions, clicks }]))
  const buildShares = (key: 'content' | 'placement') =>
    sumPartsBy(key).map(({ name: id, ...figures }) => ({ id, ...figures }))
  return {
    ...(reports.get(subject) ?? emptyReport),
    start: period.start.toISOString(),
    end: period.end.toISOString(),
    days: sumPartsBy('date')
      .map(({ name: date, ...figures }) => ({ date, ...figures }))
      .sort((a, b) => (a.date < b.date ? -1 : 1)),
    contents: buildShares('content'),
    placements: buildShares('placement'),
  }
}
