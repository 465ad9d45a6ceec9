import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { recallRedList } from '../contacts/red-list-memory.ts'
import type { ContactShape } from '../contacts/shape.ts'
import type { Writing } from '../contacts/write.ts'
import type { StoredFields } from '../fields/identity.ts'
import type { Batch } from './reader.ts'
import { unicityColumn } from './rows.ts'

/** What a run does with the contacts of its lines. */
export interface Effects {
  execution: number
  account: AccountId
  import: number
  /** Which line of a key counts; the others are listed in the rejects, except with `ignore`. */
  duplicates: 'first' | 'ignore' | 'last'
  updateExisting: boolean
  /** Empty cells empty the field of a known contact. */
  empties: boolean
  /** The segment that contacts join; `isEmptied`: only at the end, when all others leave it. */
  segment: { id: number; isEmptied: boolean } | undefined
  redLists: ('mail' | 'sms')[]
}

/** How the lines of a batch are counted. Their sum is their number. */
export interface Counts {
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
}

/** The accepted lines of a batch as a table `i`, whose `fields` is a text still: most statements need not parse it. */
function incoming({ rows: { ordinals, lines, unicities, keys, fields } }: Batch): RawBuilder<unknown> {
  return sql`unnest(
    ${ordinals}::bigint[], ${lines}::bigint[], ${unicities}::text[], ${keys}::text[], ${fields}::text[]
  ) as i(ordinal, line, unicity, key, fields)`
}

/** What happens to contacts beside their values, as further parts of a `with` that names them. */
function consequences(effects: Effects, contacts: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const { execution, account, segment, redLists } = effects
  const parts: RawBuilder<unknown>[] = []
  if (segment?.isEmptied) {
    parts.push(sql`, staged as (
      insert into import_members (execution, contact) select ${execution}, id from ${contacts} on conflict do nothing)`)
  } else if (segment) {
    parts.push(sql`, joined as (
      insert into segment_members (account, segment, contact) select ${account}, ${segment.id}, id from ${contacts}
      on conflict do nothing)`)
  }
  if (redLists.length > 0) {
    parts.push(sql`, listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select ${account}, channel, id, ${now}, 2, jsonb_build_object('importId', ${effects.import}::integer)
      from ${contacts}, unnest(${redLists}::text[]) as channel
      on conflict do nothing)`)
  }
  return sql.join(parts, sql` `)
}

/** Notes the keys of a batch with the place of their last line: the first of two passes over the file. */
export async function surveyKeys(tx: Db, { execution }: Effects, { rows: { ordinals, keys } }: Batch): Promise<void> {
  await sql`
    insert into import_keys as k (execution, key, ordinal)
    select ${execution}, i.key, max(i.ordinal)
    from unnest(${ordinals}::bigint[], ${keys}::text[]) as i(ordinal, key) group by i.key
    on conflict (execution, key) do update set ordinal = greatest(k.ordinal, excluded.ordinal)`.execute(tx)
}

/** A batch and what is done with it. */
interface Work {
  effects: Effects
  batch: Batch
}

/** Writes the contacts of a batch, their memberships and red list entries, and the rejects; gives the counts. */
export async function writeBatch(tx: Db, shape: ContactShape, work: Work, writing: Writing): Promise<Counts> {
  const { effects, batch } = work
  const counts = { created: 0, updated: 0, rejected: batch.rejected, duplicates: batch.duplicates, skipped: 0 }
  await storeRejects(tx, effects, batch)
  if (batch.accepted === 0) return counts
  const now = new Date(writing.clock.now())
  const superseded = effects.duplicates === 'last' ? await rejectSuperseded(tx, shape, work) : []
  const others = new Set(superseded)
  const known = (await findKnown(tx, work)).filter((ordinal) => !others.has(ordinal))
  known.push(...(await createContacts(tx, work, [...superseded, ...known], now)))
  await recallCreated(tx, shape, work, writing)
  counts.duplicates += superseded.length
  counts.created = batch.accepted - superseded.length - known.length
  if (known.length === 0) return counts
  const met = await changeContacts(tx, shape, { ...work, known }, now)
  counts.updated = met.updated
  counts.duplicates += met.duplicates
  counts.skipped = known.length - met.updated - met.duplicates
  return counts
}

