import { type RawBuilder, sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { DEFAULT_ARCHIVE_DAYS } from '../accounts/sending-settings.ts'
import type { ErasedContacts } from '../contacts/records/erased.ts'
import { blankArchiveFrame } from './archive-frames.ts'
import { type ArchiveStore, archivePackName, archivePackTime, type PackByteRange } from './archive-store.ts'

/** Archives that are deleted by one statement. */
const DELETE_BATCH_SIZE = 5000
/** The process that wrote a pack has ended by then, or died. */
const PACK_WRITE_MS = 10 * 60_000
/** A message that was prepared so long ago and waits no more never left. */
const MAX_PENDING_MS = 3600_000

/** The job that wipes; one at a time, as it may have to write a pack again. */
export async function enqueueArchiveWipe(db: Db): Promise<void> {
  await enqueueTask(db, 'archives.wipe', {}, { queue: 'archives', key: 'archives.wipe' })
}

/** Deletes the archives that fulfil a condition on `archives a`; their octets are wiped by a job. Gives how many. */
async function deleteMatchingArchives(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from archives a where ${condition} returning account, pack, start, length),
    wiped as (
      insert into archive_wipes (account, pack, start, length, due_at) select account, pack, start, length, 'epoch' from gone
      on conflict do nothing)
    select count(*)::integer as n from gone`.execute(db)
  return rows[0]?.n ?? 0
}

async function deleteInBatches(db: Db, archiveKeys: RawBuilder<unknown>): Promise<number> {
  let total = 0
  for (let count = DELETE_BATCH_SIZE; count === DELETE_BATCH_SIZE; total += count)
    count = await deleteMatchingArchives(db, sql`(a.account, a.stamp) in (${archiveKeys} limit ${DELETE_BATCH_SIZE})`)
  return total
}

/** Deletes archives past the retention of their account, and those of messages that never left. For a daily task. */
export async function purgeArchives(db: Db, now: number): Promise<void> {
  const purgeTime = new Date(now)
  const expiredArchives = sql`
    select b.account, b.stamp from accounts c join archives b on b.account = c.id and b.sent_at
      <= ${purgeTime}::timestamptz - make_interval(days => coalesce((c.settings #>> '{sending,archiveDays}')::integer, ${DEFAULT_ARCHIVE_DAYS}))`
  const unsentArchives = sql`
    select b.account, b.stamp from archives b where b.sent_at is null and b.made_at < ${new Date(now - MAX_PENDING_MS)}
      and not exists (select from messages m where m.account = b.account and m.stamp = b.stamp)
      and not exists (select from sliced_message(b.account, b.stamp))`
  const deletedCount = (await deleteInBatches(db, expiredArchives)) + (await deleteInBatches(db, unsentArchives))
  if (deletedCount > 0) await enqueueArchiveWipe(db)
}

/** Returns those of the given contacts that have stored archives. */
export async function findContactsWithArchives(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from unnest(${contacts}::bigint[]) as c(contact)
    where exists (select from archives a where a.account = ${account} and a.contact = c.contact)`.execute(db)
  return rows.map(({ contact }) => contact)
}

/** Deletes the archives of messages to contacts, and of those to others that name them. */
export async function eraseArchives(tx: Db, account: AccountId, { contacts, names }: ErasedContacts): Promise<void> {
  const recipientIds = [...contacts.map(String), ...names.map(({ name }) => name)]
  const deletedCount = await deleteMatchingArchives(
    tx,
    sql`(a.account, a.stamp) in (
      select account, stamp from archives where account = ${account} and contact = any(${contacts}::bigint[])
      union
      select account, stamp from archives where account = ${account} and named <> '{}'
        and named && (select array_agg(lower(n)) from unnest(${recipientIds}::text[]) n))`,
  )
  if (deletedCount > 0) await enqueueArchiveWipe(tx)
}

interface DueWipe {
  account: number
  pack: string
  parts: PackByteRange[]
  /** True if other messages of the pack are still retained. */
  isWanted: boolean
}

async function listDueWipes(db: Db, now: Date): Promise<DueWipe[]> {
  const { rows } = await sql<DueWipe>`
    select account, pack, json_agg(json_build_object('start', start, 'length', length)) as parts,
      exists (select from archives a where a.pack = w.pack) as "isWanted"
    from archive_wipes w where pack in (select pack from archive_wipes where due_at <= ${now} order by due_at limit 100)
    group by account, pack`.execute(db)
  return rows
}

async function wipePackBytes(store: ArchiveStore, { account, pack, parts, isWanted }: DueWipe): Promise<void> {
  const name = archivePackName(account, pack)
  if (!isWanted) return store.remove(name)
  await store.overwrite(
    name,
    parts.map(({ start, length }) => ({ start, bytes: blankArchiveFrame(length) })),
  )
}

/**
 * Wipes archives that are no longer required. A young pack is checked again later, because it may not have been written yet. Packs are
 * wiped one at a time: an object is read, changed and written again. `signal` ends the work between two packs.
 */
export async function wipeArchives(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  store: ArchiveStore,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const now = clock.now()
    const dueWipes = await listDueWipes(db, new Date(now))
    if (dueWipes.length === 0) return
    for (const dueWipe of dueWipes) {
      signal?.throwIfAborted()
      await wipePackBytes(store, dueWipe)
      await inTransaction(db, (tx) => completeWipe(tx, dueWipe, now))
    }
  }
}

async function completeWipe(tx: Db, { pack, parts }: DueWipe, now: number): Promise<void> {
  const settledAt = archivePackTime(pack) + PACK_WRITE_MS
  const packParts = sql`pack = ${pack}::uuid and start = any(${parts.map(({ start }) => start)}::integer[])`
  if (settledAt <= now) await sql`delete from archive_wipes where ${packParts}`.execute(tx)
  else await sql`update archive_wipes set due_at = ${new Date(settledAt)} where ${packParts}`.execute(tx)
}

/** Asks for the job when something is to be wiped. For a task of every minute. */
export async function requestArchiveWipe(db: Db, now: number): Promise<void> {
  const { rows } = await sql`select from archive_wipes where due_at <= ${new Date(now)} limit 1`.execute(db)
  if (rows.length > 0) await enqueueArchiveWipe(db)
}
