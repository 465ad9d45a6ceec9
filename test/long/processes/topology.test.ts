import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { processRoles } from '../../../src/config.ts'
import { openEventStore } from '../../../src/features/events/columnar/store.ts'
import { findDifferingDays } from '../../../src/features/events/columnar-copy/verify.ts'
import { advanceStoreBorder, readEventStoreState } from '../../../src/features/events/store/store-state.ts'
import { parseEventStoreUrl } from '../../../src/lib/net/event-store-url.ts'
import { engineIsMissing, startEngine } from '../../fakes/column-store/columnar-engine.ts'
import { deliver } from '../../fakes/mail/mail-client.ts'
import { type SinkMessage, startSink } from '../../fakes/mail/smtp-sink.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { type Player, startTopology, type Topology } from '../../support/stages/topology.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 3000
/** Of the import that runs meanwhile. */
const LINES = 8_000
/** What is visited and bounced, of the messages that the sink takes: some from first to last, while processes die. */
const VISITED = 300
const BOUNCED = 50
/** How long the sink keeps each reply, so that the campaign lasts while processes die. */
const REPLY_MS = 50

const nameOf = (n: number): string => `p${n}@topology.example`

/** What went wrong and is in order: its process was killed meanwhile. */
const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined)

async function importFile({ players }: Topology, contacts: string[], through: number): Promise<string> {
  const { call } = players.api[through]!
  const { id } = await call('POST', '/imports', { name: `by ${through}` })
  const run = await call('POST', `/imports/${id}/executions`, `Email\n${contacts.join('\n')}\n`, 'text/csv')
  return `/imports/${id}/executions/${run.id}`
}

/** Of one run, by whichever process of the interface is up. */
async function ask({ players }: Topology, path: string) {
  return (await orNothing(players.api[0]!.call('GET', path))) ?? players.api[1]!.call('GET', path)
}

const ended = (topology: Topology, path: string, signal: AbortSignal) =>
  eventually(async () => {
    const run = await ask(topology, path)
    return run.state !== 0 && run
  }, signal)

async function startCampaign({ players }: Topology): Promise<string> {
  const { call } = players.api[1]!
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello', html: '<html><body><a href="https://shop.example/a">Come in</a></body></html>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  return id
}

/** The paths of the pixel and the link of a message. */
function pathsOf({ bytes }: SinkMessage): string[] {
  const text = bytes.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return [...text.matchAll(/https:\/\/stentor\.example(\/t\/[or]\/[\w.~-]+)/g)].map(([, path = '']) => path)
}

const agentOf = (n: number): string => `Mozilla/5.0 (X11; Linux x86_64; n:${n}) Firefox/140.0`

/** Whether a hit was answered as it is when it is recorded. */
function visit(url: string, agent: Agent, n: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const sent = request(url, { agent, headers: { 'user-agent': agentOf(n) }, timeout: 10_000 }, (response) => {
    response.on('error', () => resolve(false))
    response.resume().on('end', () => resolve(response.statusCode === 200 || response.statusCode === 302))
  })
  sent.on('error', () => resolve(false)).on('timeout', () => sent.destroy())
  sent.end()
  return promise
}

/** Follows what comes in, by both machines in turn; gives the numbers of the hits that were answered. */
async function visitAll({ players }: Topology, arrived: readonly SinkMessage[], signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const answered = new Set<number>()
  let n = 0
  for (let place = 0; place < VISITED; place++) {
    const message = await eventually(() => arrived[place * 8], signal)
    for (const path of pathsOf(message)) {
      n++
      if (await visit(players.tracking[n % 2]!.url + path, agent, n)) answered.add(n)
    }
  }
  agent.destroy()
  return { asked: n, answered }
}

const report = [
  'From: MAILER-DAEMON@relay.example',
  'Subject: Undelivered Mail Returned to Sender',
  '',
  '<other@mailbox.example>: host mx.mailbox.example said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
  '',
].join('\r\n')

/** Returns some messages, again by the other machine until they are taken, as mail servers do. */
async function bounceAll({ players }: Topology, arrived: readonly SinkMessage[], signal: AbortSignal) {
  const bounced: string[] = []
  for (let place = 0; place < BOUNCED; place++) {
    const { from, to } = await eventually(() => arrived[place * 50 + 3], signal)
    let turn = place
    await eventually(async () => {
      const answer = await deliver(players.inbound[turn++ % 2]!.mailPort, from, report)
      return answer.startsWith('250')
    }, signal)
    bounced.push(to[0] ?? '')
  }
  return bounced
}

