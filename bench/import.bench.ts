import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { createFields } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { columns, generateContacts, type Row } from '../scripts/demo/contacts.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const ROWS = 1_000_000
const PATIENCE_MS = 30 * 60_000
/** Ten of the demo's columns: an email unicity, a number, a date, a telephone number, two lists and four texts. */
const header = columns.filter((name) => name !== 'Opt-in')

interface Execution {
  id: number
  state: number
  created: number
  updated: number
  endDate: string
  error: { detail: string } | null
}

/** Writes the file; `change` gives the cells that are not as the demo's generator makes them. */
async function writeFile(path: string, count: number, change: (row: Row) => Partial<Row>): Promise<void> {
  function* lines() {
    yield `${header.join(';')}\r\n`
    for (const row of generateContacts(count)) {
      const cells: Partial<Row> = { ...row, ...change(row) }
      yield `${header.map((name) => cells[name] ?? '').join(';')}\r\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

/** A line of /proc/<pid>/status in MiB: `VmRSS` now, `VmHWM` at most. Threads are part of their process. */
async function memory(pid: number, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
}

/** Uploads a file and runs it. Gives the counts, the seconds from the first byte to the end, and memory before the run. */
async function runImport({ client, key, pid }: BenchService, id: number, path: string) {
  const started = Date.now()
  const sent = await fetch(`${client.url}/imports/${id}/source`, {
    method: 'PUT',
    headers: { 'x-key': key, 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="people.csv"' },
    body: await openAsBlob(path),
  })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  const before = await memory(pid, 'VmRSS')
  const executions = `/imports/${id}/executions`
  const { id: execution } = await client.call<Execution>('POST', executions)
  const ended = await eventually('the import', PATIENCE_MS, async () => {
    const present = await client.call<Execution>('GET', `${executions}/${execution}`)
    return present.state === 0 ? undefined : present
  })
  if (ended.state !== 1) throw new Error(`the import failed: ${ended.error?.detail}`)
  return { ...ended, seconds: (Date.parse(ended.endDate) - started) / 1000, before }
}

const COPIED = 'account, fields, unicity, key, hash, created_at, updated_at'

/** Seconds that COPY takes for the same rows, in the order of the file, into the same table for another account. */
async function copySeconds({ databaseUrl, account }: BenchService, path: string): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const other = await client.query<{ id: number }>(
      `insert into accounts (agency, customer, name) values ('COPY', '001', 'COPY001') returning id`,
    )
    const rows = `select ${other.rows[0]?.id}, fields, unicity, key, hash, created_at, updated_at from contacts
      where account = ${account} order by substring(unicity from '[.]([0-9]+)@')::integer`
    await pipeline(client.query(copyTo(`copy (${rows}) to stdout`)), createWriteStream(path))
    const started = performance.now()
    await pipeline(createReadStream(path), client.query(copyFrom(`copy contacts (${COPIED}) from stdin`)))
    return (performance.now() - started) / 1000
  } finally {
    await client.end()
  }
}

/**
 * Contacts a second of a CSV file of new contacts with ten columns, over HTTP, against COPY of the same rows into the
 * same table: at least half of it. Then of the same file with one value changed in each line. Memory is the service's
 * own, without PostgreSQL; a run takes at most 128 MiB of it.
 */
export const benchmark: Benchmark = async (report, count = ROWS) => {
  const service = await startBenchService()
  try {
    const { client, pid, dataDir } = service
    await createFields(client)
    const { id } = await client.call<{ id: number }>('POST', '/imports', { name: 'bench', features: [] })
    const path = join(dataDir, 'bench')
    await writeFile(path, count, () => ({}))
    const idle = await memory(pid, 'VmRSS')
    const created = await runImport(service, id, path)
    const peak = await memory(pid, 'VmHWM')
    if (created.created !== count) throw new Error(`${created.created} contacts were created`)
    report(`${Math.round(count / created.seconds)} new contacts/s; memory ${idle}, ${created.before}, ${peak} MiB`)
    const copied = await copySeconds(service, path)
    report(`COPY: ${Math.round(count / copied)} rows/s`)
    await writeFile(path, count, ({ Spent }) => ({ Spent: (Number(Spent) + 1).toFixed(2) }))
    const changed = await runImport(service, id, path)
    if (changed.updated !== count) throw new Error(`${changed.updated} contacts were updated`)
    return {
      rows: count,
      rowsPerSecond: Math.round(count / created.seconds),
      copyRowsPerSecond: Math.round(count / copied),
      ratioToCopy: rounded(copied / created.seconds),
      updatesPerSecond: Math.round(count / changed.seconds),
      idleRssMb: idle,
      runRssMb: peak - created.before,
      peakRssMb: peak,
    }
  } finally {
    await service.stop()
  }
}
