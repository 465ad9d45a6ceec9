import { type RawBuilder, sql } from 'kysely'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { SentSource } from '../../lib/sources.ts'
import { QUARTER_HOUR_MS } from '../../lib/time/spans.ts'

/** Batches that are added up in one transaction. */
const AGGREGATION_BATCH = 5000
/** Longest run of one call that aggregates counts. */
const MAX_RUN_MS = 10_000
/** So long single instants are known, and periods may begin at any. */
const RETENTION_MONTHS = 26

/** Condition of ended messages that are counted by the time they were requested: messages on demand, and runs of notifications. */
const countedCondition = sql`(kind = 'message' or (kind = 'campaign' and source_kind = ${sql.lit(pushChannelTraits.sourceKind)}))`

/**
 * Statement that counts ended messages, table `endedMessages` with account, source_kind, source, kind, stamp, stamp_time, outcome as `sent_messages`
 * has it, and `why`. The type of a cancellation that is not given is that of its first event.
 */
export function insertEndedCounts(endedMessages: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into ended_batches (account, source_kind, source, asked, outcome, why, messages)
    select account, source_kind, source, stamp_time,
      case outcome when 'accepted' then 'sent' when 'refused' then 'refused' when 'held' then 'held' else 'cancelled' end,
      case when outcome = 'cancelled' then coalesce((
        select e.detail #>> '{cancellation,type}' from events e
        where e.account = l.account and e.stamp = l.stamp and e.kind = 'cancellations' order by e.at limit 1), why, 'unknown') end,
      count(*)
    from ${endedMessages} l where ${countedCondition} group by 1, 2, 3, 4, 5, 6`
}

/** A send that never entered the outbox; `asked`: the time of its stamp in milliseconds. */
export interface CancelledSend extends SentSource {
  asked: number
}

/** Counts sends on demand that were cancelled as they were asked for. */
export async function countCancelledSends(tx: Db, sends: readonly CancelledSend[], why: string): Promise<void> {
  if (sends.length === 0) return
  await sql`
    insert into ended_batches (account, source_kind, source, asked, outcome, why, messages)
    select account, source_kind, source, asked, 'cancelled', ${why}, count(*) from unnest(
      ${sends.map(({ account }) => account)}::integer[], ${sends.map(({ sourceKind }) => sourceKind)}::text[],
      ${sends.map(({ source }) => source)}::integer[], ${sends.map(({ asked: requestedAt }) => new Date(requestedAt))}::timestamptz[]
    ) as n (account, source_kind, source, asked) group by 1, 2, 3, 4`.execute(tx)
}

/** Adds up the batches of one transaction; gives how many. One process at a time does. */
function aggregateBatches(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows: lockRows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('ended messages')) as is_free`.execute(tx)
    if (!lockRows[0]?.is_free) return 0
    const { rows } = await sql<{ n: number }>`
      with counted as (
        delete from ended_batches where id = any(array(select id from ended_batches order by id limit ${AGGREGATION_BATCH}))
        returning account, source_kind, source, asked, outcome, why, messages
      ), added as (
        insert into ended_quarters as q (account, source_kind, source, start, outcome, why, messages, instants)
        select account, source_kind, source, quarter_of(asked), outcome, coalesce(why, ''), sum(messages),
          string_agg(int4send((date_part('epoch', asked - quarter_of(asked)) * 1000)::integer) || int4send(messages), '')
        from (
          select account, source_kind, source, asked, outcome, why, sum(messages)::integer as messages from counted group by 1, 2, 3, 4, 5, 6) c
        group by 1, 2, 3, 4, 5, 6
        on conflict (account, source_kind, source, start, outcome, why) do update
          set messages = q.messages + excluded.messages, instants = q.instants || excluded.instants
      )
      select count(*) as n from counted`.execute(tx)
    return rows[0]?.n ?? 0
  })
}

/** Condition: messages ended that are not added up. */
export const hasEndedBatches = sql`exists (select from ended_batches)`

/** Adds up by quarter of an hour how messages ended. To be called every few seconds. */
export async function aggregateEndedCounts(db: Db): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  while ((await aggregateBatches(db)) === AGGREGATION_BATCH && performance.now() < deadline) {
    // The next ones.
  }
}

/** Forgets single instants that nobody asks for any more; their quarters are kept. To be called nightly. */
export async function purgeEndedInstants(db: Db, now: Date): Promise<void> {
  await sql`
    update ended_quarters set instants = ''
    where instants <> '' and start < ${now}::timestamptz - make_interval(months => ${sql.lit(RETENTION_MONTHS)})`.execute(
    db,
  )
}

/** Endings of messages, and the reasons of those that were cancelled. */
export interface EndedMessageCount {
  outcome: 'sent' | 'refused' | 'held' | 'cancelled'
  why: string | null
  messages: number
}

const LAST_INSTANT_MS = Date.UTC(9999, 11, 31)

/** The ended messages of a source that were asked for in a period of milliseconds, start inclusive, end exclusive. */
export async function readEndedCounts(
  db: Db,
  { account, sourceKind, source }: SentSource,
  { start = 0, end = LAST_INSTANT_MS }: { start?: number | undefined; end?: number | undefined },
): Promise<EndedMessageCount[]> {
  const [firstQuarter, lastQuarter] = [Math.ceil(start / QUARTER_HOUR_MS), Math.floor(end / QUARTER_HOUR_MS)].map(
    (n) => new Date(n * QUARTER_HOUR_MS),
  )
  const partialQuarters = [start, end]
    .filter((ms) => ms % QUARTER_HOUR_MS !== 0)
    .map((ms) => new Date(Math.floor(ms / QUARTER_HOUR_MS) * QUARTER_HOUR_MS))
  const sourceCondition = sql`account = ${account} and source_kind = ${sourceKind} and source = ${source}`
  const [from, until] = [new Date(start), new Date(end)]
  const { rows } = await sql<EndedMessageCount>`
    select outcome, nullif(why, '') as why, sum(messages)::bigint as messages from (
      select outcome, why, messages from ended_quarters where ${sourceCondition} and start >= ${firstQuarter} and start < ${lastQuarter}
      union all
      select outcome, coalesce(why, ''), messages from ended_batches where ${sourceCondition} and asked >= ${from} and asked < ${until}
      union all
      select outcome, why, messages from (
        select outcome, why, start + substr(instants, 8 * n + 1, 4)::integer * interval '1 millisecond' as asked,
          substr(instants, 8 * n + 5, 4)::integer as messages
        from (select outcome, why, start, instants || '' as instants from ended_quarters where ${sourceCondition} and start = any(${partialQuarters}::timestamptz[])) q
          cross join lateral generate_series(0, octet_length(instants) / 8 - 1) n) single
      where asked >= ${from} and asked < ${until}) parts
    group by 1, 2 having sum(messages) > 0`.execute(db)
  return rows
}
