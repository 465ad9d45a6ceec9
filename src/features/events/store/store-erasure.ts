import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { DatabasePool, Db } from '../../../database/connection/connect.ts'
import { withBlockingAdvisoryLock } from '../../../database/locks/advisory-lock.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  awaitReplacedParts,
  type EventErasureTarget,
  fetchStoreRows,
  findStoreContacts,
  findStoreUnicities,
  purgeErasedRows,
  type StoreEventPosition,
} from '../columnar/erasing.ts'
import { transferColumns } from '../columnar/rows.ts'
import { type EventStore, findEventStore } from '../columnar/store.ts'
import { ALL_TARGET_BITS } from '../columnar/tables.ts'
import { copyChangedEvents } from '../columnar-copy/changes.ts'
import { finishEventCopyBatch } from '../columnar-copy/copier.ts'
import { sendEventRows } from '../columnar-copy/sending.ts'
import { buildErasedDetail, removeDetailNames } from '../erasure.ts'
import { EVENT_STORE_LOCK } from './store-state.ts'

/** Rows that are rewritten together. */
const REWRITE_BATCH_SIZE = 20_000
/** Rows that change here while they are rewritten there are taken by the next pass. */
const MAX_PASSES = 10

/** An erasure of old events: what is noted of it until it is carried out. */
export interface HistoryErasure {
  contacts: readonly number[]
  /** Messages to others that named them. */
  stamps: readonly string[]
  /** Only events published since; the others are erased by another. */
  since?: Date | undefined
}

/** Returns those of the given contacts whose events are no longer all in the database itself. Throws `event-history-away`. */
export async function findHistoryContacts(db: Db, account: AccountId, contacts: readonly number[]): Promise<number[]> {
  const store = findEventStore(db)
  return store ? findStoreContacts(store, account, contacts) : []
}

