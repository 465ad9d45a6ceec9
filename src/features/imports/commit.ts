import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { isAddressType, type RedListName } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { recallRedList, redListNotices } from '../contacts/red-list-memory.ts'
import type { ContactShape } from '../contacts/shape.ts'
import type { Writing } from '../contacts/write.ts'
import type { StoredFields } from '../fields/identity.ts'
import { type NoticeType, noticesFrom } from '../notices/notices.ts'
import { membershipNotices } from '../segments/membership-notices.ts'
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
  redLists: RedListName[]
}

/** How the lines of a batch are counted. Their sum is their number. */
export interface Counts {
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
}

/** What a run does, and whom to tell of it. */
interface Asked {
  effects: Effects
  listening: Listening
}

/** The change notices that somebody listens to. */
type Listening = ContactShape['listening']

/** A further part of a `with` that tells of the rows of another one, a select of contact and data; none while nobody listens. */
function told(
  listening: Listening,
  account: AccountId,
  type: NoticeType,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!listening.has(type)) return sql``
  return sql`, ${sql.id(`told ${type}`)} as (${noticesFrom(account, type, rows)})`
}

/** What happens to contacts beside their values, as further parts of a `with` that names them. */
function consequences({ effects, listening }: Asked, contacts: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const { execution, account, segment, redLists } = effects
  const parts: RawBuilder<unknown>[] = []
  if (segment?.isEmptied) {
    parts.push(sql`, staged as (
      insert into import_members (execution, contact) select ${execution}, id from ${contacts} on conflict do nothing)`)
  } else if (segment) {
    parts.push(sql`, joined as (
      insert into segment_members (account, segment, contact) select ${account}, ${segment.id}, id from ${contacts}
      on conflict do nothing returning contact)`)
    const entered = sql`select contact, jsonb_build_object('segment', ${segment.id}::integer) as data from joined`
    parts.push(told(listening, account, 'segment.entered', entered))
  }
  if (redLists.length > 0) {
    parts.push(sql`, listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select ${account}, channel, id, ${now}, 2, jsonb_build_object('importId', ${effects.import}::integer)
      from ${contacts}, unnest(${redLists}::text[]) as channel
      on conflict do nothing returning *)`)
    if (listening.has('target.redlisted')) parts.push(sql`, ${redListNotices(account, sql`select * from listed`)}`)
  }
  return sql.join(parts, sql` `)
}

/** Notes the keys of the lines that came in with the place of their last one: the first of two passes over the file. */
export async function surveyKeys(tx: Db, { execution }: Effects): Promise<void> {
  await sql`
    insert into import_keys as k (execution, key, ordinal)
    select ${execution}, i.key, max(i.ordinal) from incoming i group by i.key
    on conflict (execution, key) do update set ordinal = greatest(k.ordinal, excluded.ordinal)`.execute(tx)
}

/** A batch whose accepted lines stand in `incoming`, and what is done with it. */
interface Work {
  effects: Effects
  batch: Batch
  /** Set where hardly any of its contacts is there already, as none of the batch before was: they are not looked for. */
  isNew: boolean
}

/**
 * Writes the contacts of a batch, their memberships and red list entries, and the rejects. Gives the counts, and whether
 * none of the contacts was there before.
 */
export async function writeBatch(
  tx: Db,
  shape: ContactShape,
  work: Work,
  writing: Writing,
): Promise<{ counts: Counts; isNew: boolean }> {
  const { effects, batch } = work
  const counts = { created: 0, updated: 0, rejected: batch.rejected, duplicates: batch.duplicates, skipped: 0 }
  await storeRejects(tx, effects, batch)
  if (batch.accepted === 0) return { counts, isNew: work.isNew }
  const now = new Date(writing.clock.now())
  const superseded = effects.duplicates === 'last' ? await rejectSuperseded(tx, shape, effects) : 0
  counts.created = await createContacts(tx, { ...work, listening: shape.listening }, now)
  await recallCreated(tx, shape, writing)
  counts.duplicates += superseded
  const known = batch.accepted - superseded - counts.created
  if (known === 0) return { counts, isNew: true }
  const met = await changeContacts(tx, shape, effects, now)
  counts.updated = met.updated
  counts.duplicates += met.duplicates
  counts.skipped = known - met.updated - met.duplicates
  return { counts, isNew: false }
}

/**
 * Notes of the lines whose contact is there already which one it is, and the run that created it. Asked of each line by
 * itself, so that the planner, who has no statistics of the lines, cannot think of reading all contacts instead.
 */
