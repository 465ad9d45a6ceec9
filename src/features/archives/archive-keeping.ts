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
const AT_ONCE = 5000
/** The process that wrote a pack has ended by then, or died. */
const WRITTEN_MS = 10 * 60_000
/** A message that was prepared so long ago and waits no more never left. */
const PENDING_MS = 3600_000

/** The job that wipes; one at a time, as it may have to write a pack again. */
export async function enqueueArchiveWipe(db: Db): Promise<void> {
  await enqueueTask(db, 'archives.wipe', {}, { queue: 'archives', key: 'archives.wipe' })
}

/** Deletes the archives that fulfil a condition on `archives a`; their octets are wiped by a job. Gives how many. */
async function deleteArchives(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from archives a where ${condition} returning account, pack, start, length),
    wiped as (
      insert into archive_wipes (account, pack, start, length, due_at) select account, pack, start, length, 'epoch' from gone
      on conflict do nothing)
    select count(*)::integer as n from gone`.execute(db)
  return rows[0]?.n ?? 0
}

async function forgetAll(db: Db, chosen: RawBuilder<unknown>): Promise<number> {
  let total = 0
  for (let count = AT_ONCE; count === AT_ONCE; total += count)
    count = await deleteArchives(db, sql`(a.account, a.stamp) in (${chosen} limit ${AT_ONCE})`)
  return total
}

/** Deletes archives past the retention of their account, and those of messages that never left. For a daily task. */
export async function purgeArchives(db: Db, now: number): Promise<void> {
  const present = new Date(now)
  const old = sql`
    select b.account, b.stamp from accounts c join archives b on b.account = c.id and b.sent_at
      <= ${present}::timestamptz - make_interval(days => coalesce((c.settings #>> '{sending,archiveDays}')::integer, ${DEFAULT_ARCHIVE_DAYS}))`
  const stray = sql`
    select b.account, b.stamp from archives b where b.sent_at is null and b.made_at < ${new Date(now - PENDING_MS)}
      and not exists (select from messages m where m.account = b.account and m.stamp = b.stamp)
      and not exists (select from sliced_message(b.account, b.stamp))`
  const deleted = (await forgetAll(db, old)) + (await forgetAll(db, stray))
  if (deleted > 0) await enqueueArchiveWipe(db)
}

/** Of these contacts, those that archives are kept of. */
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
  const named = [...contacts.map(String), ...names.map(({ name }) => name)]
  const deleted = await deleteArchives(
    tx,
    sql`(a.account, a.stamp) in (
      select account, stamp from archives where account = ${account} and contact = any(${contacts}::bigint[])
      union
      select account, stamp from archives where account = ${account} and named <> '{}'
        and named && (select array_agg(lower(n)) from unnest(${named}::text[]) n))`,
  )
  if (deleted > 0) await enqueueArchiveWipe(tx)
}

interface Wiped {
  account: number
  pack: string
  parts: PackByteRange[]
  /** Whether other messages of the pack are still kept. */
  isWanted: boolean
}

async function duePacks(db: Db, now: Date): Promise<Wiped[]> {
  const { rows } = await sql<Wiped>`
    select account, pack, json_agg(json_build_object('start', start, 'length', length)) as parts,
      exists (select from archives a where a.pack = w.pack) as "isWanted"
    from archive_wipes w where pack in (select pack from archive_wipes where due_at <= ${now} order by due_at limit 100)
    group by account, pack`.execute(db)
  return rows
}

async function wipePack(store: ArchiveStore, { account, pack, parts, isWanted }: Wiped): Promise<void> {
  const name = archivePackName(account, pack)
  if (!isWanted) return store.remove(name)
  await store.overwrite(
    name,
    parts.map(({ start, length }) => ({ start, bytes: blankArchiveFrame(length) })),
  )
}

/**
 * Wipes what is no more wanted. A young pack is looked at once more, as it may not have been written yet. One at a time:
 * an object is read, changed and written again. `signal` ends it between two packs.
 */
export async function wipeArchives(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  store: ArchiveStore,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const now = clock.now()
    const packs = await duePacks(db, new Date(now))
    if (packs.length === 0) return
    for (const wiped of packs) {
      signal?.throwIfAborted()
      await wipePack(store, wiped)
      await inTransaction(db, (tx) => settle(tx, wiped, now))
    }
  }
}

async function settle(tx: Db, { pack, parts }: Wiped, now: number): Promise<void> {
  const settledAt = archivePackTime(pack) + WRITTEN_MS
  const own = sql`pack = ${pack}::uuid and start = any(${parts.map(({ start }) => start)}::integer[])`
  if (settledAt <= now) await sql`delete from archive_wipes where ${own}`.execute(tx)
  else await sql`update archive_wipes set due_at = ${new Date(settledAt)} where ${own}`.execute(tx)
}

/** Asks for the job when something is to be wiped. For a task of every minute. */
export async function requestArchiveWipe(db: Db, now: number): Promise<void> {
  const { rows } = await sql`select from archive_wipes where due_at <= ${new Date(now)} limit 1`.execute(db)
  if (rows.length > 0) await enqueueArchiveWipe(db)
}