/** The unicities under which such events know contacts. Throws `event-history-away`. */
export async function findHistoryUnicities(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<{ contact: number; name: string }[]> {
  const store = findEventStore(db)
  return store ? findStoreUnicities(store, account, contacts) : []
}

/** Notes an erasure that `eraseEventHistory` is to carry out; from now on nobody is shown what it erases. Undefined: there is no history. */
export async function recordHistoryErasure(
  tx: Db,
  account: AccountId,
  { contacts, stamps, since }: HistoryErasure,
): Promise<number | undefined> {
  if (!findEventStore(tx)) return
  const { rows } = await sql<{ number: number }>`
    insert into event_erasures (account, contacts, stamps, since)
    values (${account}, ${contacts}::bigint[], ${stamps}::uuid[], ${since ?? null}) returning number`.execute(tx)
  return rows[0]?.number
}

/** Adds messages to an erasure that was noted. */
export async function addErasureStamps(
  tx: Db,
  account: AccountId,
  number: number,
  stamps: readonly string[],
): Promise<void> {
  if (stamps.length === 0) return
  await sql`
    update event_erasures set stamps = array(select distinct unnest(stamps || ${stamps}::uuid[]))
    where number = ${number} and account = ${account}`.execute(tx)
}

/**
 * Carries out an erasure that was noted, once nothing is to be erased in the database itself: empties the events that are in no
 * file of the history any more as they were when it returns. `names` are taken out of messages to others. Can be repeated, and be
 * ended at any point. Throws `event-history-away`.
 */
export async function eraseEventHistory(
  { db, pool }: { db: Db; pool: DatabasePool },
  account: AccountId,
  { erasure, names }: { erasure: number; names: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  const store = findEventStore(db)
  if (!store) return
  const { rows } = await sql<{ contacts: number[]; stamps: string[]; since: Date | null }>`
    select array(select c from unnest(contacts) c) as contacts, stamps, since
    from event_erasures where number = ${erasure} and account = ${account}`.execute(db)
  const [erasureRow] = rows
  if (!erasureRow) return
  const { contacts, stamps } = erasureRow
  const since = erasureRow.since?.getTime()
  const emptyChange = sql`phone = null, title = null, detail = ${buildErasedDetail(sql`detail`)}::json`
  const unnameChange = sql`title = null, detail = ${removeDetailNames(sql`detail`, names)}`
  await withBlockingAdvisoryLock(db, EVENT_STORE_LOCK, async () => {
    await finishEventCopyBatch({ db, pool, store })
    const rewriting = { db, pool, store, account, since, signal }
    // The names are known by the contacts' own events: those are emptied last, so that a repetition still finds them.
    const rewrittenTargets = [
      ...(stamps.length === 0 ? [] : [await rewriteEvents(rewriting, { stamps }, unnameChange)]),
      await rewriteEvents(rewriting, { contacts }, emptyChange),
    ]
    await purgeErasedRows(store, account, rewrittenTargets)
  })
  await awaitReplacedParts(store, signal)
  await sql`delete from event_erasures where number = ${erasure} and account = ${account}`.execute(db)
}

interface RewriteContext {
  db: Db
  pool: DatabasePool
  store: EventStore
  account: AccountId
  since: number | undefined
  signal: AbortSignal | undefined
}

/**
 * Gives every event of the store a revision, `revision` or above, that is erased; under the lease. Those that are here too are noted
 * as changed and copied as they are here, where the erasure is committed: so no concurrent change of theirs is lost.
 */
async function rewriteEvents(
  rewriting: RewriteContext,
  erasureTarget: EventErasureTarget,
  change: RawBuilder<unknown>,
): Promise<{ whose: EventErasureTarget; revision: number }> {
  const { db, pool, store, signal } = rewriting
  const revision = await allocateRevision(db)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('create temp table erased_events (like events)')
    for (let pass = 1; (await rewritePass({ ...rewriting, client, revision }, erasureTarget, change)) > 0; pass++) {
      if (pass === MAX_PASSES) throw new Error('events to be erased change continuously')
      const latestNumber = await allocateRevision(db)
      while (await hasPendingNotes(db, latestNumber)) {
        signal?.throwIfAborted()
        await copyChangedEvents({ db, pool, store })
      }
    }
  } finally {
    // The table goes with the connection.
    client.release(true)
  }
  return { whose: erasureTarget, revision }
}

/** Revisions are numbers of notes: one of an erasure is above all that were noted before. */
async function allocateRevision(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('event_changes', 'number')) as number`.execute(db)
  return rows[0]!.number
}

async function hasPendingNotes(db: Db, until: number): Promise<boolean> {
  const { rows } = await sql`
    select from event_changes c, event_store s where c.event <= s.copied_id and c.number < ${until} limit 1`.execute(db)
  return rows.length > 0
}

/** One pass over the events that have no such revision yet; gives how many there were. */
async function rewritePass(
  rewriting: RewriteContext & { client: PoolClient; revision: number },
  erasureTarget: EventErasureTarget,
  change: RawBuilder<unknown>,
): Promise<number> {
  const { db, store, client, account, since, revision, signal } = rewriting
  const changeStatement = sql`update erased_events set ${change}`.compile(db)
  let totalCount = 0
  let lastPosition: StoreEventPosition | undefined
  for (;;) {
    signal?.throwIfAborted()
    await client.query('truncate erased_events')
    const fetchSource = { store, client, into: 'erased_events' }
    const count = await fetchStoreRows(fetchSource, account, {
      whose: erasureTarget,
      since,
      revision,
      after: lastPosition,
      limit: REWRITE_BATCH_SIZE,
    })
    if (count === 0) return totalCount
    const { rows } = await client.query<StoreEventPosition>(`
      select date_part('epoch', at) * 1000 as ms, id from erased_events order by at desc, id desc limit 1`)
    lastPosition = rows[0]
    totalCount += count
    if ((await noteLocalEvents(client)) === count) continue
    await client.query(changeStatement.sql, [...changeStatement.parameters])
    await sendEventRows(client, store, {
      name: `erasure ${revision} ${totalCount}`,
      select: `select ${transferColumns} from (
        select *, ${revision} as revision, 0 as deleted, ${ALL_TARGET_BITS} as targets from erased_events) e`,
    })
  }
}

/** Notes fetched events that are in the database as changed, and leaves the others; gives how many those were. */
async function noteLocalEvents(client: PoolClient): Promise<number> {
  await client.query('analyze erased_events')
  const { rowCount } = await client.query(`
    with here as materialized (
      select e.* from erased_events r join events e on e.id = r.id and e.at = r.at order by e.id for update of e
    ), noted as (
      insert into event_changes (event, at, account, channel, subject, contact, stamp, thread, phone, agent)
      select id, at, account, channel, subject, contact, stamp, thread, phone, agent from here
    ) delete from erased_events r using here h where r.id = h.id`)
  return rowCount ?? 0
}
