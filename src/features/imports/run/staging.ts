import { finished } from 'node:stream/promises'
import { Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../../../database/connection/connect.ts'
import { DialectWithServices } from '../../../database/services.ts'
import type { DB } from '../../../database/tables.ts'
import { stagedContactColumns, stagingResultColumns } from '../../contacts/bulk/staged-contacts.ts'

const lineColumns = { ordinal: 'bigint', line: 'bigint' }
const filledColumns = { ...lineColumns, ...stagedContactColumns }
const columnDefinitions = Object.entries({ ...filledColumns, ...stagingResultColumns }).map(
  ([name, type]) => `${name} ${type}`,
)

/** The staging table: the accepted lines of the batch that a transaction writes; empty again at its end. */
export const importStagingTable = sql`incoming`
const CREATE_TABLE_SQL = `create temporary table if not exists incoming (${columnDefinitions.join(', ')}) on commit delete rows`
const filledNames = Object.keys(filledColumns)
const COPY_SQL = {
  marked: `copy pg_temp.incoming (${filledNames.join(', ')}) from stdin`,
  plain: `copy pg_temp.incoming (${filledNames.filter((name) => name !== 'marks').join(', ')}) from stdin`,
}

/** A connection that has a staging table. */
export interface StagingConnection {
  /** Statements and transactions on that connection. */
  db: Db
  /** Puts rows, as `createCopyTextBuilder` writes them, into the table: within a transaction. `hasMarks`: they have that column. */
  fill(rows: Uint8Array, hasMarks: boolean): Promise<void>
  /** Drops the table; the connection stays the caller's. */
  close(): Promise<void>
}

/** Makes a staging table on a connection. */
export async function openStagingConnection(client: PoolClient): Promise<StagingConnection> {
  await client.query(CREATE_TABLE_SQL)
  // COPY is no statement that Kysely could send, so it is given this one connection, which it does not release.
  const singleClient = { query: client.query.bind(client), release: () => undefined }
  const dialect = new DialectWithServices({ pool: { connect: async () => singleClient, end: async () => undefined } })
  return {
    db: new Kysely<DB>({ dialect }),
    async fill(rows, hasMarks) {
      const copyStream = client.query(copyFrom(hasMarks ? COPY_SQL.marked : COPY_SQL.plain))
      copyStream.end(rows)
      await finished(copyStream)
    },
    close: async () => void (await client.query('drop table pg_temp.incoming')),
  }
}
