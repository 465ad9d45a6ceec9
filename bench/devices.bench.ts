import { fork } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readConfig } from '../src/config.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import type { BareSubscription } from './bare-subscription.ts'
import { median, rounded } from './load.ts'
import type { RawLoad, RawResult } from './raw-load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

/** Devices put by each side in each round: half of them new, half with a new token. */
const DEVICES = 5000
const ROUNDS = 4
const CONNECTIONS = 32
/** The baseline has as many connections to the database as the program. */
const POOL = readConfig({}).databasePool

function child(file: string, args: string[] = []) {
  const process = fork(new URL(file, import.meta.url), args)
  return {
    stop: () => process.disconnect(),
    /** Gives work to the process; how many of `count` things a second it did. */
    async rate(count: number, work: RawLoad | BareSubscription[]): Promise<number> {
      const answer = once(process, 'message')
      process.send(work)
      const [result] = (await answer) as [RawResult]
      if ('error' in result) throw new Error(`not answered with 200: ${result.error}`)
      return (count * 1000) / result.milliseconds
    },
  }
}

function newToken(): Pick<BareSubscription, 'token' | 'digest'> {
  const token = randomBytes(80).toString('base64url')
  return { token, digest: createHash('sha256').update(token).digest('hex').slice(0, 32) }
}

/** As many rows again, every second one of a device that is known. */
function nextRows(known: readonly BareSubscription[], count: number): BareSubscription[] {
  return Array.from({ length: count }, (_, n) => {
    const id = n % 2 === 0 ? randomUUID() : (known[n]?.id ?? randomUUID())
    return { id, ...newToken() }
  })
}

/**
 * Puts of subscriptions a second over HTTP by the device route on 32 connections, half of them new and half with a new
 * token, against a bare upsert of such rows on as many connections as the program has to its database. At least 0.5.
 */
export const benchmark: Benchmark = async (report, size = DEVICES) => {
  // Read by the service that is started: one address puts them all.
  for (const name of ['DEVICES_PER_ADDRESS', 'NEW_DEVICES']) process.env[`STENTOR_${name}`] = '1000000'
  const service = await startBenchService()
  const { client, account, databaseUrl } = service
  const { pool, close } = openDatabasePool(databaseUrl, { max: 1 })
  const load = child('raw-load.ts')
  const [ours, theirs] = await Promise.all(
    ['ours', 'theirs'].map((name) => client.call<{ id: string }>('POST', '/parameters/applications', { name })),
  )
  const bare = child('bare-subscription.ts', [databaseUrl, String(account), theirs!.id, String(POOL)])
  try {
    const { rows } = await pool.query<{ path: string }>(
      `select '/api/v1.0/' || agency || '/' || customer || '/subscriptions' as path from accounts where id = $1`,
      [account],
    )
    const head = `PUT ${rows[0]!.path} HTTP/1.1\r\nhost: stentor\r\ncontent-type: application/json`
    const port = Number(new URL(client.url).port)
    const rates: { ours: number; bare: number }[] = []
    let [mine, others] = [nextRows([], size), nextRows([], size)]
    for (let round = 0; round <= ROUNDS; round++) {
      const bodies = mine.map(({ id, token }) =>
        JSON.stringify({ id, application: ours!.id, gateway: { type: 'firebase', token } }),
      )
      const rate = await load.rate(size, { port, connections: CONNECTIONS, head, bodies })
      const bareRate = await bare.rate(size, others)
      report(
        `round ${round}: ${Math.round(rate)} puts/s, bare ${Math.round(bareRate)}${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (round > 0) rates.push({ ours: rate, bare: bareRate })
      ;[mine, others] = [nextRows(mine, size), nextRows(others, size)]
    }
    return {
      putsPerSecond: Math.round(median(rates.map((one) => one.ours))),
      upsertsPerSecond: Math.round(median(rates.map((one) => one.bare))),
      ratioToUpsert: rounded(median(rates.map((one) => one.ours / one.bare))),
    }
  } finally {
    load.stop()
    bare.stop()
    await close()
    await service.stop()
  }
}
