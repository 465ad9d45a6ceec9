import { sql } from 'kysely'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import { getWarmUpAllowance } from '../../gateways/smtp-direct/warm-up-schedule.ts'
import type { AccountId } from '../../lib/account.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { withEventTable } from '../events/history/older-events.ts'
import type { DomainWarmUpState, MailDestinationResults } from './deliverability-schemas.ts'
import { resolveMailDestination } from './mailbox-domains.ts'
import { readSentMailCounts, recipientDomainSql, type SentMailRow, type SentMailSpan } from './sent-quarters.ts'

const MAX_DESTINATIONS = 100
const MAX_SHOWN_REFUSALS = 10

interface ReactionRow {
  domain: string
  kind: 'refusal' | 'bounce' | 'complaint'
  pattern: string
  subject: string
  verdict: 'hard' | 'soft'
  n: number
}

/** Refusals, bounces and complaints that were reported in a span. */
async function readReactions(db: Db, account: AccountId, { start, end }: SentMailSpan): Promise<ReactionRow[]> {
  const kinds = ['bounces', 'complaints'] as const
  const eventQuery = { account, channels: [emailChannelTraits.name], kinds, since: start, until: end }
  return withEventTable(db, [eventQuery], async (tx, events) => {
    const { rows } = await sql<ReactionRow>`
    select ${recipientDomainSql} as domain, r.kind, r.pattern, r.subject, r.verdict, count(*) as n from (
      select stamp, case when kind = 'complaints' then 'complaint'
          when detail#>>'{bounce,status,type}' = 'sync' then 'refusal' else 'bounce' end as kind,
        coalesce(detail#>>'{bounce,analysis,rule}', '') as pattern,
        coalesce(detail#>>'{bounce,analysis,subject,detail,type}', detail#>>'{bounce,analysis,subject,type}', '') as subject,
        coalesce(detail#>>'{bounce,analysis,verdict}', '') as verdict
      from ${events} e
      where account = ${account} and channel = ${emailChannelTraits.name} and kind in ('bounces', 'complaints') and not is_test
        and at >= ${new Date(start)} and at < ${new Date(end)}) r
      join sent_messages s on s.account = ${account} and s.stamp = r.stamp
    group by 1, 2, 3, 4, 5`.execute(tx)
    return rows
  })
}

const sumBy = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0)

/** A share with four decimals. */
const computeRate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

function groupRefusals(reactions: readonly ReactionRow[]): MailDestinationResults['refusals'] {
  const refusals = reactions.filter(({ kind }) => kind === 'refusal')
  const byPattern = Map.groupBy(refusals, ({ pattern, subject, verdict }) => `${pattern} ${subject} ${verdict}`)
  return [...byPattern.values()]
    .flatMap(([first, ...others]) => {
      if (!first) return []
      const { pattern, subject, verdict } = first
      return [{ pattern, subject, verdict, count: first.n + sumBy(others, ({ n }) => n) }]
    })
    .sort((a, b) => b.count - a.count || a.pattern.localeCompare(b.pattern))
    .slice(0, MAX_SHOWN_REFUSALS)
}

function summarizeResults(
  name: string,
  sentRows: readonly SentMailRow[],
  reactions: readonly ReactionRow[],
): MailDestinationResults {
  const [acceptedCount, refusedCount] = [sumBy(sentRows, (row) => row.sent), sumBy(sentRows, (row) => row.refused)]
  const countLaterReactions = (verdict: string): number =>
    sumBy(reactions, (row) => (row.kind === 'bounce' && row.verdict === verdict ? row.n : 0))
  const complaints = sumBy(reactions, ({ kind, n }) => (kind === 'complaint' ? n : 0))
  const rowsByVolume = sentRows.toSorted((a, b) => b.sent + b.refused - a.sent - a.refused)
  return {
    destination: name === '' ? null : name,
    domains: rowsByVolume
      .slice(0, MAX_SHOWN_REFUSALS)
      .map(({ domain }) => domain)
      .filter(Boolean),
    sent: acceptedCount,
    refused: refusedCount,
    refusals: groupRefusals(reactions),
    bounces: { hard: countLaterReactions('hard'), soft: countLaterReactions('soft') },
    complaints,
    bounceRate: computeRate(refusedCount + countLaterReactions('hard'), acceptedCount + refusedCount),
    complaintRate: computeRate(complaints, acceptedCount),
  }
}

/** Results of an account's mail in a span, by destination, those with the most messages first. */
export async function listMailDestinations(
  db: Db,
  account: AccountId,
  span: SentMailSpan,
): Promise<MailDestinationResults[]> {
  const [sentRows, reactions] = await Promise.all([
    readSentMailCounts(db, account, span),
    readReactions(db, account, span),
  ])
  const [bySent, byReactions] = [
    Map.groupBy(sentRows, ({ domain }) => resolveMailDestination(domain)),
    Map.groupBy(reactions, ({ domain }) => resolveMailDestination(domain)),
  ]
  return [...new Set([...bySent.keys(), ...byReactions.keys()])]
    .map((name) => summarizeResults(name, bySent.get(name) ?? [], byReactions.get(name) ?? []))
    .sort((a, b) => b.sent + b.refused - a.sent - a.refused || (a.destination ?? '').localeCompare(b.destination ?? ''))
    .slice(0, MAX_DESTINATIONS)
}

interface WarmUpRow {
  domain: string
  startsOn: string
  sent: DomainWarmUpState['sent']
}

/** The warm-ups of an account's domains as they stand; `now` in milliseconds. */
export async function listDomainWarmUps(
  db: Db,
  account: AccountId,
  { now, schedule }: { now: number; schedule: readonly number[] },
): Promise<DomainWarmUpState[]> {
  const currentDay = new Date(now).toISOString().slice(0, 10)
  const { rows } = await sql<WarmUpRow>`
    select w.domain, w.starts_on::text as "startsOn", coalesce((
      select json_agg(json_build_object('destination', c.destination, 'count', c.sent) order by c.sent desc, c.destination)
      from warm_up_counts c where c.account = w.account and c.domain = w.domain and c.day = ${currentDay}::date), '[]') as sent
    from warm_ups w where w.account = ${account} order by w.domain`.execute(db)
  return rows.map(({ domain, startsOn, sent: sentByDay }) => ({
    domain,
    startDate: startsOn,
    day: Math.max(0, Math.round((Date.parse(currentDay) - Date.parse(startsOn)) / DAY_MS) + 1),
    allowance: getWarmUpAllowance(currentDay, startsOn, schedule) ?? null,
    schedule: [...schedule],
    sent: sentByDay,
  }))
}
