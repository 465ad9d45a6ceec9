import { type Client, eventually } from '../scripts/demo/client.ts'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { rounded } from './load.ts'
import type { Benchmark, Figures } from './run.ts'
import { startSenders } from './sender-processes.ts'
import { startBenchService } from './service.ts'
import { startSinkProcess } from './sink.ts'
import { watchCampaign } from './watched-campaign.ts'

const RECIPIENTS = 100_000
const [RULES, CAP, SENDS, SENDER_PROCESSES] = [10, 3, 100, 4]
/** Replayed messages for each recipient of the campaign: 1,000,000, of contacts that have got 20 each. */
const [REPLAYED, OF_A_CONTACT] = [10, 20]
const DAY_MS = 24 * 3_600_000
const PATIENCE_MS = 600_000

function limit(count: number, unit: string, value: number, more: object = {}): object {
  return { type: 'limit', count, period: { type: 'rolling', unit, value }, ...more }
}

async function makeRule(client: Client, label: string, expressions: object[]): Promise<void> {
  await client.call('POST', '/marketing/pressure/rules', { label, predicate: { type: 'and', expressions } })
}

/** Rules of three limits that concern every message of the campaign and stop none. */
async function makeRules(client: Client): Promise<void> {
  for (let n = 1; n <= RULES; n++)
    await makeRule(client, `Rule ${n}`, [
      limit(1 + n, 'DAY', 7),
      limit(10 + n, 'WEEK', 4, { channels: ['email'] }),
      limit(5 + n, 'DAY', 1, { purposes: [] }),
    ])
}

/**
 * Messages a second of the same campaign under rules, and without pressure: its members `use` and `increment` false. Each
 * twice, on services of their own, in an order in which a machine that becomes slower or faster favours neither.
 */
async function campaigns(report: (line: string) => void, recipients: number): Promise<Figures> {
  const seconds = { none: 0, rules: 0 }
  for (const kind of ['none', 'rules', 'rules', 'none'] as const) {
    report(kind === 'rules' ? `under ${RULES} rules of 3 limits` : 'without pressure')
    const settings = kind === 'none' ? { mp: { use: false, increment: false } } : {}
    const prepare = async (client: Client) => {
      await makeRules(client)
      return settings
    }
    const { messagesPerSecond } = await watchCampaign(report, recipients, prepare)
    seconds[kind] += recipients / messagesPerSecond
  }
  const rate = (kind: keyof typeof seconds) => Math.round((2 * recipients) / seconds[kind])
  return {
    messagesPerSecond: { none: rate('none'), rules: rate('rules') },
    ratioToNone: rounded(seconds.none / seconds.rules),
  }
}

/** Simultaneous sends to one contact under a cap; gives how many arrived, once all have an outcome. */
async function capped(client: Client, pool: DatabasePool, sent: () => Promise<number>): Promise<number> {
  await client.call('PUT', '/settings/sending', { testRequired: false })
  await makeRule(client, 'A few a week', [limit(CAP, 'DAY', 7)])
  const { id: contact } = await client.call<{ id: string }>('POST', '/targets', { Email: 'ann@pressed.example' })
  const content = { subject: 'Hello', html: '<p>Come in.</p>' }
  const { id } = await client.call<{ id: string }>('POST', '/actions', { type: 'mailMessage', name: 'Sale', content })
  await client.call('POST', `/actions/${id}/validation`, { fortest: false })
  const before = await sent()
  const recipient = { type: 'id', value: contact }
  const one = () => client.call('POST', `/actions/${id}/execution`, { recipient })
  await Promise.all(Array.from({ length: SENDS }, one))
  await eventually('the outcomes', PATIENCE_MS, async () => {
    const { rows } = await pool.query<{ n: number }>('select count(*)::integer as n from sent_messages')
    return rows[0]!.n >= SENDS ? true : undefined
  })
  return (await sent()) - before
}

/** Puts accepted messages of the content that was sent last in place of all others, evenly over the last 90 days. */
async function loadMessages(pool: DatabasePool, count: number): Promise<void> {
  await pool.query(
    `with content as materialized (
      delete from sent_messages returning account, source, version
    ), one as (select * from content limit 1)
    insert into sent_messages (account, stamp, channel, kind, source, version, contact, address, outcome, thread, set,
      stamp_time, ended_at, request, values)
    select o.account, stamp, 'email', 'message', o.source, o.version, n % $2::integer + 1, '', 'accepted', stamp, stamp,
      at, at, '{}', '{}'
    from one o, lateral (
      select n, gen_random_uuid() as stamp, now() - interval '90 days' * (n::float8 / $1) as at
      from generate_series(1, $1::integer) n) m`,
    [count, Math.ceil(count / OF_A_CONTACT)],
  )
  await pool.query('vacuum analyze sent_messages')
}

interface Tried {
  messages: number
  stopped: number
}

/** Tries a rule of three limits out on messages; gives how long that takes, as a job when it is one. */
async function backtest(client: Client, messages: number): Promise<{ seconds: number; stopped: number }> {
  const expressions = [limit(1, 'DAY', 7), limit(3, 'DAY', 30), limit(1, 'DAY', 1, { purposes: [] })]
  const now = Date.now()
  const rule = { label: 'Tried', predicate: { type: 'and', expressions } }
  const started = performance.now()
  const body = { rule, start: now - 91 * DAY_MS, end: now }
  const answer = await client.call<Tried | { id: string }>('POST', '/marketing/pressure/backtest', body)
  const done = async () => {
    if (!('id' in answer)) return answer
    const { state, result } = await client.call<{ state: string; result: Tried }>('GET', `/jobs/${answer.id}`)
    if (state === 'failed') throw new Error('the job failed')
    return state === 'done' ? result : undefined
  }
  const found = await eventually('the backtest', PATIENCE_MS, done)
  const seconds = (performance.now() - started) / 1000
  if (found.messages !== messages) throw new Error(`${found.messages} of ${messages} messages were replayed`)
  return { seconds: rounded(seconds), stopped: found.stopped }
}

/** What needs a service but no campaign. */
async function others(report: (line: string) => void, messages: number): Promise<Figures> {
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1, statementTimeoutMs: 0 })
  try {
    // The service sends itself, too.
    const stopSenders = await startSenders(service, sink.port, SENDER_PROCESSES - 1)
    const capSent = await capped(service.client, pool, async () => (await sink.count()).messages).finally(stopSenders)
    report(`${capSent} of ${SENDS} sent under a cap of ${CAP}`)
    await loadMessages(pool, messages)
    report(`${messages} past messages loaded`)
    const { seconds, stopped } = await backtest(service.client, messages)
    report(`replayed in ${seconds} s`)
    return { capSent, backtestMessages: messages, backtestSeconds: seconds, backtestStopped: stopped }
  } finally {
    await close()
    await service.stop()
    sink.stop()
  }
}

/**
 * Marketing pressure: a campaign to 100,000 contacts under 10 rules of 3 limits beside the same without pressure
 * (`ratioToNone`, at least 0.9); 100 simultaneous sends to one contact under a cap of 3 over 4 sender processes (`capSent`,
 * exactly 3); and a backtest of 1,000,000 messages (`backtestSeconds`, less than 20).
 */
export const benchmark: Benchmark = async (report, recipients = RECIPIENTS) => ({
  recipients,
  ...(await others(report, recipients * REPLAYED)),
  ...(await campaigns(report, recipients)),
})
