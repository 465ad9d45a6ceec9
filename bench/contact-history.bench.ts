import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { formatContactId } from '../src/lib/ids.ts'
import { median, rounded } from './load.ts'
import { loadPastEvents } from './past-events.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const EVENTS = 10_000_000
const READS = 500
const WARM_UP = 100

async function read(url: string, key: string, agent: Agent): Promise<string> {
  const [response] = (await once(get(url, { agent, headers: { 'x-key': key } }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  return (await Array.fromAsync(response.setEncoding('utf8'))).join('')
}

/** The same rows by hand, in the database alone and parsed here. */
async function byHand(pool: DatabasePool, account: number, contact: number): Promise<number> {
  const { rows } = await pool.query({
    name: 'contact',
    text: `select id, at, kind, channel, detail from events where account = $1 and contact = $2
      and classification is null order by at, id`,
    values: [account, contact],
  })
  return rows.length
}

/**
 * The events of one contact, each time of another one, over HTTP on one connection: p50 under 5 ms. Beside it the same
 * select in the database alone.
 */
export const benchmark: Benchmark = async (report, size = EVENTS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const { firstContact, contacts } = await loadPastEvents(pool, service.account, size)
    report(`${size} events of ${contacts} contacts loaded`)
    const times: number[] = []
    const times2: number[] = []
    let events = 0
    for (let n = 0; n < WARM_UP + READS; n++) {
      const contact = firstContact + ((n * 7919) % contacts)
      const started = performance.now()
      const text = await read(`${service.client.url}/targets/${formatContactId(contact)}/events`, service.key, agent)
      const answered = performance.now()
      // The contact is cold for the service, and warm for this: the baseline has the better part.
      const count = await byHand(pool, service.account, contact)
      if (n < WARM_UP) continue
      times.push(answered - started)
      times2.push(performance.now() - answered)
      events += count
      if (JSON.parse(text).length !== count) throw new Error(`contact ${contact} has ${count} events by hand`)
    }
    const sorted = times.toSorted((a, b) => a - b)
    return {
      eventsOfAContact: rounded(events / READS, 1),
      p50Ms: rounded(median(times)),
      p95Ms: rounded(sorted[Math.floor(READS * 0.95)] ?? 0),
      byHandP50Ms: rounded(median(times2)),
    }
  } finally {
    agent.destroy()
    await close()
    await service.stop()
  }
}
