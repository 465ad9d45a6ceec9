import { finished } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../../database/connect.ts'
import type { DB } from '../../database/tables.ts'

/**
 * The accepted lines of the batch that a transaction writes; empty again at its end. `known`: the contact that was there
 * before, and `creator` the run that created it; `is_created`: the line's own contact came into being by this batch,
 * where that had to be noted.
 */
const TABLE = `
  create temporary table if not exists incoming (
    ordinal bigint, line bigint, unicity text collate "C", key text collate "C", fields jsonb,
    known bigint, creator integer, is_created boolean not null default false
  ) on commit delete rows`
const COPY = 'copy pg_temp.incoming (ordinal, line, unicity, key, fields) from stdin'

/** The way of a run's lines into the database: a connection that has a table `incoming`. */
export interface Intake {
  /** Statements and transactions on that connection. */
  db: Db
  /** Puts rows, as `copyText` writes them, into `incoming`: within a transaction. */
  fill(rows: Uint8Array): Promise<void>
  /** Takes the table away; the connection stays the caller's. */
  close(): Promise<void>
}

/** Makes a connection the intake of a run. */
export async function openIntake(client: PoolClient): Promise<Intake> {
  await client.query(TABLE)
  // COPY is no statement that Kysely could send, so it is given this one connection, which it does not release.
  const alone = { query: client.query.bind(client), release: () => undefined }
  const dialect = new PostgresDialect({ pool: { connect: async () => alone, end: async () => undefined } })
  return {
    db: new Kysely<DB>({ dialect }),
    async fill(rows) {
      const stream = client.query(copyFrom(COPY))
      stream.end(rows)
      await finished(stream)
    },
    close: async () => void (await client.query('drop table pg_temp.incoming')),
  }
}
