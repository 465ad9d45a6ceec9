import { randomInt } from 'node:crypto'
import { type ControlledTransaction, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { type RowQuery, type RowStreamOptions, streamRows } from '../../../database/rows/stream.ts'
import type { DB } from '../../../database/tables.ts'
import { readOlderEventLines } from '../columnar/find.ts'
import { type EventStore, findEventStore, isEventStoreAway } from '../columnar/store.ts'
import type { EventReadScope } from './older-wanted.ts'

/*
 * For statements that join events with other tables. They read what is given to them here instead of the table: the table itself where
 * it has all they want, else its newer events together with older ones, which are put into a table of the transaction.
 */

/**
 * Events that a statement reads, or a function that determines them; it is called if those before an instant in milliseconds are only in
 * the store.
 */
export type EventReadPlan = readonly EventReadScope[] | ((tx: Db, until: number) => Promise<readonly EventReadScope[]>)

/** SQLSTATE of a statement that took too long. */
const QUERY_CANCELED = '57014'

const eventsTable = sql`events`
const olderTable = sql`pg_temp.older_events`

const eventColumns = sql`id, at, account, channel, kind, subject, contact, stamp, thread, subscription, phone, agent, title, classification,
  is_test, depth, activation_at, detail`

/** Returns true if older events cannot be read now. Work that needs them must be repeated later. */
export const isEventHistoryAway = isEventStoreAway

/** Lets a statement read events in a transaction: `work` is given the table that it is to read. Throws `event-history-away`. */
export function withEventTable<T>(
  db: Db,
  readPlan: EventReadPlan,
  work: (tx: Db, events: RawBuilder<unknown>) => Promise<T>,
): Promise<T> {
  if (!findEventStore(db)) return work(db, eventsTable)
  return inTransaction(db, async (tx) => work(tx, await prepareEventTable(tx, readPlan)))
}

/** The rows of a statement that reads events, through a cursor. Throws `event-history-away`. */
export async function* readEventRows<Row>(
  db: Db,
  readPlan: EventReadPlan,
  query: (events: RawBuilder<unknown>) => RowQuery<Row>,
  options: RowStreamOptions = {},
): AsyncGenerator<Row, void> {
  if (!findEventStore(db)) return yield* streamRows(db, query(eventsTable), options)
  if (db.isTransaction) return yield* streamRows(db, query(await prepareEventTable(db, readPlan)), options)
  const tx = await db.startTransaction().execute()
  try {
    yield* streamRows(tx, query(await prepareEventTable(tx, readPlan)), options)
  } finally {
    await tx.rollback().execute()
  }
}

/** Begins a transaction that reads one state and writes nothing, in which `prepareEventTable` can be called. */
export async function openEventSnapshot(db: Db): Promise<ControlledTransaction<DB>> {
  const tx = await db.startTransaction().execute()
  try {
    await enterEventSnapshot(tx)
    return tx
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}

/** Lets a transaction that has just begun read one state and write nothing; `prepareEventTable` can be called in it. */
export async function enterEventSnapshot(tx: Db): Promise<void> {
  if (!findEventStore(tx))
    return void (await sql`set transaction isolation level repeatable read, read only`.execute(tx))
  await sql`set transaction isolation level repeatable read`.execute(tx)
  await createOlderTable(tx)
  await sql`set transaction read only`.execute(tx)
}

/** The table that a statement of this transaction is to read for the events that it wants. Throws `event-history-away`. */
export async function prepareEventTable(tx: Db, readPlan: EventReadPlan): Promise<RawBuilder<unknown>> {
  const store = findEventStore(tx)
  if (!store) return eventsTable
  const positionRows = await sql<StorePosition>`
    select round(date_part('epoch', border) * 1000) as border, to_regclass('pg_temp.older_events') is not null as "hasRoom",
      (date_part('epoch', current_setting('statement_timeout')::interval) * 1000)::integer as "limitMs"
    from event_store`.execute(tx)
  const storePosition = positionRows.rows[0]
  if (!storePosition || storePosition.border === Number.NEGATIVE_INFINITY) return eventsTable
  const readScopes = typeof readPlan === 'function' ? await readPlan(tx, storePosition.border) : readPlan
  const olderScopes = readScopes.filter(
    (readScope) =>
      (readScope.since ?? Number.NEGATIVE_INFINITY) <
      Math.min(storePosition.border, readScope.until ?? storePosition.border),
  )
  const readingNumber =
    olderScopes.length === 0
      ? undefined
      : await loadOlderEvents(tx, store, { place: storePosition, asked: olderScopes })
  if (readingNumber === undefined) return selectNewerEvents(storePosition)
  return sql`(select ${eventColumns}, xmin from events where at >= ${new Date(storePosition.border)}
    union all select ${eventColumns}, null::xid from ${olderTable} where reading = ${readingNumber})`
}

/** Position of the store's border and limits of the transaction, as of one statement: all later steps use them. */
interface StorePosition {
  border: number
  hasRoom: boolean
  limitMs: number
}

const selectNewerEvents = ({ border }: StorePosition): RawBuilder<unknown> =>
  sql`(select ${eventColumns}, xmin from events where at >= ${new Date(border)})`

/** The table for older events, which goes with the transaction. Several readings have their rows in it. */
async function createOlderTable(tx: Db): Promise<void> {
  await sql`create temporary table older_events (like events, reading integer not null) on commit drop`.execute(tx)
  await sql`create unique index on ${olderTable} (reading, id)`.execute(tx)
  await sql`create index on ${olderTable} (reading, stamp, kind)`.execute(tx)
}

/** Puts what is wanted of the store into the table; gives under which number, undefined when there is nothing. */
async function loadOlderEvents(
  tx: Db,
  store: EventStore,
  { place, asked: olderScopes }: { place: StorePosition; asked: readonly EventReadScope[] },
): Promise<number | undefined> {
  const deadline = place.limitMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + place.limitMs
  const readingNumber = randomInt(2 ** 31)
  let count = 0
  for (const [account, accountScopes] of Map.groupBy(olderScopes, (readScope) => readScope.account)) {
    for await (const lines of readOlderEventLines(store, { account, wanted: accountScopes, until: place.border })) {
      // As long as the statement might take that reads them itself.
      if (performance.now() > deadline) throw createTimeoutError()
      if (count === 0 && !place.hasRoom) await createOlderTable(tx)
      count += lines.length
      await insertLines(tx, readingNumber, lines)
    }
  }
  if (count === 0) return undefined
  await sql`analyze ${olderTable}`.execute(tx)
  return readingNumber
}

function createTimeoutError(): Error {
  const message = 'canceling statement due to statement timeout'
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: QUERY_CANCELED })
}

/** Text is put into the parameter as it came: nothing of it is parsed here. */
async function insertLines(tx: Db, readingNumber: number, lines: readonly string[]): Promise<void> {
  await sql`
    insert into ${olderTable} (${eventColumns}, reading)
    select id, to_timestamp(at / 1000.0), account, channel, kind, subject, contact, stamp, thread, subscription, phone, agent, title,
      classification, is_test = 1, depth, to_timestamp(activation_at / 1000.0), detail::json, ${readingNumber}
    from json_to_recordset(${`[${lines.join(',')}]`}::json) as r (id uuid, at bigint, account integer, channel text, kind text,
      subject integer, contact bigint, stamp uuid, thread uuid, subscription uuid, phone text, agent text, title text, classification text,
      is_test integer, depth smallint, activation_at bigint, detail text)
    on conflict do nothing`.execute(tx)
}
