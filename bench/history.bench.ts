import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { sql } from 'kysely'
import { type Db, openDatabasePool } from '../src/database/connection/connect.ts'
import { formatActionId } from '../src/lib/ids.ts'
import { median, rounded } from './load.ts'
import { loadPastEvents } from './past-events.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const EVENTS = 10_000_000
const ROUNDS = 3
const BATCH = 500
const NEWLINE = 10

interface Streamed {
  count: number
  firstByteMs: number
  seconds: number
}

/** A whole list of events over HTTP. Records are separated by line breaks, which no record holds. */
async function stream(url: string, key: string): Promise<Streamed> {
  const { promise, resolve, reject } = Promise.withResolvers<Streamed>()
  const started = performance.now()
  get(url, { headers: { 'x-key': key } }, (response) => {
    let [count, firstByteMs] = [1, 0]
    response.on('data', (chunk: Buffer) => {
      firstByteMs ||= performance.now() - started
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
    })
    response.on('error', reject)
    response.on('end', () => resolve({ count, firstByteMs, seconds: (performance.now() - started) / 1000 }))
  }).on('error', reject)
  return promise
}

/** Seconds that the same select takes through a cursor here, in batches: parsed, and not serialised again. */
async function cursorSeconds(db: Db, account: number, action: number): Promise<number> {
  const query = sql`
    select id, at, kind, channel, detail from events
    where account = ${account} and channel = 'email' and subject = ${action} and classification is null order by at, id`
  const started = performance.now()
  for await (const _batch of db.getExecutor().stream(query.compile(db), BATCH));
  return (performance.now() - started) / 1000
}

/** A line of /proc/<pid>/status in MiB: `VmRSS` now, `VmHWM` at most. */
async function memory(pid: number, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
}

/**
 * The whole history of an action that has a tenth of all events, over HTTP: first byte within 100 ms, 100,000 events a
 * second, at least half as fast as the same select through a cursor. Memory is the service's own, without PostgreSQL.
 */
export const benchmark: Benchmark = async (report, size = EVENTS) => {
  const service = await startBenchService()
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const started = performance.now()
    const { action } = await loadPastEvents(pool, service.account, size)
    report(`${size} events loaded in ${Math.round((performance.now() - started) / 1000)} s`)
    const idle = await memory(service.pid, 'VmRSS')
    const url = `${service.client.url}/actions/${formatActionId(action)}/events?sort=asc`
    const [rates, firsts, ratios]: number[][] = [[], [], []]
    let events = 0
    for (let round = 0; round <= ROUNDS; round++) {
      const { count, seconds, firstByteMs } = await stream(url, service.key)
      const cursor = await cursorSeconds(db, service.account, action)
      report(
        `round ${round}: ${Math.round(count / seconds)} events/s, first byte ${firstByteMs.toFixed(1)} ms, cursor ${Math.round(count / cursor)} events/s${round === 0 ? ' (warm-up)' : ''}`,
      )
      events = count
      if (round === 0) continue
      rates?.push(count / seconds)
      firsts?.push(firstByteMs)
      ratios?.push(cursor / seconds)
    }
    return {
      events,
      firstByteMs: rounded(median(firsts ?? []), 1),
      eventsPerSecond: Math.round(median(rates ?? [])),
      ratioToCursor: rounded(median(ratios ?? [])),
      idleRssMb: idle,
      peakRssMb: await memory(service.pid, 'VmHWM'),
    }
  } finally {
    await close()
    await service.stop()
  }
}
