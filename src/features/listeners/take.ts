import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../database/rows/sql-condition.ts'
import type { AccountId } from '../../lib/account.ts'
import { lockListenerPartitions, type PartitionTaker } from './partitions.ts'

/** An event or a notice for the listeners of a kind in an account. */
export interface ListenerRow {
  id: number
  account: AccountId
  /** Id of the event or notice. */
  event: string
  contact: number | null
  /** Id of the send that it follows from, or whose workflow run caused it. */
  stamp: string | null
  depth: number
}

/** Condition: shared rows of a kind wait. */
export function areListenerRowsQueued(kind: string): RawBuilder<unknown> {
  return sql`exists (select from listener_queue where listener is null and kind = ${kind})`
}

/** True if shared rows of a kind wait. This check avoids locking partitions needlessly, many times a second. */
export function hasListenerRows(db: Db, kind: string): Promise<boolean> {
  return isSqlConditionTrue(db, 'have-listener-rows', areListenerRowsQueued(kind))
}

/** A choice of rows: at most `limit`, and none of the events whose ids `passOver` lists. */
export interface ListenerRowSelection {
  limit: number
  passOver?: readonly string[]
}

/**
 * Takes shared rows of the partitions that the taker has leased, in the order of their ids; accounts take turns.
 * They are deleted in the caller's transaction, which is to hold all that follows from them: if it does not commit they are
 * taken again. No other transaction takes rows of the same contacts before it has ended.
 */
export async function takeListenerRows(
  tx: Db,
  taker: PartitionTaker,
  { limit, passOver = [] }: ListenerRowSelection,
): Promise<ListenerRow[]> {
  const parts = await lockListenerPartitions(tx, taker)
  if (parts.length === 0) return []
  const sharedRows = sql`listener_queue where listener is null and kind = ${taker.kind}`
  const { rows } = await sql<ListenerRow>`${buildPreparedPrefix('take-listener-rows')}
    with recursive heads as (
      select p.part, first.account from unnest(${parts}::smallint[]) as p (part) cross join lateral (
        select account from ${sharedRows} and part = p.part order by account limit 1) first
      union all
      select h.part, next.account from heads h cross join lateral (
        select account from ${sharedRows} and part = h.part and account > h.account order by account limit 1) next
    ), turns as (
      select part, account,
        ceil(${limit}::numeric / (select count(distinct account) from heads) / count(*) over (partition by account))::integer as share
      from heads
    ), found as (
      select t.part, t.account, own.id, row_number() over (partition by t.account order by own.id) as nth
      from turns t cross join lateral (
        select id from ${sharedRows} and part = t.part and account = t.account
          and event <> all(${passOver}::uuid[]) order by id limit t.share) own
    ), picked as (
      select part, account, id from found order by nth, id limit ${limit}
    ), taken as (
      delete from listener_queue q using picked p
      where q.listener is null and q.kind = ${taker.kind} and q.part = p.part and q.account = p.account and q.id = p.id
      returning q.id, q.account, q.event, q.contact, q.stamp, q.depth
    )
    select * from taken order by id`.execute(tx)
  return rows
}
