import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { DatabasePool } from '../connection/connect.ts'

/** A dumped table; its rows are in the file of its name, in PostgreSQL's text format, compressed with Zstandard. */
export interface TableDump {
  /** With its schema, quoted where need be; so are the columns. */
  table: string
  columns: string[]
  rows: number
  file: string
}

/** The data of a database at one instant, without its schema, which the migrations create. */
export interface DatabaseDump {
  /** Names of the migrations that were applied, in order. */
  migrations: string[]
  tables: TableDump[]
  sequences: { table: string; column: string; value: string }[]
  /** Months (UTC) of which there are events: each has a partition. */
  months: string[]
}

/** The tables of some schemas, without their records of migrations, which the migrations write. */
const TABLES_QUERY = `select format('%I.%I', n.nspname, c.relname) as table, n.nspname || '.' || c.relname as name,
    array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname = any($1::text[]) and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'migrations'
  group by c.oid, n.nspname, c.relname order by c.oid`

const SEQUENCES_QUERY = `select format('%I.%I', n.nspname, c.relname) as table, a.attname as column, q.last_value::text as value
  from pg_sequences q join pg_depend d on d.objid = format('%I.%I', q.schemaname, q.sequencename)::regclass
    and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  join pg_class c on c.oid = d.refobjid join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
  where q.schemaname = any($1::text[]) and q.last_value is not null`

const MONTHS_QUERY = `select to_date(right(c.relname, 7), 'YYYY_MM')::text as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'public.events'::regclass order by 1`

/** Foreign keys between tables. */
const REFERENCES_QUERY = `select conrelid::bigint as of, confrelid::bigint as to from pg_constraint where contype = 'f' and conrelid <> confrelid`

/** Copies may take hours. */
const NO_TIMEOUTS_STATEMENT = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'

/** Runs work in a transaction on a connection of its own; `begin` is the statement that starts it. */
async function inTransactionWithoutTimeouts<T>(
  pool: DatabasePool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(NO_TIMEOUTS_STATEMENT)
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    // The end of the session rolls back what was not committed and discards its settings.
    client.release(true)
  }
}

/** Writes every row of some schemas of a database into a directory, as of one instant, while others go on writing. */
export function dumpDatabase(pool: DatabasePool, directory: string, schemas: readonly string[]): Promise<DatabaseDump> {
  return inTransactionWithoutTimeouts(pool, 'begin isolation level repeatable read read only', async (client) => {
    const migrationRows = await client.query<{ name: string }>('select name from public.migrations order by name')
    const { rows } = await client.query<{ table: string; name: string; columns: string[] }>(TABLES_QUERY, [schemas])
    const tables: TableDump[] = []
    for (const { table, name, columns } of rows) {
      const copyStream = client.query(copyTo(`copy (select ${columns.join(', ')} from ${table}) to stdout`))
      const fileName = `${name}.copy.zst`
      await pipeline(copyStream, createZstdCompress(), createWriteStream(join(directory, fileName)))
      tables.push({ table, columns, rows: copyStream.rowCount, file: fileName })
    }
    // Sequences have no snapshot: read last, they are beyond every row.
    const sequences = (await client.query<DatabaseDump['sequences'][number]>(SEQUENCES_QUERY, [schemas])).rows
    const months = (await client.query<{ month: string }>(MONTHS_QUERY)).rows.map(({ month }) => month)
    return { migrations: migrationRows.rows.map(({ name }) => name), tables, sequences, months }
  })
}

/** Sorts tables so that each comes after those it refers to. */
async function sortByReferences(client: PoolClient, tables: readonly TableDump[]): Promise<TableDump[]> {
  const tableIds = await client.query<{ id: number }>(
    'select name::regclass::bigint as id from unnest($1::text[]) with ordinality as t (name, n) order by n',
    [tables.map(({ table }) => table)],
  )
  const { rows } = await client.query<{ of: number; to: number }>(REFERENCES_QUERY)
  const unsortedTables = new Map(tables.map((table, index) => [tableIds.rows[index]?.id ?? 0, table]))
  const sortedTables: TableDump[] = []
  while (unsortedTables.size > 0) {
    const independentTables = [...unsortedTables].filter(
      ([id]) => !rows.some(({ of, to }) => of === id && unsortedTables.has(to)),
    )
    if (independentTables.length === 0) throw new Error('The foreign keys of the tables form a cycle.')
    for (const [id, table] of independentTables) {
      sortedTables.push(table)
      unsortedTables.delete(id)
    }
  }
  return sortedTables
}

/** Puts the rows of a table's file into it. Throws when they are not as many as were dumped. */
async function loadTable(
  client: PoolClient,
  { table, columns, rows, file }: TableDump,
  directory: string,
): Promise<void> {
  const copyStream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(createReadStream(join(directory, file)), createZstdDecompress(), copyStream)
  if (copyStream.rowCount !== rows) throw new Error(`${file} has ${copyStream.rowCount} rows instead of ${rows}.`)
}

/**
 * Replaces the rows of a database by those of a dump with the same schema, in one transaction. Our triggers are disabled,
 * as what they would write is in the dump. `lastStatement` ends the transaction.
 */
export async function restoreDatabaseDump(
  pool: DatabasePool,
  { tables, sequences, months }: DatabaseDump,
  { directory, lastStatement }: { directory: string; lastStatement: string },
): Promise<void> {
  await inTransactionWithoutTimeouts(pool, 'begin', async (client) => {
    for (const month of months) await client.query('select make_event_partitions($1::timestamptz, 0)', [month])
    const names = tables.map(({ table }) => table)
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of await sortByReferences(client, tables)) await loadTable(client, table, directory)
    await client.query('set constraints all immediate')
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, column, value } of sequences)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [table, column, value])
    await client.query(lastStatement)
  })
}
