import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Db, Pool } from '../../../database/connection/connect.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { attachStore, storeOf } from '../columnar/store.ts'
import { createTables } from '../columnar-copy/create.ts'
import { dropHot, keepStore } from './store-keeping.ts'
import { oldestUncopied } from './store-state.ts'

/** Lets another handle on the same database find its store too; gives that handle. */
export function shareStore(db: Db, other: Db): Db {
  const store = storeOf(db)
  if (store) attachStore(other, store)
  return other
}

/** Copies events to the store, where there is one: a task that is run every second. */
export function storeTasks({ db, pool }: { db: Db; pool: Pool }) {
  const store = storeOf(db)
  if (!store) return []
  let hasTables = false
  const work = async (): Promise<void> => {
    // Those of a newer version, as the store may have been away when this process started.
    if (!hasTables) await createTables(store)
    hasTables = true
    await keepStore({ db, pool, store })
  }
  return [{ name: 'copy events to the store', ms: 1000, work }]
}

/** Frees the database of months that the store has, where there is one. */
export async function dropStored({
  db,
  pool,
  log,
  clock,
}: {
  db: Db
  pool: Pool
  log: Logger
  clock: Clock
}): Promise<void> {
  const store = storeOf(db)
  if (!store) return
  const dropped = await dropHot({ db, pool, store, log }, clock.now())
  if (dropped > 0) log.info({ dropped }, 'months of events are in the events store alone from now on')
}

/** How old the oldest event is that the store does not have, and how many changes it does not; nothing without a store. */
export function registerStoreMetrics(db: Db, registry: Registry): void {
  if (!storeOf(db)) return
  new Gauge({
    name: 'stentor_events_store_oldest_uncopied_seconds',
    help: 'Age of the oldest event that the events store does not have yet',
    registers: [registry],
    async collect() {
      this.set((await oldestUncopied(db)).ageMs / 1000)
    },
  })
  new Gauge({
    name: 'stentor_events_store_uncopied_changes',
    help: 'Changes of events that the events store does not have yet',
    registers: [registry],
    async collect() {
      this.set((await oldestUncopied(db)).changes)
    },
  })
}
