import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** The increments of one visit: entries with their keys, at a moment (milliseconds). */
export interface CappingVisit {
  workflow: number
  at: number
  /** Stamp of its send, or the same of a visit of another node. */
  owner: string
  /** Id of the entry, and key. */
  places: readonly (readonly [capping: string, key: string])[]
}

/** The key that increments are counted under. */
export interface CappingKey {
  account: AccountId
  workflow: number
  capping: string
  key: string
}

const buildKeyColumns = (keys: readonly CappingKey[]) => sql`
  ${keys.map(({ account }) => account)}::integer[], ${keys.map(({ workflow }) => workflow)}::integer[],
  ${keys.map(({ capping }) => capping)}::uuid[], ${keys.map(({ key }) => key)}::text[]`

/** Keeps others from counting under keys until the transaction ends; all lock in one order. */
export async function lockCappingKeys(tx: Db, keys: readonly CappingKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`${buildPreparedPrefix('lock-workflow-cappings')}
    insert into workflow_cappings as c (account, workflow, capping, key)
    select distinct account, workflow, capping, key collate "C" from unnest(${buildKeyColumns(keys)}) as k (account, workflow, capping, key)
    order by 1, 2, 3, 4
    on conflict (account, workflow, capping, key) do update set key = c.key where false`.execute(tx)
}

/** The sums of what counts under keys behind a moment (milliseconds), in their order. */
export async function readCappingSums(db: Db, keys: readonly (CappingKey & { after: number })[]): Promise<number[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ sum: number }>`${buildPreparedPrefix('sum-workflow-cappings')}
    select coalesce((
      select sum(i.increment) from workflow_increments i
      where i.account = k.account and i.workflow = k.workflow and i.capping = k.capping and i.key = k.key collate "C"
        and i.at > k.after
    ), 0)::float8 as sum
    from unnest(${buildKeyColumns(keys)}, ${keys.map(({ after }) => new Date(after))}::timestamptz[])
      with ordinality as k (account, workflow, capping, key, after, place)
    order by k.place`.execute(db)
  return rows.map(({ sum }) => sum)
}

/** An increment; `dropAt` (milliseconds): it counts in no period any more. */
export interface NewCappingIncrement extends CappingKey {
  at: number
  owner: string
  increment: number
  dropAt: number
}

/** Counts increments; their keys are locked. */
export async function addCappingIncrements(tx: Db, increments: readonly NewCappingIncrement[]): Promise<void> {
  if (increments.length === 0) return
  await sql`${buildPreparedPrefix('add-workflow-increments')}
    insert into workflow_increments (account, workflow, capping, key, at, owner, increment, drop_at)
    select * from unnest(${buildKeyColumns(increments)}, ${increments.map(({ at }) => new Date(at))}::timestamptz[],
      ${increments.map(({ owner }) => owner)}::uuid[], ${increments.map(({ increment }) => increment)}::integer[],
      ${increments.map(({ dropAt }) => new Date(dropAt))}::timestamptz[])`.execute(tx)
}

/** Takes increments back, as if they had never been counted. */
export async function revertCappingIncrements(
  tx: Db,
  visits: readonly (CappingVisit & { account: AccountId })[],
): Promise<void> {
  const rows = visits.flatMap(({ places, ...cappingKey }) =>
    places.map(([capping, key]) => ({ ...cappingKey, capping, key })),
  )
  if (rows.length === 0) return
  await sql`${buildPreparedPrefix('give-back-workflow-increments')}
    delete from workflow_increments i
    using unnest(${buildKeyColumns(rows)}, ${rows.map(({ at }) => new Date(at))}::timestamptz[],
      ${rows.map(({ owner }) => owner)}::uuid[]) as k (account, workflow, capping, key, at, owner)
    where i.account = k.account and i.workflow = k.workflow and i.capping = k.capping and i.key = k.key collate "C"
      and i.at = k.at and i.owner = k.owner`.execute(tx)
}

const DELETE_BATCH_SIZE = 5000

/** Condition: increments are old. */
export function areIncrementsExpired(now: Date): RawBuilder<unknown> {
  return sql`exists (select from workflow_increments where drop_at <= ${now})`
}

/** Drops increments that count in no period any more, and keys without any. Gives how many increments there were. */
export async function purgeCappingIncrements(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    with old as (
      select account, workflow, capping, key, at, owner from workflow_increments where drop_at <= ${new Date(now)}
      order by drop_at limit ${DELETE_BATCH_SIZE} for update skip locked
    ), dropped as (
      delete from workflow_increments i using old o
      where i.account = o.account and i.workflow = o.workflow and i.capping = o.capping and i.key = o.key and i.at = o.at
        and i.owner = o.owner
      returning i.account, i.workflow, i.capping, i.key, i.at, i.owner
    ), emptied as (
      delete from workflow_cappings c using (select distinct account, workflow, capping, key from dropped) d
      where c.account = d.account and c.workflow = d.workflow and c.capping = d.capping and c.key = d.key and not exists (
        select from workflow_increments i
        where i.account = c.account and i.workflow = c.workflow and i.capping = c.capping and i.key = c.key
          and (i.at, i.owner) not in (select o.at, o.owner from dropped o
            where o.account = c.account and o.workflow = c.workflow and o.capping = c.capping and o.key = c.key))
    )
    select count(*) as dropped from dropped`.execute(db)
  return rows[0]?.dropped ?? 0
}