/** Reads histories by both processes of the interface until it is told to stop; what they answer must be whole. */
async function readOn({ players }: Topology, action: string, isOver: () => boolean): Promise<number> {
  let reads = 0
  while (!isOver()) {
    for (const { ask } of players.api) {
      const events = await orNothing(
        ask('GET', `/actions/${action}/events/activations`).then((answer) => answer.json() as Promise<Event[]>),
      )
      if (events === undefined) continue
      const ids = events.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, 'no event is twice in a list')
      reads++
    }
    await delay(500)
  }
  return reads
}

/** Kills one process of each role, each as the sink has taken so many messages, and starts it again. */
async function killOneOfEach(
  { players }: Topology,
  arrived: readonly SinkMessage[],
  { random, signal }: { random: () => number; signal: AbortSignal },
): Promise<string[]> {
  const plan = processRoles.map((role) => ({
    victim: players[role][random() < 0.5 ? 0 : 1]!,
    at: Math.floor((0.05 + 0.8 * random()) * CONTACTS),
  }))
  const deaths = plan.map(async ({ victim, at }) => {
    await eventually(() => arrived.length >= at, signal)
    await victim.kill()
    await victim.start()
    return `${victim.role} ${victim.machine} at ${at}`
  })
  return Promise.all(deaths)
}

interface Event {
  id: string
  source: { detail: { activation: { stamp: { id: string } }; hit: { userAgent: string } } }
}

/** A list of events as both processes of the interface give it: the same. */
async function events({ players }: Topology, path: string): Promise<Event[]> {
  const [one, two] = await Promise.all(
    players.api.map(async ({ ask }) => (await (await ask('GET', path)).json()) as Event[]),
  )
  assert.deepEqual(one, two, `both machines answer ${path} alike`)
  return one ?? []
}

/** Decides of what is held, as somebody who can ask the receiver: what arrived is dropped, the rest is sent. */
async function settle(topology: Topology, got: ReadonlySet<string>): Promise<{ held: number; dropped: string[] }> {
  const [{ call }] = topology.players.api as [Player]
  const held = await call<{ message: string; contact: string }[]>('GET', '/settings/sending/held')
  const { rows } = await topology.database.pool.query<{ stamp: string; email: string }>(
    `select m.stamp, c.key as email from messages m join contacts c on c.id = m.contact where m.state = 'held'`,
  )
  assert.deepEqual(held.map(({ message }) => message).sort(), rows.map(({ stamp }) => stamp).sort())
  const { true: arrived = [], false: lost = [] } = Object.groupBy(rows, ({ email }) => String(got.has(email)))
  for (const [decision, own] of [
    ['drop', arrived],
    ['send', lost],
  ] as const) {
    if (own.length === 0) continue
    const body = { decision, messages: own.map(({ stamp }) => stamp) }
    assert.deepEqual(await call('POST', '/settings/sending/held/release', body), { messages: own.length })
  }
  return { held: held.length, dropped: arrived.map(({ email }) => email) }
}

/** The events store, where there is one, has what the database has; lists that it answers are those that the database answered. */
async function compareStore(
  topology: Topology,
  storeUrl: string,
  { paths, signal }: { paths: string[]; signal: AbortSignal },
) {
  const { db, pool } = topology.database
  const store = openEventStore(parseEventStoreUrl(storeUrl), 35)
  const now = Date.now()
  await eventually(async () => ((await readEventStoreState(db))?.copiedUntil ?? 0) > now, signal)
  assert.deepEqual(await findDifferingDays({ pool, store }, { from: Number.NEGATIVE_INFINITY, until: now }), [])
  const here = await Promise.all(paths.map((path) => events(topology, path)))
  assert.ok((await advanceStoreBorder(db, now, { counted: false })) > now - 3_600_000)
  const stored = await Promise.all(paths.map((path) => events(topology, path)))
  assert.deepEqual(stored, here)
  await store.close()
}

