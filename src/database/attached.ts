import type { Db } from './connection/connect.ts'

/**
 * Something that belongs to a database beside its tables, such as a store of old events: every handle on it, and every
 * transaction, finds it. Their adapter is the one thing that all of them share.
 */
export function attachToDatabase(db: Db, key: symbol, part: object): void {
  Object.assign(db.getExecutor().adapter, { [key]: part })
}

/** What was attached under a key; undefined when nothing was. */
export function findDatabaseAttachment<T extends object>(db: Db, key: symbol): T | undefined {
  return (db.getExecutor().adapter as object as { [name: symbol]: unknown })[key] as T | undefined
}