/** The places of the lines whose contact is there already. */
async function findKnown(tx: Db, { effects, batch: { rows } }: Work): Promise<number[]> {
  const found = await sql<{ ordinal: number }>`
    select i.ordinal from unnest(${rows.ordinals}::bigint[], ${rows.keys}::text[]) as i(ordinal, key)
    join contacts c on c.account = ${effects.account} and c.key = i.key`.execute(tx)
  return found.rows.map(({ ordinal }) => ordinal)
}

const UNIQUE_VIOLATION = '23505'

/**
 * Creates the contacts of all lines but the `passed` ones. Gives the places of those lines whose contact came into
 * being meanwhile: they were not looked for in vain, but a plain insert is a fifth cheaper than one that expects
 * conflicts, which are rare, and so is tried first.
 */
async function createContacts(tx: Db, work: Work, passed: number[], now: Date): Promise<number[]> {
  if (passed.length === work.batch.accepted) return []
  await sql`savepoint creation`.execute(tx)
  try {
    await insertContacts(tx, work, { passed, onConflict: sql`` }, now)
    return []
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    await sql`rollback to savepoint creation`.execute(tx)
    return insertContacts(tx, work, { passed, onConflict: sql`on conflict do nothing` }, now)
  }
}

/** Inserts in the order of keys, as every writer does, so that none wait in a ring; gives the places that conflicted. */
async function insertContacts(
  tx: Db,
  { effects, batch }: Work,
  { passed, onConflict }: { passed: number[]; onConflict: RawBuilder<unknown> },
  now: Date,
): Promise<number[]> {
  const { account, execution } = effects
  const fields = effects.empties ? sql`jsonb_strip_nulls(i.fields::jsonb)` : sql`i.fields::jsonb`
  const { rows } = await sql<{ ordinal: number }>`
    with incoming as materialized (select * from ${incoming(batch)} where i.ordinal <> all(${passed}::bigint[])),
    created as (
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at, created_by_import)
      select ${account}, ${fields}, i.unicity, i.key, decode(md5(i.unicity), 'hex'), ${now}, ${now}, ${execution}
      from incoming i order by i.key collate "C" ${onConflict}
      returning id, key)
    ${consequences(effects, sql`created`, now)}
    select i.ordinal from incoming i where not exists (select from created c where c.key = i.key)`.execute(tx)
  return rows.map(({ ordinal }) => ordinal)
}

/** Puts contacts that the batch created on the red lists their addresses are remembered on. */
async function recallCreated(tx: Db, shape: ContactShape, { effects, batch }: Work, writing: Writing): Promise<void> {
  const { account, execution } = effects
  const memory = await sql`select from red_list_memory where account = ${account} limit 1`.execute(tx)
  if (memory.rows.length === 0) return
  const { rows } = await sql<{ id: number; fields: StoredFields }>`
    select c.id, c.fields from contacts c
    where c.account = ${account} and c.key = any(${batch.rows.keys}::text[])
      and c.created_by_import = ${execution}`.execute(tx)
  await recallRedList(tx, shape, rows, writing.masterKeys)
}

/**
 * Changes the contacts of the known lines, those that were there before the run; a line whose contact the run itself
 * created or met before is a duplicate. A new address clears the bounce flags of the old one.
 */