async function findKnown(tx: Db, { account }: Effects): Promise<void> {
  await sql`
    update incoming i set (known, creator) = (
      select c.id, c.created_by_import from contacts c where c.account = ${account} and c.key = i.key)
    where i.known is null and not i.is_created`.execute(tx)
}

const UNIQUE_VIOLATION = '23505'

/**
 * Creates the contacts of the lines that are not known, and gives their number. A plain insert is a fifth cheaper than
 * one that expects conflicts, and looking for contacts costs as much again: the dearer ways are gone when the cheaper
 * one has failed, because somebody created a contact meanwhile.
 */
async function createContacts(tx: Db, { effects, listening, isNew }: Asked & Work, now: Date): Promise<number> {
  const asked = { effects, listening }
  if (!isNew) await findKnown(tx, effects)
  await sql`savepoint creation`.execute(tx)
  try {
    return await insertContacts(tx, asked, { onConflict: sql``, marked: sql`` }, now)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    await sql`rollback to savepoint creation`.execute(tx)
  }
  await findKnown(tx, effects)
  const marked = sql`, marked as (update incoming i set is_created = true from created c where i.key = c.key)`
  const created = await insertContacts(tx, asked, { onConflict: sql`on conflict do nothing`, marked }, now)
  await findKnown(tx, effects)
  return created
}

/** Inserts in the order of keys, as every writer does, so that none wait in a ring. */
async function insertContacts(
  tx: Db,
  asked: Asked,
  { onConflict, marked }: { onConflict: RawBuilder<unknown>; marked: RawBuilder<unknown> },
  now: Date,
): Promise<number> {
  const { effects, listening } = asked
  const { account, execution } = effects
  const isTold = sql`select id as contact, '{}'::jsonb as data from created`
  const fields = effects.empties ? sql`jsonb_strip_nulls(i.fields)` : sql`i.fields`
  const { rows } = await sql<{ created: number }>`
    with created as (
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at, created_by_import)
      select ${account}, ${fields}, i.unicity, i.key, decode(md5(i.unicity), 'hex'), ${now}, ${now}, ${execution}
      from incoming i where i.known is null order by i.key ${onConflict}
      returning id, key)
    ${marked} ${told(listening, account, 'target.created', isTold)} ${consequences(asked, sql`created`, now)}
    select count(*) as created from created`.execute(tx)
  return rows[0]?.created ?? 0
}

/** Puts contacts that the batch created on the red lists their addresses are remembered on. */
async function recallCreated(tx: Db, shape: ContactShape, writing: Writing): Promise<void> {
  const { account } = shape
  const memory = await sql`select from red_list_memory where account = ${account} limit 1`.execute(tx)
  if (memory.rows.length === 0) return
  const { rows } = await sql<{ id: number; fields: StoredFields }>`
    select c.id, c.fields from incoming i cross join lateral (
      select id, fields from contacts where account = ${account} and key = i.key limit 1) c
    where i.known is null`.execute(tx)
  await recallRedList(tx, shape, rows, writing.masterKeys)
}

/**
 * Does with the contacts of the known lines, those that were there before the run, what the run does; a line whose
 * contact the run itself created or met before is a duplicate.
 */
async function changeContacts(
  tx: Db,
  shape: ContactShape,
  effects: Effects,
  now: Date,
): Promise<{ updated: number; duplicates: number }> {
  // Where the last line counts, the others are gone by now.
  const duplicates = effects.duplicates === 'last' ? 0 : await rejectMet(tx, shape, effects)
  const updated = effects.updateExisting ? await updateContacts(tx, shape, effects, now) : 0
  // Contacts deleted meanwhile are left out.
  await sql`
    with met as (
      select c.id from incoming i cross join lateral (
        select id from contacts where account = ${effects.account} and id = i.known for key share) c)
    ${consequences({ effects, listening: shape.listening }, sql`met`, now)} select`.execute(tx)
  return { updated, duplicates }
}

