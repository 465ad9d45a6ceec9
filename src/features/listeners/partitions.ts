import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'

/** One worker that takes shared rows of a kind. Each worker of a process has an id of its own. */
export interface PartitionTaker {
  kind: string
  /** A uuid. */
  taker: string
}

/** Leases are for less. */
const MAX_LEASE_SECONDS = 900

/** Number of partitions over which the SQL function `listener_part` spreads contacts. */
const PARTITION_COUNT = 64

/**
 * Leases a taker its share of the partitions of its kind, for a number of milliseconds from now on. Call it again well before they expire.
 * The taker releases partitions above its share, and those of a dead taker are free when its lease has ended. Returns the partitions it
 * holds.
 */
export function leaseListenerPartitions(db: Db, { kind, taker }: PartitionTaker, leaseMs: number): Promise<number[]> {
  return inTransaction(db, async (tx) => {
    // One at a time, so that each sees what the others have.
    await sql`select pg_advisory_xact_lock(hashtext(${`listener takers ${kind}`}))`.execute(tx)
    await sql`
      with dead as (
        delete from listener_takers where kind = ${kind} and taker <> ${taker}
          -- No lease lasts longer, but where the clock went back.
          and leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => ${MAX_LEASE_SECONDS})),
      made as (
        insert into listener_partitions (kind, part) select ${kind}, generate_series(0, ${sql.lit(PARTITION_COUNT - 1)})
        where not exists (select from listener_partitions where kind = ${kind}))
      insert into listener_takers (kind, taker, leased_until)
      values (${kind}, ${taker}, clock_timestamp() + make_interval(secs => ${leaseMs / 1000}))
      on conflict (kind, taker) do update set leased_until = excluded.leased_until`.execute(tx)
    // A row that is locked is of a taker that is at work, or was when its lease ended: the next call sees to it.
    const { rows } = await sql<{ part: number }>`
      with share as (
        select ceil(${sql.lit(PARTITION_COUNT)}::numeric / count(*))::integer as size from listener_takers where kind = ${kind}),
      mine as (
        select part, row_number() over (order by part) as n from listener_partitions where kind = ${kind} and taker = ${taker}),
      excess as (
        select part from listener_partitions, share where kind = ${kind} and taker = ${taker}
          and part in (select part from mine where n > share.size)
        for update of listener_partitions skip locked),
      given_up as (
        update listener_partitions p set taker = null from excess e where p.kind = ${kind} and p.part = e.part returning p.part),
      free as (
        select p.part from listener_partitions p where p.kind = ${kind} and not exists (
          select from listener_takers t where t.kind = p.kind and t.taker = p.taker)
        order by p.part limit greatest((select size from share) - (select count(*) from mine), 0)
        for update skip locked),
      taken as (
        update listener_partitions p set taker = ${taker} from free f where p.kind = ${kind} and p.part = f.part returning p.part)
      select part from mine where part not in (select part from given_up)
      union all select part from taken order by part`.execute(tx)
    return rows.map(({ part }) => part)
  })
}

/** Gives up the partitions of a taker that stops. */
export async function releaseListenerPartitions(db: Db, { kind, taker }: PartitionTaker): Promise<void> {
  await sql`
    with gone as (delete from listener_takers where kind = ${kind} and taker = ${taker})
    update listener_partitions set taker = null where kind = ${kind} and taker = ${taker}`.execute(db)
}

/**
 * The partitions of a taker that no other transaction is taking rows of; they are locked until the transaction ends, so that none
 * gets to another taker before the rows are committed, whatever becomes of the lease.
 */
export async function lockListenerPartitions(tx: Db, { kind, taker }: PartitionTaker): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    select part from listener_partitions where kind = ${kind} and taker = ${taker}
    order by part for no key update skip locked`.execute(tx)
  return rows.map(({ part }) => part)
}