async function changeContacts(
  tx: Db,
  shape: ContactShape,
  { effects, batch, known }: Work & { known: number[] },
  now: Date,
): Promise<{ updated: number; duplicates: number }> {
  const { account, execution, updateExisting } = effects
  const merged = sql`c.fields || (k.fields::jsonb - ${shape.unicity.map(({ id }) => String(id))}::text[])`
  const fields = effects.empties ? sql`jsonb_strip_nulls(${merged})` : merged
  const isOtherAddress = sql`
    b.account = ${account} and b.contact = u.id
    and lower(u.before ->> b.field::text) is distinct from lower(u.after ->> b.field::text)`
  const isFirst = sql`
    insert into import_keys (execution, key, ordinal)
    select ${execution}, key, ordinal from known where created_by_import is distinct from ${execution}
    on conflict do nothing returning key`
  const { rows } = await sql<{ updated: number; duplicates: number }>`
    with known as materialized (
      select i.*, c.id, c.created_by_import
      from ${incoming(batch)} join contacts c on c.account = ${account} and c.key = i.key
      where i.ordinal = any(${known}::bigint[])),
    met as (${effects.duplicates === 'last' ? sql`select key from known` : isFirst}),
    counted as materialized (select k.* from known k where exists (select from met m where m.key = k.key)),
    updated as (
      update contacts c set fields = ${fields}, updated_at = ${now}
      from counted k where c.account = ${account} and c.id = k.id and ${updateExisting} and ${fields} <> c.fields
      returning c.id, old.fields as before, new.fields as after),
    flags as (delete from bounce_flags b using updated u where ${isOtherAddress}),
    softs as (delete from soft_bounces b using updated u where ${isOtherAddress}),
    doubled as (select k.* from known k where not exists (select from met m where m.key = k.key)),
    rejects as (
      insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
      select ${execution}, d.ordinal, 0, d.line, 'duplicate', ${unicityColumn(shape)}, d.unicity, d.key
      from doubled d where ${effects.duplicates !== 'ignore'})
    ${consequences(effects, sql`counted`, now)}
    select (select count(*) from updated) as updated, (select count(*) from doubled) as duplicates`.execute(tx)
  return rows[0] ?? { updated: 0, duplicates: 0 }
}

/** Lists the lines which a later one of the same key supersedes; gives their places. */
async function rejectSuperseded(tx: Db, shape: ContactShape, { effects, batch }: Work): Promise<number[]> {
  const { execution } = effects
  const { rows } = await sql<{ ordinal: number }>`
    insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
    select ${execution}, i.ordinal, 0, i.line, 'duplicate', ${unicityColumn(shape)}, i.unicity, i.key
    from ${incoming(batch)} join import_keys k on k.execution = ${execution} and k.key = i.key and k.ordinal > i.ordinal
    returning ordinal`.execute(tx)
  return rows.map(({ ordinal }) => ordinal)
}

async function storeRejects(tx: Db, { execution }: Effects, { rejects }: Batch): Promise<void> {
  if (rejects === '[]') return
  await sql`
    insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
    select ${execution}, r.ordinal, r.position, r.line, r.reason, r.column, r.content, r.key
    from json_to_recordset(${rejects}::json)
      as r(ordinal bigint, position integer, line bigint, reason text, "column" text, content text, key text)`.execute(
    tx,
  )
}

/**
 * Makes a segment hold exactly the contacts that the run has met, and forgets what the run noted for itself.
 * Contacts deleted meanwhile are left out.
 */
export async function concludeEffects(tx: Db, { execution, account, segment }: Effects): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  if (segment?.isEmptied) {
    await sql`
      delete from segment_members m where m.account = ${account} and m.segment = ${segment.id}
        and not exists (select from import_members s where s.execution = ${execution} and s.contact = m.contact)`.execute(
      tx,
    )
    await sql`
      insert into segment_members (account, segment, contact)
      select ${account}, ${segment.id}, c.id from import_members s join contacts c on c.account = ${account} and c.id = s.contact
      where s.execution = ${execution} order by c.id for key share of c
      on conflict do nothing`.execute(tx)
  }
  await forgetNotes(tx, execution)
}

/** Forgets what a run noted for itself: it has ended. */
export async function forgetNotes(tx: Db, execution: number): Promise<void> {
  await sql`delete from import_keys where execution = ${execution}`.execute(tx)
  await sql`delete from import_members where execution = ${execution}`.execute(tx)
}
