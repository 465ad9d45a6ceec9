import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { noticeInsertPartSql } from '../../notices/notices.ts'
import { attachToCreatedContacts, selectPendingSubscriptions } from '../fields/devices.ts'
import type { StoredFields } from '../fields/identity.ts'
import type { ContactWriteContext } from '../records/write.ts'
import { restoreRedListEntries } from '../suppressions/red-list-memory.ts'
import type { ContactShape } from '../values/contact-shape.ts'

/**
 * The columns of a staging table that a bulk writer fills, in this order; `marks`, an array of what stops sends to the
 * contact, only where a row has any.
 */
export const stagedContactColumns = {
  unicity: 'text collate "C"',
  key: 'text collate "C"',
  fields: 'jsonb',
  marks: 'jsonb',
}

/**
 * Those that the functions here fill. `known`: the contact that was there before, and `creator` the import run that
 * created it; `is_created`: this write created the row's contact, where that had to be noted.
 */
export const stagingResultColumns = {
  known: 'bigint',
  creator: 'integer',
  is_created: 'boolean not null default false',
}

/** A bulk write of contacts that stand in a staging table. */
export interface StagedContactWrite {
  /** The table has `stagedContactColumns`, `stagingResultColumns`, and any further columns of the writer. */
  staging: RawBuilder<unknown>
  /** The import run that writes: contacts keep who created them. */
  execution: number
  /** A null in `fields` empties the field. */
  empties: boolean
  now: Date
  /** In the statement that writes the contacts, since one more for each batch is measurable. */
  also: (contacts: RawBuilder<unknown>) => StagedSideEffects
}

/** Side effects on contacts, in addition to their values. `contacts` is a part of a `with` that has their `id` and `key`. */
export interface StagedSideEffects {
  /** Further parts of the `with`. */
  parts: RawBuilder<unknown>
  /** The number of contacts to which they stop sends, as an expression. */
  blocked: RawBuilder<number>
}

/** The number of contacts that a statement has created, and of those to which sends are stopped from now on. */
export interface StagedCreationCounts {
  created: number
  blocked: number
}

const UNIQUE_VIOLATION = '23505'

/**
 * Notes of the rows whose contact is there already which one it is, and the run that created it. Asked of each row by
 * itself, so that the planner, which has no statistics of the rows, cannot choose to read all contacts instead.
 */
