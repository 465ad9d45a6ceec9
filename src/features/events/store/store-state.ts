import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { EventStore } from '../columnar/store.ts'
import { createStoreTables } from '../columnar-copy/create.ts'

/** The advisory lock of the one that writes to the store. */
export const EVENT_STORE_LOCK = 'events store'

/** State of a store. Instants in milliseconds; -Infinity: nothing yet. */
export interface EventStoreState {
  /** Events before are in the store. */
  copiedUntil: number
  /** Events before are read there alone. */
  border: number
  /** Events before are not here any more. */
  droppedUntil: number
  /** Notes of changes that the store does not have yet. */
  changes: number
}

/** Makes the tables of a store, and notes that there is one: events are copied from then on. Can be repeated. */
export async function createEventStore(db: Db, store: EventStore): Promise<number> {
  const stepCount = await createStoreTables(store)
  await sql`insert into event_store default values on conflict do nothing`.execute(db)
  return stepCount
}

const selectMilliseconds = (column: string) => sql`date_part('epoch', ${sql.ref(column)}) * 1000`

/** Returns the state of a database's store; `undefined` if it has none. */
export async function readEventStoreState(db: Db): Promise<EventStoreState | undefined> {
  const { rows } = await sql<EventStoreState>`
    select ${selectMilliseconds('copied_until')} as "copiedUntil", ${selectMilliseconds('border')} as border, ${selectMilliseconds('dropped_until')} as "droppedUntil",
      (select count(*) from event_changes) as changes
    from event_store`.execute(db)
  return rows[0]
}

/** Returns the age of the oldest event that the store of a database does not have, in milliseconds; 0 if it has all. */
export async function readStoreCopyLag(db: Db): Promise<{ ageMs: number; changes: number }> {
  const { rows } = await sql<{ ageMs: number; changes: number }>`
    select greatest(0, date_part('epoch', clock_timestamp() - least(
        (select at from events where s.copied_id is null or id > s.copied_id order by id limit 1),
        (select min(at) from event_changes where event <= s.copied_id))) * 1000) as "ageMs",
      (select count(*) from event_changes) as changes
    from event_store s`.execute(db)
  return { ageMs: rows[0]?.ageMs ?? 0, changes: rows[0]?.changes ?? 0 }
}

/** Returns the start of the events read from PostgreSQL, in milliseconds; -Infinity if all are. */
export async function readStoreBorder(db: Db): Promise<number> {
  const { rows } = await sql<{
    border: number
  }>`select ${selectMilliseconds('border')} as border from event_store`.execute(db)
  return rows[0]?.border ?? Number.NEGATIVE_INFINITY
}

/**
 * Moves the border as far as an instant (milliseconds) where everything before it is in the store and final: all of it copied, no
 * change that is not, no hit that may still be settled, no reaction that waits for its activation, all of it counted, and none of it to
 * be counted again. Gives where the border is.
 */
export async function advanceStoreBorder(db: Db, until: number, { counted: isCounted = true } = {}): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ border: number }>`
      with possible as (
        select least(${new Date(until)}::timestamptz, s.copied_until, (select min(at) from event_changes),
          (select min(at) from unsettled_hits), (select min(at) from early_reactions)
          ${isCounted ? sql`, (select least(counted_until, days_until) from event_counting), (select min(start) from stale_event_counts)` : sql``}) as border
        from event_store s)
      update event_store s set border = greatest(s.border, p.border)
      from possible p returning ${selectMilliseconds('s.border')} as border`.execute(tx)
    return rows[0]?.border ?? Number.NEGATIVE_INFINITY
  })
}
