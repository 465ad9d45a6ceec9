import { sql } from 'kysely'
import { getChannelTraits } from '../../../channels/facts.ts'
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
const UNKNOWN = 'unknown'

export function sortByFrequency(counts: ReadonlyMap<string, number>): ReportResource['cancelled'] {
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.type.localeCompare(b.type))
}

/** How the run of a campaign stands; `types`: its cancellations as events say. All zeros before it starts. */
export async function readCampaignBalance(
  db: Db,
  sending: number | null,
  types: ReadonlyMap<string, number>,
): Promise<MessageBalance> {
  const figures = sending === null ? undefined : (await readSendingFigures(db, [sending])).get(sending)
  const { recipients = 0, sent = 0, refused = 0, held = 0, cancelled = 0, postponed = 0, deferred = 0 } = figures ?? {}
  const known = [...types.values()].reduce((all, count) => all + count, 0)
  const others = new Map([...types, [UNKNOWN, (types.get(UNKNOWN) ?? 0) + cancelled - known]])
  const waiting = recipients - sent - refused - held - cancelled - postponed - deferred
  const numbers = { sent, refused, held, postponed, deferred, waiting }
  return { audience: recipients, ...numbers, cancelled: sortByFrequency(others) }
}

/** Messages that did not end, by where they stand; runs of notifications have some that are no rows yet. */
async function readOpen(
  db: Db,
  { account, sourceKind, source, period }: ReportSubject,
): Promise<Map<MessageReportOutcome, number>> {
  const ofSource = sql`o.account = ${account} and o.source_kind = ${sourceKind} and o.source = ${source} and o.kind <> 'test'`
  const { rows } = await sql<{ outcome: MessageReportOutcome; n: number }>`
    with open as materialized (
      select ${outboxMessageStatus} as outcome, o.kind, m.stamp_time from sendings o join messages m on m.sending = o.id and m.kind in ('message', 'campaign')
      where ${ofSource} and ${isInReportPeriodSql(sql`m.stamp_time`, period)}
    )
    select outcome, count(*) as n from open group by 1
    union all
    select 'waiting', coalesce(sum(c.recipients - c.sent - c.refused - c.cancelled - c.held), 0)::bigint
      - (select count(*) from open where kind = 'campaign' and outcome <> 'held')
    from sendings o join sending_counts c on c.sending = o.id
    where ${ofSource} and o.kind = 'campaign' and ${isInReportPeriodSql(sql`o.created_at`, period)}`.execute(db)
  const open = new Map<MessageReportOutcome, number>()
  for (const { outcome, n } of rows) open.set(outcome, (open.get(outcome) ?? 0) + n)
  return open
}

/** How many messages arrived of those that were sent; null where nothing tells. */
function deliveredOnDemand({ channel }: ReportSubject, sent: number, said: ReadonlyMap<string, number>): number | null {
  const { arrivals } = getChannelTraits(channel)
  if (arrivals === null) return null
  return arrivals === 'bounces' ? Math.max(0, sent - (said.get('lost') ?? 0)) : Math.min(sent, said.get('arrived') ?? 0)
}

/** How what was asked for on demand stands, and how many of it arrived as reports `said`; null where nothing tells. */
export async function readOnDemandBalance(
  db: Db,
  reported: ReportSubject,
  said: ReadonlyMap<string, number>,
): Promise<{ balance: MessageBalance; delivered: number | null }> {
  const ended = await readEndedCounts(db, reported, reported.period)
  const open = await readOpen(db, reported)
  const sum = (of: MessageReportOutcome): number =>
    ended.reduce((all, { outcome, messages }) => (outcome === of ? all + messages : all), open.get(of) ?? 0)
  const cancelled = ended.flatMap(({ outcome, why, messages }): [string, number][] =>
    outcome === 'cancelled' ? [[why ?? UNKNOWN, messages]] : [],
  )
  const [sent, refused, held] = [sum('sent'), sum('refused'), sum('held')]
  const [postponed, deferred, waiting] = [sum('postponed'), sum('deferred'), sum('waiting')]
  const audience = sent + refused + held + sum('cancelled') + postponed + deferred + waiting
  const numbers = { audience, sent, refused, held, postponed, deferred, waiting }
  return {
    balance: { ...numbers, cancelled: sortByFrequency(new Map(cancelled)) },
    delivered: deliveredOnDemand(reported, sent, said),
  }
}