export async function matchStagedContacts(
  tx: Db,
  { account }: ContactShape,
  staging: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update ${staging} i set (known, creator) = (
      select c.id, c.created_by_import from contacts c where c.account = ${account} and c.key = i.key)
    where i.known is null and not i.is_created`.execute(tx)
}

/**
 * Creates the contacts of the rows that are not known, with the subscriptions that await them, and counts them;
 * afterwards `known` is set for the others. With `expectsNew`, for rows of which hardly any is known, contacts are only looked
 * for when one was met. A plain insert is a fifth cheaper than one that expects conflicts, and looking for contacts costs as
 * much again: the dearer ways are taken when the cheaper one has failed, because another transaction created a contact meanwhile.
 */
export async function createStagedContacts(
  tx: Db,
  shape: ContactShape,
  write: StagedContactWrite,
  { expectsNew }: { expectsNew: boolean },
): Promise<StagedCreationCounts> {
  if (!expectsNew) await matchStagedContacts(tx, shape, write.staging)
  await sql`savepoint creation`.execute(tx)
  try {
    return await insertStagedContacts(tx, shape, write, { onConflict: sql``, marked: sql`` })
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    await sql`rollback to savepoint creation`.execute(tx)
  }
  await matchStagedContacts(tx, shape, write.staging)
  const markedPart = sql`, marked as (update ${write.staging} i set is_created = true from created c where i.key = c.key)`
  const createdCounts = await insertStagedContacts(tx, shape, write, {
    onConflict: sql`on conflict do nothing`,
    marked: markedPart,
  })
  await matchStagedContacts(tx, shape, write.staging)
  return createdCounts
}

/** Inserts in the order of keys, as every writer does, against deadlocks. */
async function insertStagedContacts(
  tx: Db,
  { account, listening, awaitsDevices }: ContactShape,
  { staging, execution, empties, now, also }: StagedContactWrite,
  { onConflict, marked }: { onConflict: RawBuilder<unknown>; marked: RawBuilder<unknown> },
): Promise<StagedCreationCounts> {
  // Here, where the hashes are: to make them once more costs as much as all the rest of it.
  const pendingSubscriptions = awaitsDevices
    ? sql`array(${selectPendingSubscriptions(account, sql`select hash from created`)})`
    : sql`'{}'`
  const creationNotices = sql`select id as contact, '{}'::jsonb as data from created`
  const storedFields = empties ? sql`jsonb_strip_nulls(i.fields)` : sql`i.fields`
  const { parts, blocked } = also(sql`created`)
  const { rows } = await sql<StagedCreationCounts & { awaiting: string[] }>`
    with created as (
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at, created_by_import)
      select ${account}, ${storedFields}, i.unicity, i.key, decode(md5(i.unicity), 'hex'), ${now}, ${now}, ${execution}
      from ${staging} i where i.known is null order by i.key ${onConflict}
      returning id, key, hash)
    ${marked} ${noticeInsertPartSql({ account, listening }, 'target.created', creationNotices)} ${parts}
    select count(*) as created, ${blocked} as blocked, ${pendingSubscriptions}::uuid[] as awaiting from created`.execute(
    tx,
  )
  const [{ awaiting: pendingIds, ...counts } = { created: 0, blocked: 0, awaiting: [] }] = rows
  await attachToCreatedContacts(tx, account, now, pendingIds)
  return counts
}

/** Puts contacts that the write created on the red lists their addresses are remembered on. */
export async function restoreStagedRedLists(
  tx: Db,
  shape: ContactShape,
  staging: RawBuilder<unknown>,
  { masterKeys }: Pick<ContactWriteContext, 'masterKeys'>,
): Promise<void> {
  const { account } = shape
  const memoryRows = await sql`select from red_list_memory where account = ${account} limit 1`.execute(tx)
  if (memoryRows.rows.length === 0) return
  const { rows } = await sql<{ id: number; fields: StoredFields }>`
    select c.id, c.fields from ${staging} i cross join lateral (
      select id, fields from contacts where account = ${account} and key = i.key limit 1) c
    where i.known is null`.execute(tx)
  await restoreRedListEntries(tx, shape, rows, masterKeys)
}

/** The values that a known contact `c` has after the row `i`: those of its unicity stay. */
export function mergeStagedFields(
  { unicity }: ContactShape,
  { empties }: Pick<StagedContactWrite, 'empties'>,
): RawBuilder<unknown> {
  const mergedFields = sql`c.fields || (i.fields - ${unicity.map(({ id }) => String(id))}::text[])`
  return empties ? sql`jsonb_strip_nulls(${mergedFields})` : mergedFields
}

/**
 * Changes the contacts of the known rows that hold other values, and gives their number. A new address clears the
 * bounces of the old one.
 */
export async function updateStagedContacts(tx: Db, shape: ContactShape, write: StagedContactWrite): Promise<number> {
  const { account } = shape
  const mergedFields = mergeStagedFields(shape, write)
  const addresses = shape.fields.filter(({ type }) => isAddressFieldType(type)).map(({ id }) => id)
  const isReplacedAddress = sql`b.account = ${account} and b.contact = m.id and b.field = m.field`
  const changedFields = sql`
    select id as contact, jsonb_build_object('fields', (
      select jsonb_agg(k::integer order by k::integer)
      from (select jsonb_object_keys(before) union select jsonb_object_keys(after)) as keys(k)
      where before -> k is distinct from after -> k)) as data
    from updated`
  await preferIndexJoins(tx, true)
  const { rows } = await sql<{ updated: number }>`
    with updated as (
      update contacts c set fields = ${mergedFields}, updated_at = ${write.now}
      from ${write.staging} i where c.account = ${account} and c.id = i.known and ${mergedFields} <> c.fields
      returning c.id, old.fields as before, new.fields as after),
    moved as (
      select u.id, a.field from updated u cross join unnest(${addresses}::integer[]) as a(field)
      where lower(u.before ->> a.field::text) is distinct from lower(u.after ->> a.field::text)),
    flags as (delete from bounce_flags b using moved m where ${isReplacedAddress}),
    softs as (delete from soft_bounces b using moved m where ${isReplacedAddress})
    ${noticeInsertPartSql(shape, 'target.updated', changedFields)}
    select count(*) as updated from updated`.execute(tx)
  await preferIndexJoins(tx, false)
  return rows[0]?.updated ?? 0
}

/**
 * Applies the side effects of the write to the contacts of the known rows. Returns the number of contacts to which sends are stopped from
 * now on. A contact deleted meanwhile is left out.
 */
export async function applyStagedSideEffects(
  tx: Db,
  { account }: ContactShape,
  { staging, also }: StagedContactWrite,
): Promise<number> {
  const { parts, blocked } = also(sql`met`)
  const { rows } = await sql<{ blocked: number }>`
    with met as (
      select c.id, i.key from ${staging} i cross join lateral (
        select id from contacts where account = ${account} and id = i.known for key share) c)
    ${parts} select ${blocked} as blocked`.execute(tx)
  return rows[0]?.blocked ?? 0
}

/** Some thousand contacts are always found sooner one by one than by reading all, whatever the planner estimates. */
async function preferIndexJoins(tx: Db, isOnly: boolean): Promise<void> {
  const otherJoinMethods = isOnly ? 'off' : 'on'
  await sql`
    select set_config('enable_hashjoin', ${otherJoinMethods}, true), set_config('enable_mergejoin', ${otherJoinMethods}, true)`.execute(
    tx,
  )
}
