import type { Db } from './connection/connect.ts'

/**
 * Attaches something that belongs to a database in addition to its tables, such as a store of old events: every handle on the database and
 * every transaction finds it. They all share the adapter.
 */
export function attachToDatabase(db: Db, key: symbol, part: object): void {
  Object.assign(db.getExecutor().adapter, { [key]: part })
}

/** The part attached under a key; undefined if there is none. */
export function findDatabaseAttachment<T extends object>(db: Db, key: symbol): T | undefined {
  return (db.getExecutor().adapter as object as { [name: symbol]: unknown })[key] as T | undefined
}
