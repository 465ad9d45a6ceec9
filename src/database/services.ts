import { type Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import type { DB } from './tables.ts'

/**
 * Parts of a process that belong to a database in addition to its tables: every handle on the database and every transaction has them.
 * Whoever has such a part declares its member here (`declare module`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared where the parts are.
export interface DatabaseServices {}

/** The adapter is what all handles on a database and all transactions share. */
class AdapterWithServices extends PostgresAdapter {
  readonly services: DatabaseServices = {}
}

/** PostgreSQL with a place for the services of a database. */
export class DialectWithServices extends PostgresDialect {
  override createAdapter(): AdapterWithServices {
    return new AdapterWithServices()
  }
}

/** The services of a database; a member is absent when this process has no such part. */
export function getDatabaseServices(db: Kysely<DB>): DatabaseServices {
  return (db.getExecutor().adapter as AdapterWithServices).services
}