/** Notes the contacts that the run meets for the first time; lists the other known lines, and takes them out. */
async function rejectMet(tx: Db, shape: ContactShape, { execution, duplicates }: Effects): Promise<number> {
  const { rows } = await sql<{ doubled: number }>`
    with met as (
      insert into import_keys (execution, key, ordinal)
      select ${execution}, i.key, i.ordinal from incoming i
      where i.known is not null and i.creator is distinct from ${execution}
      on conflict do nothing returning ordinal),
    doubled as (
      delete from incoming i where i.known is not null and not exists (select from met m where m.ordinal = i.ordinal)
      returning i.ordinal, i.line, i.unicity, i.key),
    rejects as (
      insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
      select ${execution}, d.ordinal, 0, d.line, 'duplicate', ${unicityColumn(shape)}, d.unicity, d.key
      from doubled d where ${duplicates !== 'ignore'})
    select count(*) as doubled from doubled`.execute(tx)
  return rows[0]?.doubled ?? 0
}

/** Changes the contacts of the known lines that hold other values. A new address clears the bounces of the old one. */
async function updateContacts(tx: Db, shape: ContactShape, { account, empties }: Effects, now: Date): Promise<number> {
  const merged = sql`c.fields || (i.fields - ${shape.unicity.map(({ id }) => String(id))}::text[])`
  const fields = empties ? sql`jsonb_strip_nulls(${merged})` : merged
  const addresses = shape.fields.filter(({ type }) => isAddressType(type)).map(({ id }) => id)
  const isMoved = sql`b.account = ${account} and b.contact = m.id and b.field = m.field`
  const changedFields = sql`
    select id as contact, jsonb_build_object('fields', (
      select jsonb_agg(k::integer order by k::integer)
      from (select jsonb_object_keys(before) union select jsonb_object_keys(after)) as keys(k)
      where before -> k is distinct from after -> k)) as data
    from updated`
  await joinByIndex(tx, true)
  const { rows } = await sql<{ updated: number }>`
    with updated as (
      update contacts c set fields = ${fields}, updated_at = ${now}
      from incoming i where c.account = ${account} and c.id = i.known and ${fields} <> c.fields
      returning c.id, old.fields as before, new.fields as after),
    moved as (
      select u.id, a.field from updated u cross join unnest(${addresses}::integer[]) as a(field)
      where lower(u.before ->> a.field::text) is distinct from lower(u.after ->> a.field::text)),
    flags as (delete from bounce_flags b using moved m where ${isMoved}),
    softs as (delete from soft_bounces b using moved m where ${isMoved})
    ${told(shape.listening, account, 'target.updated', changedFields)}
    select count(*) as updated from updated`.execute(tx)
  await joinByIndex(tx, false)
  return rows[0]?.updated ?? 0
}

/** Some thousand contacts are always sooner found one by one than by reading all, whatever the planner believes. */
async function joinByIndex(tx: Db, isOnly: boolean): Promise<void> {
  const others = isOnly ? 'off' : 'on'
  await sql`
    select set_config('enable_hashjoin', ${others}, true), set_config('enable_mergejoin', ${others}, true)`.execute(tx)
}

/** Lists the lines which a later one of the same key supersedes, and takes them out; gives their number. */
async function rejectSuperseded(tx: Db, shape: ContactShape, { execution }: Effects): Promise<number> {
  const { numAffectedRows } = await sql`
    with superseded as (
      delete from incoming i using import_keys k
      where k.execution = ${execution} and k.key = i.key and k.ordinal > i.ordinal
      returning i.*)
    insert into import_rejects (execution, ordinal, position, line, reason, column_name, content, key)
    select ${execution}, s.ordinal, 0, s.line, 'duplicate', ${unicityColumn(shape)}, s.unicity, s.key
    from superseded s`.execute(tx)
  return Number(numAffectedRows)
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
      with moved as (
        delete from segment_members m where m.account = ${account} and m.segment = ${segment.id}
          and not exists (select from import_members s where s.execution = ${execution} and s.contact = m.contact)
        returning contact),
      ${membershipNotices(account, 'segment.left', segment.id)} select`.execute(tx)
    await sql`
      with moved as (
        insert into segment_members (account, segment, contact)
        select ${account}, ${segment.id}, c.id from import_members s join contacts c on c.account = ${account} and c.id = s.contact
        where s.execution = ${execution} order by c.id for key share of c
        on conflict do nothing returning contact),
      ${membershipNotices(account, 'segment.entered', segment.id)} select`.execute(tx)
  }
  await forgetNotes(tx, execution)
}

/** Forgets what a run noted for itself: it has ended. */
export async function forgetNotes(tx: Db, execution: number): Promise<void> {
  await sql`delete from import_keys where execution = ${execution}`.execute(tx)
  await sql`delete from import_members where execution = ${execution}`.execute(tx)
}
