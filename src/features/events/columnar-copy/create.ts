import { OperatorError } from '../../../lib/errors/operator-error.ts'
import { clickHouseSql, int64Param, rawClickHouseSql } from '../columnar/sql.ts'
import type { EventStore } from '../columnar/store.ts'
import { buildStoreMigrations, MIN_CLICKHOUSE_VERSION } from '../columnar/tables.ts'

/** The version of a server, which must be one that is known to do. Throws OperatorError for an older one. */
export async function requireClickHouseVersion(store: EventStore): Promise<string> {
  const [row] = await store.rows<{ version: string }>({
    account: null,
    statement: rawClickHouseSql('select version() as version'),
  })
  const { version = '' } = row ?? {}
  if (isOlderVersion(version, MIN_CLICKHOUSE_VERSION))
    throw new OperatorError(
      `The events store runs ClickHouse ${version}. Version ${MIN_CLICKHOUSE_VERSION} or later is required.`,
    )
  return version
}

function isOlderVersion(version: string, oldest: string): boolean {
  const [versionNumbers, minimumNumbers] = [version, oldest].map((text) => text.split('.').map(Number))
  const [major = 0, minor = 0] = versionNumbers ?? []
  const [leastMajor = 0, leastMinor = 0] = minimumNumbers ?? []
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** Makes the tables that are missing; gives how many steps there were to take. Can be repeated, and be called by several. */
export async function createStoreTables(store: EventStore): Promise<number> {
  await requireClickHouseVersion(store)
  const migrations = buildStoreMigrations(store.cluster)
  const currentVersion = await readStoreTablesVersion(store)
  for (const [index, statements] of migrations.entries()) {
    if (index < currentVersion) continue
    for (const statement of statements) await store.command({ account: null, statement: rawClickHouseSql(statement) })
    const versionStatement = clickHouseSql`insert into events_store_version (version) select ${int64Param(index + 1)}`
    await store.command({ account: null, statement: versionStatement })
  }
  return Math.max(0, migrations.length - currentVersion)
}

/** Returns the version of the tables; 0 if there are none. */
export async function readStoreTablesVersion(store: EventStore): Promise<number> {
  const existsStatement = rawClickHouseSql(
    "select count() as n from system.tables where database = currentDatabase() and name = 'events_store_version'",
  )
  const [tableCount] = await store.rows<{ n: number }>({ account: null, statement: existsStatement })
  if (!tableCount?.n) return 0
  const [row] = await store.rows<{ version: number }>({
    account: null,
    statement: rawClickHouseSql('select max(version) as version from events_store_version'),
  })
  return row?.version ?? 0
}

/** A statement for the rows and bytes that all tables have on disk. */
export const storeSizeStatement = rawClickHouseSql(
  'select sum(rows) as n, sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active',
)
