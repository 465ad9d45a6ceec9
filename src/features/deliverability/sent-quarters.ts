import { type RawBuilder, sql } from 'kysely'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { DAY_MS } from '../../lib/time/spans.ts'

const QUARTER_MS = 15 * 60_000
/** Results are recorded within a minute of their time, but for those that an outage of the database kept back. */
const MIN_COUNTED_AGE_MS = 2 * 60_000
/** As long as a span of deliverability may be, and a day. */
const RETENTION_MS = 32 * DAY_MS
/** Quarters that are counted again by night, as results may have come later. */
const RECOUNT_WINDOW_MS = 2 * DAY_MS
/** Maximum time one call counts. */
const MAX_RUN_MS = 20_000

/** A span of time in milliseconds: start inclusive, end exclusive. */
export interface SentMailSpan {
  start: number
  end: number
}

/** Mails of a span that were accepted and refused, by what stands behind the last @ of the address. */
export interface SentMailRow {
  domain: string
  sent: number
  refused: number
}

const floorToQuarter = (ms: number): number => Math.floor(ms / QUARTER_MS) * QUARTER_MS

/** The domain of the address of a sent message `s`: the part after the last @. */
export const recipientDomainSql = sql`lower(split_part(s.address, '@', -1))`

const acceptedCountSql = sql`count(*) filter (where s.outcome = 'accepted')`
const refusedCountSql = sql`count(*) filter (where s.outcome = 'refused')`

/** Condition on a sent message `s`: a mail that came to its end within a span; proofs left out. */
function sentInSpanSql({ start, end }: SentMailSpan): RawBuilder<unknown> {
  return sql`s.channel = ${emailChannelTraits.name} and s.kind <> 'test' and s.outcome in ('accepted', 'refused')
    and s.ended_at >= ${new Date(start)} and s.ended_at < ${new Date(end)}`
}

/** Counts a span of whole quarters. */
async function storeSpanCounts(tx: Db, span: SentMailSpan): Promise<void> {
  await sql`
    insert into sent_quarters (account, start, domain, sent, refused)
    select s.account, quarter_of(s.ended_at), ${recipientDomainSql}, ${acceptedCountSql}, ${refusedCountSql} from sent_messages s
    where ${sentInSpanSql(span)} group by 1, 2, 3`.execute(tx)
}

const selectCountedSpan = sql<SentMailSpan>`
    select (date_part('epoch', counted_from) * 1000)::bigint as start, (date_part('epoch', counted_until) * 1000)::bigint as end
    from sent_counting`

/** The counted quarters, locked; undefined while another process counts. */
async function lockCountedSpan(tx: Db): Promise<SentMailSpan | undefined> {
  const { rows } = await sql<SentMailSpan>`${selectCountedSpan} for update skip locked`.execute(tx)
  return rows[0]
}

/** Counts the next day of quarters that are over, at most; false when there is nothing more. */
function countNextDay(db: Db, now: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const countedSpan = await lockCountedSpan(tx)
    const lastQuarter = floorToQuarter(now - MIN_COUNTED_AGE_MS)
    if (countedSpan === undefined || countedSpan.end >= lastQuarter) return false
    const oldestQuarter = floorToQuarter(now - RETENTION_MS)
    const isFirst = countedSpan.end < oldestQuarter
    const start = isFirst ? oldestQuarter : countedSpan.end
    const end = Math.min(start + DAY_MS, lastQuarter)
    await storeSpanCounts(tx, { start, end })
    await sql`
      update sent_counting set counted_until = ${new Date(end)}${isFirst ? sql`, counted_from = ${new Date(start)}` : sql``}`.execute(
      tx,
    )
    return end < lastQuarter
  })
}

/** Counts the quarters that are over, by the clock in milliseconds. To be called every minute; one process works at a time. */
export async function countSentQuarters(db: Db, now: number): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  while (performance.now() < deadline && (await countNextDay(db, now))) {
    // The next day.
  }
}

/** Counts the last two days again, and forgets quarters that no span can hold. To be called nightly. */
export async function recountSentQuarters(db: Db, now: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const countedSpan = await lockCountedSpan(tx)
    if (countedSpan === undefined) return
    const start = Math.max(floorToQuarter(now - RECOUNT_WINDOW_MS), countedSpan.start)
    const oldestQuarter = Math.max(floorToQuarter(now - RETENTION_MS), countedSpan.start)
    await sql`delete from sent_quarters where start >= ${new Date(start)} or start < ${new Date(oldestQuarter)}`.execute(
      tx,
    )
    await storeSpanCounts(tx, { start, end: countedSpan.end })
    await sql`update sent_counting set counted_from = ${new Date(oldestQuarter)}`.execute(tx)
  })
}

/** The counted part of a span, in whole quarters. Empty if nothing is counted. */
async function findCountedPart(db: Db, { start, end }: SentMailSpan): Promise<SentMailSpan> {
  const { rows } = await selectCountedSpan.execute(db)
  const countedSpan = rows[0] ?? { start: 0, end: 0 }
  const firstQuarter = Math.max(Math.ceil(start / QUARTER_MS) * QUARTER_MS, countedSpan.start)
  const lastQuarter = Math.min(floorToQuarter(end), countedSpan.end)
  return firstQuarter < lastQuarter ? { start: firstQuarter, end: lastQuarter } : { start, end: start }
}

/** Messages sent and refused in a span: whole quarters from their counts, the remainder from the messages themselves. */
export async function readSentMailCounts(db: Db, account: AccountId, span: SentMailSpan): Promise<SentMailRow[]> {
  const countedSpan = await findCountedPart(db, span)
  const uncounted = [
    { start: span.start, end: countedSpan.start },
    { start: countedSpan.end, end: span.end },
  ].filter(({ start, end }) => start < end)
  const parts = uncounted.map(
    (part) => sql`
      select ${recipientDomainSql} as domain, ${acceptedCountSql} as sent, ${refusedCountSql} as refused from sent_messages s
      where s.account = ${account} and ${sentInSpanSql(part)} group by 1`,
  )
  const { rows } = await sql<SentMailRow>`
    select domain, sum(sent)::integer as sent, sum(refused)::integer as refused from (
      select domain, sent, refused from sent_quarters
      where account = ${account} and start >= ${new Date(countedSpan.start)} and start < ${new Date(countedSpan.end)}
      ${parts.length === 0 ? sql`` : sql`union all ${sql.join(parts, sql` union all `)}`}) p
    group by domain`.execute(db)
  return rows
}