test('with two of each role on two machines and one of each killed, nothing is lost or duplicated', async (t) => {
  const { signal } = t
  const random = seededRun(t)
  const arrived: SinkMessage[] = []
  const sink = await startSink({
    keep: 'pass',
    onMessage: (message) => arrived.push(message),
    replyAfterMs: () => REPLY_MS,
  })
  t.after(() => sink.close())
  const engine = (await engineIsMissing()) === undefined ? await startEngine() : undefined
  t.after(() => engine?.stop())
  const topology = await startTopology(t, {
    settings: { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&connections=5` },
    storeUrl: engine?.url,
  })
  const { database, dataDirs } = topology

  const audience = Array.from({ length: CONTACTS }, (_, n) => nameOf(n))
  const first = await ended(topology, await importFile(topology, audience, 0), signal)
  assert.deepEqual([first.state, first.created], [1, CONTACTS])

  const action = await startCampaign(topology)
  await eventually(() => arrived.length > 20, signal)
  const latecomers = Array.from({ length: LINES }, (_, n) => `late${n}@topology.example`)
  const second = await importFile(topology, latecomers, 1)
  let isOver = false
  // Also when the test fails: what reads on would keep the process running.
  t.after(() => (isOver = true))
  const [visiting, bouncing] = [visitAll(topology, arrived, signal), bounceAll(topology, arrived, signal)]
  const reading = readOn(topology, action, () => isOver)
  const killing = killOneOfEach(topology, arrived, { random, signal })
  const [{ asked, answered }, bounced, killed] = await Promise.all([visiting, bouncing, killing])

  const inTheEnd = () =>
    eventually(async () => {
      const shown = await ask(topology, `/actions/${action}`)
      return shown.state === 60 && shown.monitor
    }, signal)
  await inTheEnd()
  isOver = true
  const reads = await reading
  const got = () => new Set(arrived.flatMap(({ to }) => to))
  const { held, dropped } = await settle(topology, got())
  await eventually(() => got().size === CONTACTS, signal)
  const { recipients, sent } = await eventually(async () => {
    const monitor = await inTheEnd()
    return monitor.sent === CONTACTS - dropped.length && monitor
  }, signal)
  assert.deepEqual([recipients, sent, arrived.length], [CONTACTS, CONTACTS - dropped.length, CONTACTS])
  assert.deepEqual([...got()].sort(), audience.toSorted(), 'each contact has one mail')

  const { rows } = await database.pool.query<{ stamp: string; email: string }>(
    'select s.stamp, c.key as email from sent_messages s join contacts c on c.id = s.contact',
  )
  const emails = new Map(rows.map(({ stamp, email }) => [stamp, email]))
  const addressOf = ({ source }: Event): string | undefined => emails.get(source.detail.activation.stamp.id)
  const activations = await events(topology, `/actions/${action}/events/activations`)
  const without = new Set(dropped)
  assert.deepEqual(activations.map(addressOf).sort(), audience.filter((one) => !without.has(one)).sort())

  await eventually(async () => {
    const spools = await Promise.all(dataDirs.map((directory) => readdir(join(directory, 'spool'))))
    return !spools.flat().some((file) => file.endsWith('.ndjson'))
  }, signal)
  const hits = await events(topology, `/actions/${action}/events/hits?classification=all`)
  const counts = new Map<string, number>()
  for (const { source } of hits)
    counts.set(source.detail.hit.userAgent, (counts.get(source.detail.hit.userAgent) ?? 0) + 1)
  assert.deepEqual(
    [...answered].filter((n) => counts.get(agentOf(n)) !== 1),
    [],
    'answered hits are there once',
  )
  assert.ok(
    [...counts.values()].every((count) => count === 1),
    'no hit is there twice',
  )
  assert.ok(answered.size > asked / 2, `${answered.size} of ${asked} hits were answered`)
  const bounces = await events(topology, `/actions/${action}/events/bounces`)
  assert.deepEqual(bounces.map(addressOf).sort(), bounced.toSorted(), 'what bounced is there once')

  const run = await ended(topology, second, signal)
  assert.deepEqual([run.state, run.created], [1, LINES])
  const contacts = await database.pool.query<{ key: string }>('select key from contacts')
  const keys = contacts.rows.map(({ key }) => key)
  assert.deepEqual(keys.sort(), [...audience, ...latecomers].sort(), 'each contact of the files is there once')
  const lists = ['activations', 'hits?classification=all', 'bounces'].map((list) => `/actions/${action}/events/${list}`)
  if (engine) await compareStore(topology, engine.url, { paths: lists, signal })
  t.diagnostic(
    `killed ${killed.join(', ')}; ${held} held, ${dropped.length} of them had arrived; ` +
      `${answered.size} of ${asked} hits answered, ${reads} reads`,
  )
})
