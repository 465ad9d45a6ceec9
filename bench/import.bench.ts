import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { memory, partRates, prepareImport, runImport, writeFile } from './import-run.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const ROWS = 1_000_000
/** Longer files are for how the rate holds: the others are compared at a million. */
const PART = 1_000_000
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
 * own, without PostgreSQL; a run takes at most 128 MiB of it. `rates` has the lines a second of each million (of each tenth
 * of a shorter file), `ratioLastToFirst` that of the last by that of the first: at least 0.7 for 10,000,000 lines.
 */
export const benchmark: Benchmark = async (report, count = ROWS) => {
  const service = await startBenchService()
  try {
    const { pid } = service
    const { id, path } = await prepareImport(service)
    await writeFile(path, count, () => ({}))
    const idle = await memory(pid, 'VmRSS')
    const created = await runImport(service, id, path)
    const peak = await memory(pid, 'VmHWM')
    if (created.created !== count) throw new Error(`${created.created} contacts were created`)
    report(`${Math.round(count / created.seconds)} new contacts/s; memory ${idle}, ${created.before}, ${peak} MiB`)
    const rates = partRates(created.marks, count < 2 * PART ? count / 10 : PART)
    report(`lines/s of each part: ${rates.join(', ')}`)
    const figures = {
      rows: count,
      rowsPerSecond: Math.round(count / created.seconds),
      rates: Object.fromEntries(rates.map((rate, n) => [n + 1, rate])),
      ratioLastToFirst: rounded((rates.at(-1) ?? 0) / (rates[0] ?? 1)),
      idleRssMb: idle,
      runRssMb: peak - created.before,
      peakRssMb: peak,
    }
    if (count > PART) return figures
    const copied = await copySeconds(service, path)
    report(`COPY: ${Math.round(count / copied)} rows/s`)
    await writeFile(path, count, ({ Spent }) => ({ Spent: (Number(Spent) + 1).toFixed(2) }))
    const changed = await runImport(service, id, path)
    if (changed.updated !== count) throw new Error(`${changed.updated} contacts were updated`)
    return {
      ...figures,
      copyRowsPerSecond: Math.round(count / copied),
      ratioToCopy: rounded(copied / created.seconds),
      updatesPerSecond: Math.round(count / changed.seconds),
    }
  } finally {
    await service.stop()
  }
}
