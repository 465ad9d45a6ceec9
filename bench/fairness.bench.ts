import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { validate } from '../scripts/demo/campaign.ts'
import { type Client, connectClient, eventually } from '../scripts/demo/client.ts'
import { type Db, openDatabasePool } from '../src/database/connection/connect.ts'
import {
  createAccount,
  createApiKey,
  parseAccountCode,
  setAccountRateLimit,
} from '../src/features/accounts/accounts.ts'
import { buildCriterionIndexes } from '../src/features/segments/criteria/criterion-indexes.ts'
import { accessRights } from '../src/lib/account.ts'
import { addAccountDefaults } from '../src/service/bootstrap.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { loadReaders } from './readers.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const RECIPIENTS = 100_000
const REQUESTS = 200
/** Between two requests, so that they do not wait for each other. */
const PAUSE_MS = 60

interface TimedSink {
  port: number
  ask(): Promise<{ seen: Record<string, number>; messages: number }>
  stop(): void
}

async function startTimedSink(): Promise<TimedSink> {
  const child = fork(new URL('timed-sink.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    stop: () => child.disconnect(),
    async ask() {
      const answer = once(child, 'message')
      child.send('ask')
      return (await answer)[0] as Awaited<ReturnType<TimedSink['ask']>>
    },
  }
}

/** Another account, with a client of its own. */
async function otherAccount(db: Db, url: string): Promise<Client> {
  const identity = parseAccountCode('OTHR001')
  if (!identity) throw new Error('no account code')
  const account = await createAccount(db, identity, 'Other', (tx, id) => addAccountDefaults(tx, id, new Date()))
  await setAccountRateLimit(db, account, 0, 0)
  const key = randomBytes(24).toString('base64url')
  await createApiKey(db, account, key, { name: 'bench', rights: accessRights, expiresAt: null })
  return connectClient(url, key)
}

/** Validates a message model that is sent on demand; gives its id. */
async function messageModel(client: Client): Promise<string> {
  const { id } = await client.call<{ id: string }>('POST', '/actions', {
    type: 'mailMessage',
    name: 'receipt',
    settings: { purpose: { type: 'service' }, contentFormat: 1 },
    content: {
      headers: { from: { prefix: 'shop', label: 'Shop' } },
      subject: 'Your order',
      html: '<p>Thank you, {{ contact.Email }}.</p>',
    },
  })
  await client.call('POST', `/actions/${id}/validation`, { fortest: true, mediaForTest: 'proof@mail.example' })
  await eventually('the test', 60_000, async () => {
    const { state } = await client.call<{ state: number }>('GET', `/actions/${id}`)
    return state >= 30 && state < 38 ? undefined : true
  })
  await client.call('POST', `/actions/${id}/validation`, { fortest: false })
  return id
}

/** Milliseconds from the request to the address on the wire, of so many messages one after the other, ascending. */
async function latencies(client: Client, action: string, sink: TimedSink, round: string): Promise<number[]> {
  const asked = new Map<string, number>()
  for (let n = 0; n < REQUESTS; n++) {
    const address = `urgent.${round}.${n}@mail.example`
    await client.call('POST', '/targets', { Email: address })
    asked.set(address, Date.now())
    await client.call('POST', `/actions/${action}/execution`, { recipient: { type: 'unicity', value: [address] } })
    await delay(PAUSE_MS)
  }
  const seen = await eventually('the messages', 60_000, async () => {
    const answer = await sink.ask()
    return [...asked.keys()].every((address) => answer.seen[address] !== undefined) ? answer.seen : undefined
  })
  return [...asked].map(([address, at]) => (seen[address] ?? 0) - at).toSorted((a, b) => a - b)
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? 0
}

/**
 * How long messages sent on demand take from the request to the wire while a campaign of another account runs flat out,
 * against the same with nothing else to send: p95 at most twice.
 */
export const benchmark: Benchmark = async (report, recipients = RECIPIENTS) => {
  const sink = await startTimedSink()
  const service = await startBenchService(sink.port)
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const segment = await loadReaders(service, pool, recipients)
    // The service would do so within a minute, beside what is measured.
    await buildCriterionIndexes({ db, pool })
    const campaign = await prepareCampaign(service.client, segment)
    const other = await otherAccount(db, service.client.url)
    const action = await messageModel(other)
    await latencies(other, action, sink, 'warm')
    const idle = await latencies(other, action, sink, 'idle')
    report(`idle: p50 ${percentile(idle, 0.5)} ms, p95 ${percentile(idle, 0.95)} ms`)
    const before = (await sink.ask()).messages
    await validate(service.client, campaign)
    await delay(1000)
    const started = performance.now()
    const busy = await latencies(other, action, sink, 'busy')
    const seconds = (performance.now() - started) / 1000
    const sent = (await sink.ask()).messages - before
    report(
      `beside ${Math.round(sent / seconds)} messages/s: p50 ${percentile(busy, 0.5)} ms, p95 ${percentile(busy, 0.95)} ms`,
    )
    if (sent >= recipients) throw new Error('the campaign ended before the other one: use a larger --size')
    return {
      requests: REQUESTS,
      idleP50Ms: percentile(idle, 0.5),
      idleP95Ms: percentile(idle, 0.95),
      busyP50Ms: percentile(busy, 0.5),
      busyP95Ms: percentile(busy, 0.95),
      urgentP95RatioToIdle: rounded(percentile(busy, 0.95) / percentile(idle, 0.95)),
      bulkPerSecond: Math.round(sent / seconds),
    }
  } finally {
    await close()
    await service.stop()
    sink.stop()
  }
}
