import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** A row that was queued so much later than now was queued before the clock went back. */
const MAX_CLOCK_SKEW = sql`interval '5 seconds'`

/**
 * Parts of a `with` that take rows which are queued for one listener alone: `taken` (`listener`, `event`, `batch`), in batches
 * that are full or whose first row is as old as it may become. They follow a part `turns` with `listener`, `most` (rows),
 * `size` (of a batch) and `wait_ms`. Rows that another transaction is taking are passed over.
 */
export const takeOwnRowBatchesSql: RawBuilder<unknown> = sql`
  picked as materialized (
    select q.listener, q.id, q.queued_at, t.size, t.wait_ms from turns t cross join lateral (
      select * from listener_queue where listener = t.listener order by id limit t.most for update skip locked) q),
  placed as (
    select *, (row_number() over (partition by listener order by id) - 1) / size as batch from picked),
  counted as (
    select *, count(*) over b as n, min(queued_at) over b as oldest from placed window b as (partition by listener, batch)),
  taken as (
    delete from listener_queue q using counted c
    where q.listener = c.listener and q.id = c.id
      and (c.n = c.size or c.oldest not between clock_timestamp() - make_interval(secs => c.wait_ms / 1000.0) and clock_timestamp() + ${MAX_CLOCK_SKEW})
    returning q.listener, q.event, c.batch)`

/** Deletes what waits for one listener. */
export async function purgeListenerRows(tx: Db, listener: string): Promise<void> {
  await sql`delete from listener_queue where listener = ${listener}`.execute(tx)
}

/** Deletes what waits for listeners of a kind that are not among `living`, a select of their ids. */
export async function purgeOrphanListenerRows(db: Db, kind: string, living: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from listener_queue q
    where q.kind = ${kind} and q.listener is not null
      and not exists (select from (${living}) as l (id) where l.id = q.listener)`.execute(db)
}
