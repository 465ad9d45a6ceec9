import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction, openDatabasePool } from '../../../src/database/connection/connect.ts'
import { leaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { WORKFLOW_LISTENER_KIND } from '../../../src/features/workflows/definition/event-interests.ts'
import { dispatchWorkflowEvents } from '../../../src/features/workflows/dispatch/dispatch-events.ts'
import { openWorkflowEngine } from '../../../src/features/workflows/engine/engine.ts'
import { createWorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'
import { startRuns } from '../../../src/features/workflows/starts/start-runs.ts'
import { wakeParkedRuns } from '../../../src/features/workflows/waits/park-runs.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { startStage } from '../../support/stages/stage.ts'
import { path, workflowSends } from '../../support/stages/workflow-sends.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, context, own } = stage
const { activate, person, sending, engine } = workflowSends(stage)
const { db } = context
const { account } = own

const RACES = 1000
/** Races at a time, each of a contact of its own. */
const BATCH = 200
/** Deadlines and events of a batch are within this time. */
const SPAN_MS = 300
/** Events that are published in one transaction. */
const TOGETHER = 5
const HELD_MS = 30

const people: number[] = []
for (let n = 0; n < BATCH; n++) people.push((await person()).contact)

let isOver = false
const working: Promise<unknown>[] = []
const opened: (() => Promise<void>)[] = []

/** An engine by the clock of the machine, on connections of its own. */
function ownEngine() {
  const connected = openDatabasePool(String(context.pool.options.connectionString), { max: 3 })
  opened.push(() => connected.close())
  return openWorkflowEngine({ ...context, db: connected.db, clock: { now: () => Date.now() } as typeof context.clock })
}

/** Does something again and again until the tests are over. */
function keepDoing(fn: () => Promise<number>): void {
  working.push(
    (async () => {
      while (!isOver) if ((await fn()) === 0) await delay(2)
    })(),
  )
}

for (let n = 0; n < 2; n++) {
  const worker = createWorkflowWorker(ownEngine())
  opened.unshift(() => worker.stop())
  keepDoing(() => worker.work())
}
const taker = { taker: randomUUID() }
await leaseListenerPartitions(db, { kind: WORKFLOW_LISTENER_KIND, ...taker }, 600_000)
const dispatcher = ownEngine()
keepDoing(() => dispatchWorkflowEvents(dispatcher, taker))

/** Starts a run for each contact given, with its data, in one transaction. */
async function startAll(
  workflow: number,
  given: readonly { contact: number; data: Record<string, unknown> }[],
): Promise<void> {
  const key = { account, workflow, version: 1 }
  const definition = (await engine.definitions.load(db, [key]))(key)!
  const now = Date.now()
  const starts = given.map(({ contact, data }) => {
    const stamp = createUuidV7(now)
    return {
      definition,
      contact,
      data,
      entryKey: null,
      node: definition.entry!,
      type: 'execution' as const,
      source: null,
      event: null,
      state: {},
      variables: {},
      depth: 0,
      id: null,
      after: null,
      zone: 'Europe/Paris',
      stamp: { id: stamp, thread: stamp, set: stamp, time: now },
    }
  })
  const started = await inTransaction(db, (tx) => startRuns(tx, starts, now))
  assert.deepEqual(
    started.filter(({ type }) => type !== 'started'),
    [],
  )
}

const free = { reentry: { mode: 'always' }, concurrency: 100 }
const terminal = (id: string) => ({ id, type: 'terminal', settings: { outcome: id } })
const custom = (name: string) => ({ type: 'custom', names: [name] })

/** A workflow that publishes an event at an instant, and then, when that is committed, another. */
const publisher = (name: string) =>
  activate({
    settings: free,
    nodes: [
      { id: 'rest', type: 'sleep', default: true, settings: { until: path('data.at') }, next: 'tell' },
      { id: 'tell', type: 'publish', event: name, data: { type: 'literal', value: {} }, next: 'told' },
      { id: 'told', type: 'publish', event: 'told', data: { type: 'literal', value: {} }, next: null },
    ],
  })

/** Publishes an event of these contacts, in a transaction that stays open for a while. Gives when it was committed at the latest. */
async function tell(name: string, contacts: readonly number[], { at, held }: { at: number; held: number }) {
  await delay(Math.max(0, at - Date.now()))
  await inTransaction(db, async (tx) => {
    await publishCustomEvents(
      tx,
      contacts.map((contact) => ({ account, name, contact, data: {}, stamp: null, depth: 0 })),
    )
    await delay(held)
  })
  return Date.now()
}

interface Raced {
  contact: number
  outcome: string | null
  status: string
  /** Instants (milliseconds). */
  endedAt: number
  stampedAt: number
  /** By when the event was committed. */
  committedAt: number
  deadline: number
  entries: { node: string; type: string }[]
  sends: number
}

async function openRuns(workflows: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from workflow_runs where workflow = any(${workflows}::integer[]) and ended_at is null`.execute(
    db,
  )
  return rows[0]!.n
}

interface Batch {
  workflow: number
  name: string
  telling: number
  random: () => number
  /** How long after the start the first deadline is, and how much later the first event. */
  lead: number
  lag?: number
  whileRacing?: (from: number) => Promise<() => Promise<unknown>>
}

/** Races an event of each contact with the deadline of its run: half of the events are published by runs. */
async function raceBatch({ workflow, name, telling, random, lead, lag = 0, whileRacing }: Batch): Promise<Raced[]> {
  const begun = Date.now()
  const from = begun + lead
  const instant = () => from + Math.floor(random() * SPAN_MS)
  const deadlines = new Map(people.map((contact) => [contact, instant()]))
  const iso = (at: number) => new Date(at).toISOString()
  const half = people.slice(0, BATCH / 2)
  await startAll(
    workflow,
    people.map((contact) => ({ contact, data: { until: iso(deadlines.get(contact)!) } })),
  )
  await startAll(
    telling,
    half.map((contact) => ({ contact, data: { at: iso(instant() + lag) } })),
  )
  const goOn = await whileRacing?.(from)
  const committed = new Map<number, number>()
  const groups = Array.from({ length: BATCH / 2 / TOGETHER }, (_, n) =>
    people.slice(BATCH / 2 + n * TOGETHER, BATCH / 2 + (n + 1) * TOGETHER),
  )
  await Promise.all(
    groups.map(async (group) => {
      const at = await tell(name, group, { at: instant() + lag, held: random() * HELD_MS })
      for (const contact of group) committed.set(contact, at)
    }),
  )
  await delay(Math.max(0, from + SPAN_MS - Date.now()))
  await eventually(async () => (await openRuns([telling])) === 0)
  await goOn?.()
  await eventually(async () => (await openRuns([workflow])) === 0)
  const { rows } = await sql<Omit<Raced, 'deadline'>>`
    select r.contact, r.outcome, r.status, (extract(epoch from r.ended_at) * 1000)::double precision as "endedAt",
      (extract(epoch from uuid_extract_timestamp(n.id)) * 1000)::double precision as "stampedAt",
      (extract(epoch from uuid_extract_timestamp(told.id)) * 1000)::double precision as "committedAt",
      (select coalesce(jsonb_agg(e), '[]') from workflow_traces t, jsonb_array_elements(t.entries) e
       where t.account = r.account and t.run = r.id) as entries,
      (select count(*)::integer from events e where e.account = r.account and e.kind = 'executions' and e.thread = r.thread) as sends
    from workflow_runs r
    join notices n on n.account = r.account and n.contact = r.contact and n.name = ${name}
      and uuid_extract_timestamp(n.id) >= ${new Date(begun)}
    left join notices told on told.account = r.account and told.contact = r.contact and told.name = 'told'
      and uuid_extract_timestamp(told.id) >= ${new Date(begun)}
    where r.workflow = ${workflow} and r.created_at >= ${new Date(begun)}`.execute(db)
  assert.equal(rows.length, BATCH, 'each run once, and an event of each')
  return rows.map((row) => ({
    ...row,
    deadline: deadlines.get(row.contact)!,
    committedAt: committed.get(row.contact) ?? row.committedAt,
  }))
}

/**
 * Races until there were enough, and not all were won by events or by deadlines: where events win all on this machine, they come later;
 * where deadlines do, all of it does, as runs take that long to start.
 */
async function raceEnough(
  batch: Omit<Batch, 'lead' | 'lag' | 'whileRacing'>,
  isByEvent: (raced: Raced) => boolean,
): Promise<{ all: Raced[]; byEvent: number }> {
  const all: Raced[] = []
  let [lead, lag, byEvent] = [300, 0, 0]
  while (all.length < RACES || ((byEvent === 0 || byEvent === all.length) && lead + lag < 10_000)) {
    all.push(...(await raceBatch({ ...batch, lead, lag })))
    byEvent = all.filter(isByEvent).length
    if (byEvent === 0) lead += 300
    if (byEvent === all.length) lag += 300
  }
  return { all, byEvent }
}

const waitNodes = [
  {
    id: 'wait',
    type: 'wait',
    default: true,
    next: 'event',
    settings: { event: custom('answer'), timeout: { until: path('data.until') }, timeoutNext: 'late' },
  },
  terminal('event'),
  terminal('late'),
]

/** Left by one way only, which is in its trace. */
function assertOneWay({ status, outcome, entries }: Raced): void {
  assert.equal(status, 'completed')
  assert.deepEqual(entries.map(({ node }) => node).sort(), ['wait', outcome].sort())
}

/** What runs left their node by, as it was counted. */
async function countedWays(workflow: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`
    select name, sum(n)::integer as n from workflow_count_deltas
    where workflow = ${workflow} and subject = 'output' group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

suite('workflow races', () => {
  after(async () => {
    isOver = true
    await Promise.all(working)
    await Promise.all(opened.map((close) => close()))
  })
  test(`in ${RACES} races between an event and a deadline, each run leaves by exactly one`, async (t) => {
    const random = seeded(15)
    const workflow = await activate({ settings: free, nodes: waitNodes })
    const telling = await publisher('answer')
    const isByEvent = ({ outcome }: Raced) => outcome === 'event'
    const { all, byEvent } = await raceEnough({ workflow, telling, name: 'answer', random }, isByEvent)
    for (const raced of all) {
      const { outcome, stampedAt, committedAt, deadline, endedAt } = raced
      const shown = JSON.stringify(raced)
      assertOneWay(raced)
      if (outcome === 'event') assert.ok(stampedAt < deadline, `an event after the deadline won: ${shown}`)
      else assert.ok(endedAt >= deadline, `the deadline came early: ${shown}`)
      if (stampedAt < deadline && committedAt < endedAt) assert.equal(outcome, 'event', `an event was lost: ${shown}`)
    }
    t.diagnostic(`${byEvent} of ${all.length} left by the event`)
    assert.ok(byEvent > 0 && byEvent < all.length)
  })

  test('while a workflow is paused, the earlier of event and deadline wins', async (t) => {
    const workflow = await activate({ settings: free, nodes: waitNodes })
    const telling = await publisher('answer')
    const url = `/scripting/workflows/${workflow}/activation`
    const pause = async (from: number) => {
      await eventually(async () => {
        const { rows } = await sql<{ n: number }>`
        select count(*)::integer as n from workflow_runs where workflow = ${workflow} and phase = 'wait'`.execute(db)
        return rows[0]!.n === BATCH
      })
      assert.equal((await call('DELETE', url)).status, 204)
      assert.ok(Date.now() < from, 'paused before the first deadline')
      return async () => {
        assert.equal(await openRuns([workflow]), BATCH)
        assert.equal((await call('POST', url)).status, 204)
        await wakeParkedRuns(db, Date.now())
      }
    }
    const all = await raceBatch({
      workflow,
      telling,
      name: 'answer',
      random: seeded(22),
      lead: 10_000,
      whileRacing: pause,
    })
    for (const raced of all) {
      assertOneWay(raced)
      assert.equal(raced.outcome, raced.stampedAt < raced.deadline ? 'event' : 'late', JSON.stringify(raced))
    }
    t.diagnostic(JSON.stringify(await countedWays(workflow)))
  })

  test(`in ${RACES} races between a goal and a deadline, each run ends once, without a later message`, async (t) => {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const mail = await sending()
    const random = seeded(29)
    const workflow = await activate({
      settings: free,
      nodes: [
        { ...waitNodes[0], settings: { ...waitNodes[0]!.settings, event: custom('never'), timeoutNext: 'moved' } },
        { id: 'moved', type: 'publish', event: 'moved', data: { type: 'literal', value: {} }, next: 'mail' },
        { id: 'mail', type: 'sendMail', settings: { action: mail }, next: 'late' },
        terminal('event'),
        terminal('late'),
        { id: 'goal', type: 'goal', settings: { event: custom('bought') }, next: null },
      ],
    })
    const telling = await publisher('bought')
    const isByGoal = ({ outcome }: Raced) => outcome === 'goal'
    const { all, byEvent: byGoal } = await raceEnough({ workflow, telling, name: 'bought', random }, isByGoal)
    for (const { status, outcome, entries, sends } of all) {
      assert.equal(status, 'completed')
      const ends = entries.filter(({ type }) => type === 'goal' || type === 'terminal')
      assert.deepEqual([ends.length, ends[0]?.type], [1, outcome === 'goal' ? 'goal' : 'terminal'])
      assert.ok(outcome === 'goal' || outcome === 'late')
      assert.equal(sends, outcome === 'goal' ? 0 : 1)
    }
    t.diagnostic(`${byGoal} of ${all.length} ended by the goal`)
    assert.ok(byGoal > 0 && byGoal < all.length)
  })
})
