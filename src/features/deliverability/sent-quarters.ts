import { type RawBuilder, sql } from 'kysely'
import { emailChannelTraits } from '../../channels/email/facts.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { DAY_MS } from '../../lib/time/spans.ts'

const QUARTER_MS = 15 * 60_000
/** Results are recorded within a minute of their time, but for those that an outage of the database kept back. */
const MIN_AGE_MS = 2 * 60_000
/** As long as a span of deliverability may be, and a day. */
const KEPT_MS = 32 * DAY_MS
/** Quarters that are counted again by night, as results may have come later. */
const RECOUNTED_MS = 2 * DAY_MS
/** How long one call counts. */
const RUN_MS = 20_000

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

const floored = (ms: number): number => Math.floor(ms / QUARTER_MS) * QUARTER_MS

/** What stands behind the last @ of the address of a sent message `s`. */
export const recipientDomainSql = sql`lower(split_part(s.address, '@', -1))`

const sentOf = sql`count(*) filter (where s.outcome = 'accepted')`
const refusedOf = sql`count(*) filter (where s.outcome = 'refused')`

/** Condition on a sent message `s`: a mail that came to its end within a span; proofs left out. */
function isSentIn({ start, end }: SentMailSpan): RawBuilder<unknown> {
  return sql`s.channel = ${emailChannelTraits.name} and s.kind <> 'test' and s.outcome in ('accepted', 'refused')
    and s.ended_at >= ${new Date(start)} and s.ended_at < ${new Date(end)}`
}

/** Counts a span of whole quarters. */
async function countSpan(tx: Db, span: SentMailSpan): Promise<void> {
  await sql`
    insert into sent_quarters (account, start, domain, sent, refused)
    select s.account, quarter_of(s.ended_at), ${recipientDomainSql}, ${sentOf}, ${refusedOf} from sent_messages s
    where ${isSentIn(span)} group by 1, 2, 3`.execute(tx)
}

const countedQuarters = sql<SentMailSpan>`
    select (date_part('epoch', counted_from) * 1000)::bigint as start, (date_part('epoch', counted_until) * 1000)::bigint as end
    from sent_counting`

/** The counted quarters, locked; undefined while another process counts. */
async function lockCounted(tx: Db): Promise<SentMailSpan | undefined> {
  const { rows } = await sql<SentMailSpan>`${countedQuarters} for update skip locked`.execute(tx)
  return rows[0]
}

/** Counts the next day of quarters that are over, at most; false when there is nothing more. */
function countNext(db: Db, now: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const counted = await lockCounted(tx)
    const last = floored(now - MIN_AGE_MS)
    if (counted === undefined || counted.end >= last) return false
    const oldest = floored(now - KEPT_MS)
    const isFirst = counted.end < oldest
    const start = isFirst ? oldest : counted.end
    const end = Math.min(start + DAY_MS, last)
    await countSpan(tx, { start, end })
    await sql`
      update sent_counting set counted_until = ${new Date(end)}${isFirst ? sql`, counted_from = ${new Date(start)}` : sql``}`.execute(
      tx,
    )
    return end < last
  })
}

/** Counts the quarters that are over, by the clock in milliseconds. To be called every minute; one process works at a time. */
export async function countSentQuarters(db: Db, now: number): Promise<void> {
  const limit = performance.now() + RUN_MS
  while (performance.now() < limit && (await countNext(db, now))) {
    // The next day.
  }
}

/** Counts the last two days again, and forgets quarters that no span can hold. To be called nightly. */
export async function recountSentQuarters(db: Db, now: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const counted = await lockCounted(tx)
    if (counted === undefined) return
    const start = Math.max(floored(now - RECOUNTED_MS), counted.start)
    const oldest = Math.max(floored(now - KEPT_MS), counted.start)
    await sql`delete from sent_quarters where start >= ${new Date(start)} or start < ${new Date(oldest)}`.execute(tx)
    await countSpan(tx, { start, end: counted.end })
    await sql`update sent_counting set counted_from = ${new Date(oldest)}`.execute(tx)
  })
}

/** What of a span is counted, in whole quarters; empty where nothing is. */
async function countedIn(db: Db, { start, end }: SentMailSpan): Promise<SentMailSpan> {
  const { rows } = await countedQuarters.execute(db)
  const counted = rows[0] ?? { start: 0, end: 0 }
  const first = Math.max(Math.ceil(start / QUARTER_MS) * QUARTER_MS, counted.start)
  const last = Math.min(floored(end), counted.end)
  return first < last ? { start: first, end: last } : { start, end: start }
}

/** What was sent and refused in a span: of whole quarters by their counts, of the rest by the messages themselves. */
export async function readSentMailCounts(db: Db, account: AccountId, span: SentMailSpan): Promise<SentMailRow[]> {
  const counted = await countedIn(db, span)
  const uncounted = [
    { start: span.start, end: counted.start },
    { start: counted.end, end: span.end },
  ].filter(({ start, end }) => start < end)
  const parts = uncounted.map(
    (part) => sql`
      select ${recipientDomainSql} as domain, ${sentOf} as sent, ${refusedOf} as refused from sent_messages s
      where s.account = ${account} and ${isSentIn(part)} group by 1`,
  )
  const { rows } = await sql<SentMailRow>`
    select domain, sum(sent)::integer as sent, sum(refused)::integer as refused from (
      select domain, sent, refused from sent_quarters
      where account = ${account} and start >= ${new Date(counted.start)} and start < ${new Date(counted.end)}
      ${parts.length === 0 ? sql`` : sql`union all ${sql.join(parts, sql` union all `)}`}) p
    group by domain`.execute(db)
  return rows
}
