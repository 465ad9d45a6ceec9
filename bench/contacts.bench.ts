import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { createFields } from '../scripts/demo/campaign.ts'
import { generateContacts, type Row } from '../scripts/demo/contacts.ts'
import { readConfig } from '../src/config.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import type { BareWrite, StoredRow } from './bare-write.ts'
import { median, rounded } from './load.ts'
import type { RawLoad, RawResult } from './raw-load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

/** Contacts written by each side in each round. */
const CONTACTS = 5000
const ROUNDS = 4
const CONNECTIONS = 32
/** The baseline has as many connections to the database as the program. */
const POOL = readConfig({}).databasePool

/** Both sides of a comparison, in writes a second. */
interface Rates {
  ours: number
  bare: number
}

function startChild(file: string, args: string[] = []) {
  const child: ChildProcess = fork(new URL(file, import.meta.url), args)
  return {
    stop: () => child.disconnect(),
    /** Gives work to the process; how many of `count` things a second it did. */
    async rate(count: number, work: RawLoad | BareWrite): Promise<number> {
      const answer = once(child, 'message')
      child.send(work)
      const [result] = (await answer) as [RawResult]
      if ('error' in result) throw new Error(`not answered with 200: ${result.error}`)
      return (count * 1000) / result.milliseconds
    },
  }
}

/** The flat map of a contact: what is empty stays out. */
function body(row: Row, spent: number): string {
  const given = { ...row, Tastes: row.Tastes.split('|').filter((label) => label !== ''), Spent: spent }
  return JSON.stringify(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
}

/** What the service stored, as the baseline is to store it. */
async function storedRows(pool: pg.Pool): Promise<StoredRow[]> {
  const { rows } = await pool.query<StoredRow>('select fields::text, unicity, key from contacts order by id')
  return rows
}

/** Takes the contacts away, and puts every second one back as it was before the service changed it. */
async function putBack(pool: pg.Pool, account: number, rows: readonly StoredRow[]): Promise<void> {
  const half = rows.filter((_, n) => n % 2 === 0)
  await pool.query('delete from contacts')
  await pool.query(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     select $1, n.fields, n.unicity, n.key, decode(md5(n.unicity), 'hex'), now(), now()
     from unnest($2::jsonb[], $3::text[], $4::text[]) as n(fields, unicity, key)`,
    [account, half.map(({ fields }) => fields), half.map(({ unicity }) => unicity), half.map(({ key }) => key)],
  )
  await pool.query('vacuum analyze contacts')
}

interface Sides {
  service: BenchService
  pool: pg.Pool
  load: ReturnType<typeof startChild>
  bare: ReturnType<typeof startChild>
}

/** One round: the service writes the contacts, then the baseline the very rows it stored, from the same beginning. */
async function compare(
  { service, pool, load, bare }: Sides,
  { method, bodies, known }: { method: 'POST' | 'PUT'; bodies: readonly string[]; known: readonly StoredRow[] },
): Promise<Rates & { stored: StoredRow[] }> {
  await putBack(pool, service.account, known)
  const { port } = new URL(service.client.url)
  const head = `${method} /targets HTTP/1.1\r\nhost: stentor\r\nx-key: ${service.key}\r\ncontent-type: application/json`
  const ours = await load.rate(bodies.length, { port: Number(port), connections: CONNECTIONS, head, bodies })
  const stored = await storedRows(pool)
  await putBack(pool, service.account, known)
  return { ours, bare: await bare.rate(bodies.length, { update: method === 'PUT', rows: stored }), stored }
}

function figures(rates: readonly Rates[], name: string): Record<string, number> {
  return {
    [`${name}.perSecond`]: Math.round(median(rates.map(({ ours }) => ours))),
    [`${name}.insertsPerSecond`]: Math.round(median(rates.map(({ bare }) => bare))),
    [`${name}.ratioToInsert`]: rounded(median(rates.map(({ ours, bare }) => ours / bare))),
  }
}

/**
 * Creates and upserts (half of them of known contacts) of eleven fields a second over HTTP on 32 connections, against a
 * bare `insert ... on conflict` of the same rows on as many connections as the program has to its database. At least 0.5 each.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1 })
  const load = startChild('raw-load.ts')
  const bare = startChild('bare-write.ts', [service.databaseUrl, String(service.account), String(POOL)])
  try {
    await createFields(service.client)
    const contacts = [...generateContacts(size)]
    const bodies = contacts.map((row) => body(row, 12.5))
    const changes = contacts.map((row) => body(row, 13.5))
    const creates: Rates[] = []
    const upserts: Rates[] = []
    const sides = { service, pool, load, bare }
    for (let round = 0; round <= ROUNDS; round++) {
      const created = await compare(sides, { method: 'POST', bodies, known: [] })
      const upserted = await compare(sides, { method: 'PUT', bodies: changes, known: created.stored })
      const line = [created, upserted].map(({ ours, bare }) => `${Math.round(ours)} against ${Math.round(bare)}`)
      report(`round ${round}: ${line[0]} creates/s, ${line[1]} upserts/s${round === 0 ? ' (warm-up)' : ''}`)
      if (round === 0) continue
      creates.push(created)
      upserts.push(upserted)
    }
    return {
      httpConnections: CONNECTIONS,
      insertConnections: POOL,
      ...figures(creates, 'creates'),
      ...figures(upserts, 'upserts'),
    }
  } finally {
    load.stop()
    bare.stop()
    await close()
    await service.stop()
  }
}
