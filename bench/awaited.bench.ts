import type { Pool } from 'pg'
import { eventually } from '../scripts/demo/client.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const ROWS = 100_000
/** Pairs of imports, after one that is not counted; who is first takes turns. */
const PAIRS = 8
/** Of the contacts, those that a device awaits, in thousandths. */
const AWAITED = 10
const PATIENCE_MS = 10 * 60_000

interface Execution {
  id: number
  state: number
  created: number
  endDate: string
}

/** A service with an application and an import of new contacts. */
interface Stand {
  service: BenchService
  pool: Pool
  app: string
  importId: number
  count: number
}

const addressOf = (run: number, n: number) => `p${n}.${run}@awaited.example`

/** Devices, half of them of contacts that are to come, the others of none that ever comes; or no devices. */
async function prepare({ service: { account }, pool, app, count }: Stand, run: number, awaits: boolean): Promise<void> {
  await pool.query('delete from subscriptions where account = $1', [account])
  // What was imported before would make the later ones slower.
  await pool.query('delete from contacts where account = $1', [account])
  const flag = 'update accounts set awaits_devices = $2, definitions = definitions + 1 where id = $1'
  await pool.query(flag, [account, awaits])
  await pool.query(
    `with made as (
      select gen_random_uuid() as id, gen_random_uuid()::text as token,
        'p' || n * $4::integer || '.' || $3 || case when n % 2 = 0 then '@awaited.example' else '@never.example' end as address
      from generate_series(0, $5::integer - 1) n
    ), stored as (
      insert into subscriptions (account, id, application, provider, token, token_digest, created_at)
      select $1, id, $2, 'firebase', token, substring(sha256(convert_to(token, 'UTF8')) for 16), now() from made
    )
    insert into awaited_subscriptions (account, subscription, hash, awaited_at)
    select $1, id, decode(md5(address), 'hex'), now() from made`,
    [account, app, String(run), Math.floor(1000 / AWAITED), awaits ? (count * AWAITED) / 1000 : 0],
  )
  await pool.query('vacuum analyze contacts, subscriptions, awaited_subscriptions')
}

/** Seconds from the first octet of a file to the end of its import. Throws when it did not attach what it should. */
async function seconds(stand: Stand, run: number, awaits: boolean): Promise<number> {
  await prepare(stand, run, awaits)
  const { service, pool, importId, count } = stand
  const { client, account } = service
  const lines = Array.from({ length: count }, (_, n) => addressOf(run, n))
  const path = `/imports/${importId}/executions`
  const begin = performance.timeOrigin + performance.now()
  const text = `Email\r\n${lines.join('\r\n')}\r\n`
  const { id } = await client.upload<Execution>(path, { name: 'people.csv', text })
  const ended = await eventually('the import', PATIENCE_MS, async () => {
    const present = await client.call<Execution>('GET', `${path}/${id}`)
    return present.state === 0 ? undefined : present
  })
  if (ended.created !== count) throw new Error(`${ended.created} contacts were created`)
  const { rows } = await pool.query<{ attached: number }>(
    'select count(*)::integer as attached from subscriptions where account = $1 and contact is not null',
    [account],
  )
  const expected = awaits ? (count * AWAITED) / 2000 : 0
  if (rows[0]?.attached !== expected) throw new Error(`${rows[0]?.attached} devices were attached, not ${expected}`)
  return (Date.parse(ended.endDate) - begin) / 1000
}

/**
 * Seconds of imports of new contacts into an account whose devices await some of them, against the same into one that awaits
 * nothing, in turns in one run: 3 % more at most.
 */
export const benchmark: Benchmark = async (report, count = ROWS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1 })
  try {
    const { client } = service
    const { id: app } = await client.call<{ id: string }>('POST', '/parameters/applications', { name: 'Orchard' })
    const { id: importId } = await client.call<{ id: number }>('POST', '/imports', { name: 'bench', features: [] })
    const stand: Stand = { service, pool, app, importId, count }
    const pairs: { with: number; without: number }[] = []
    for (let pair = 0; pair <= PAIRS; pair++) {
      const isFirst = pair % 2 === 0
      const first = await seconds(stand, 2 * pair, isFirst)
      const second = await seconds(stand, 2 * pair + 1, !isFirst)
      const [own, bare] = isFirst ? [first, second] : [second, first]
      report(`pair ${pair}: ${own.toFixed(2)} s, without ${bare.toFixed(2)} s${pair === 0 ? ' (warm-up)' : ''}`)
      if (pair > 0) pairs.push({ with: own, without: bare })
    }
    return {
      rows: count,
      rowsPerSecond: Math.round(count / median(pairs.map((one) => one.with))),
      rowsPerSecondWithout: Math.round(count / median(pairs.map((one) => one.without))),
      ratioToWithout: rounded(median(pairs.map((one) => one.with / one.without))),
    }
  } finally {
    await close()
    await service.stop()
  }
}
