import { sql } from 'kysely'
import { getChannelTraits } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { outboxMessageStatus, readSendingFigures } from '../../../sending/plan/sendings.ts'
import { readEndedCounts } from '../../../sending/record/ended-counts.ts'
import type { MessageReportOutcome } from './outcomes.ts'
import type { ReportResource } from './report-schemas.ts'
import { isInReportPeriodSql, type ReportSubject } from './reported.ts'

/** Every message in exactly one number. */
export type MessageBalance = Pick<
  ReportResource,
  'audience' | 'sent' | 'refused' | 'held' | 'cancelled' | 'postponed' | 'deferred' | 'waiting'
>

/** Why messages were cancelled whose events are kept no more. */
const UNKNOWN_REASON = 'unknown'

export function sortByFrequency(counts: ReadonlyMap<string, number>): ReportResource['cancelled'] {
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.type.localeCompare(b.type))
}

/** Reads the balance of the run of a campaign; `types`: its cancellations from events. All zeros before it starts. */
export async function readCampaignBalance(
  db: Db,
  sending: number | null,
  types: ReadonlyMap<string, number>,
): Promise<MessageBalance> {
  const figures = sending === null ? undefined : (await readSendingFigures(db, [sending])).get(sending)
  const {
    recipients = 0,
    sent: sentCount = 0,
    refused: refusedCount = 0,
    held: heldCount = 0,
    cancelled = 0,
    postponed = 0,
    deferred: deferredCount = 0,
  } = figures ?? {}
  const knownCancellations = [...types.values()].reduce((total, count) => total + count, 0)
  const otherReasons = new Map([
    ...types,
    [UNKNOWN_REASON, (types.get(UNKNOWN_REASON) ?? 0) + cancelled - knownCancellations],
  ])
  const waitingCount = recipients - sentCount - refusedCount - heldCount - cancelled - postponed - deferredCount
  const outcomeCounts = {
    sent: sentCount,
    refused: refusedCount,
    held: heldCount,
    postponed,
    deferred: deferredCount,
    waiting: waitingCount,
  }
  return { audience: recipients, ...outcomeCounts, cancelled: sortByFrequency(otherReasons) }
}

/** Messages that did not end, by where they stand; runs of notifications have some that are no rows yet. */
async function countOpenMessages(
  db: Db,
  { account, sourceKind, source, period }: ReportSubject,
): Promise<Map<MessageReportOutcome, number>> {
  const sourceCondition = sql`o.account = ${account} and o.source_kind = ${sourceKind} and o.source = ${source} and o.kind <> 'test'`
  const { rows } = await sql<{ outcome: MessageReportOutcome; n: number }>`
    with open as materialized (
      select ${outboxMessageStatus} as outcome, o.kind, m.stamp_time from sendings o join messages m on m.sending = o.id and m.kind in ('message', 'campaign')
      where ${sourceCondition} and ${isInReportPeriodSql(sql`m.stamp_time`, period)}
    )
    select outcome, count(*) as n from open group by 1
    union all
    select 'waiting', coalesce(sum(c.recipients - c.sent - c.refused - c.cancelled - c.held), 0)::bigint
      - (select count(*) from open where kind = 'campaign' and outcome <> 'held')
    from sendings o join sending_counts c on c.sending = o.id
    where ${sourceCondition} and o.kind = 'campaign' and ${isInReportPeriodSql(sql`o.created_at`, period)}`.execute(db)
  const openCounts = new Map<MessageReportOutcome, number>()
  for (const { outcome, n: messageCount } of rows)
    openCounts.set(outcome, (openCounts.get(outcome) ?? 0) + messageCount)
  return openCounts
}

/** Number of sent messages that arrived. `null` if no event reports arrivals. */
function countDeliveredOnDemand(
  { channel }: ReportSubject,
  sentCount: number,
  reportedCounts: ReadonlyMap<string, number>,
): number | null {
  const { arrivals } = getChannelTraits(channel)
  if (arrivals === null) return null
  return arrivals === 'bounces'
    ? Math.max(0, sentCount - (reportedCounts.get('lost') ?? 0))
    : Math.min(sentCount, reportedCounts.get('arrived') ?? 0)
}

/** Reads the balance of messages on demand, and the number that arrived according to `reportedCounts`. `null` if no event reports arrivals. */
export async function readOnDemandBalance(
  db: Db,
  reported: ReportSubject,
  reportedCounts: ReadonlyMap<string, number>,
): Promise<{ balance: MessageBalance; delivered: number | null }> {
  const endedCounts = await readEndedCounts(db, reported, reported.period)
  const openCounts = await countOpenMessages(db, reported)
  const sumOutcome = (of: MessageReportOutcome): number =>
    endedCounts.reduce(
      (total, { outcome, messages }) => (outcome === of ? total + messages : total),
      openCounts.get(of) ?? 0,
    )
  const cancelled = endedCounts.flatMap(({ outcome, why, messages }): [string, number][] =>
    outcome === 'cancelled' ? [[why ?? UNKNOWN_REASON, messages]] : [],
  )
  const [sentCount, refusedCount, heldCount] = [sumOutcome('sent'), sumOutcome('refused'), sumOutcome('held')]
  const [postponed, deferredCount, waitingCount] = [
    sumOutcome('postponed'),
    sumOutcome('deferred'),
    sumOutcome('waiting'),
  ]
  const audience =
    sentCount + refusedCount + heldCount + sumOutcome('cancelled') + postponed + deferredCount + waitingCount
  const outcomeCounts = {
    audience,
    sent: sentCount,
    refused: refusedCount,
    held: heldCount,
    postponed,
    deferred: deferredCount,
    waiting: waitingCount,
  }
  return {
    balance: { ...outcomeCounts, cancelled: sortByFrequency(new Map(cancelled)) },
    delivered: countDeliveredOnDemand(reported, sentCount, reportedCounts),
  }
}
