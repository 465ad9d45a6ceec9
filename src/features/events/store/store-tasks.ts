import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { DatabasePool, Db } from '../../../database/connection/connect.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { attachEventStore, findEventStore } from '../columnar/store.ts'
import { createStoreTables } from '../columnar-copy/create.ts'
import { copyToEventStore, dropCopiedMonths } from './store-keeping.ts'
import { readStoreCopyLag } from './store-state.ts'

/** Lets another handle on the same database find its store too; gives that handle. */
export function shareEventStore(db: Db, targetDb: Db): Db {
  const store = findEventStore(db)
  if (store) attachEventStore(targetDb, store)
  return targetDb
}

/** Copies events to the store, where there is one: a task that is run every second. */
export function createEventStoreTasks({ db, pool }: { db: Db; pool: DatabasePool }) {
  const store = findEventStore(db)
  if (!store) return []
  let hasTables = false
  const runCopyTask = async (): Promise<void> => {
    // Those of a newer version, as the store may have been away when this process started.
    if (!hasTables) await createStoreTables(store)
    hasTables = true
    await copyToEventStore({ db, pool, store })
  }
  return [{ name: 'copy events to the store', ms: 1000, work: runCopyTask }]
}

/** Frees the database of months that the store has, where there is one. */
export async function dropStoredMonths({
  db,
  pool,
  log,
  clock,
}: {
  db: Db
  pool: DatabasePool
  log: Logger
  clock: Clock
}): Promise<void> {
  const store = findEventStore(db)
  if (!store) return
  const droppedCount = await dropCopiedMonths({ db, pool, store, log }, clock.now())
  if (droppedCount > 0) log.info({ dropped: droppedCount }, 'months of events now only in events store')
}

/**
 * Registers the age of the oldest event that the store does not have, and the number of changes it does not have; nothing without a store.
 */
export function registerEventStoreMetrics(db: Db, registry: Registry): void {
  if (!findEventStore(db)) return
  new Gauge({
    name: 'stentor_events_store_oldest_uncopied_seconds',
    help: 'Age of the oldest event that the events store does not have yet',
    registers: [registry],
    async collect() {
      this.set((await readStoreCopyLag(db)).ageMs / 1000)
    },
  })
  new Gauge({
    name: 'stentor_events_store_uncopied_changes',
    help: 'Changes of events that the events store does not have yet',
    registers: [registry],
    async collect() {
      this.set((await readStoreCopyLag(db)).changes)
    },
  })
}
