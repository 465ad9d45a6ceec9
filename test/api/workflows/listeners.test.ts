import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { leaseListenerPartitions, releaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { WORKFLOW_LISTENER_KIND } from '../../../src/features/workflows/definition/event-interests.ts'
import { dispatchWorkflowEvents } from '../../../src/features/workflows/dispatch/dispatch-events.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, clock, context, own } = harness
const { account } = own
const { db } = context
beforeEach(() => clock.set(Date.now()))

const hours = (value: number) => ({ unit: 'HOUR', value })
const custom = (name: string) => ({ type: 'custom', names: [name] })
const free = { reentry: { mode: 'always' }, concurrency: 100 }
const nodes = [
  { id: 'rest', type: 'sleep', default: true, settings: { period: hours(5) }, next: 'rested' },
  { id: 'moved', type: 'sleep', settings: { period: hours(6) }, next: 'rested' },
  { id: 'rested', type: 'terminal', settings: { outcome: 'rested' } },
  { id: 'won', type: 'terminal', settings: { outcome: 'unused' } },
]

async function contact(): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { Email: `${randomUUID()}@shop.example` } })
  return parseContactId(body.id)!
}

const tell = (name: string, of: number | null, { thread = null, n = 1 }: { thread?: string | null; n?: number } = {}) =>
  publishCustomEvents(
    db,
    Array.from({ length: n }, () => ({
      account,
      name,
      contact: of,
      data: {},
      depth: 0,
      stamp: thread === null ? null : { time: 0, id: createUuidV7(Date.now()), thread, set: thread },
    })),
  )

/** Where the open runs of a workflow stand. */
async function standing(workflow: number): Promise<string[]> {
  const { rows } = await sql<{ node: string }>`
    select node from workflow_runs where workflow = ${workflow} and ended_at is null order by id`.execute(db)
  return rows.map(({ node }) => node).sort()
}

async function counts(workflow: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`
    select entry || ' ' || name as name, sum(n)::integer as n from workflow_count_deltas
    where workflow = ${workflow} and subject = 'listener' group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

describe('listeners', () => {
  const cases = [
    ['start', ['moved', 'rest'], ['moved']],
    ['skip', ['rest'], ['moved']],
    ['move', ['moved'], []],
    ['moveOrStart', ['moved'], ['moved']],
  ] as const
  for (const [onOpen, withOpen, without] of cases) {
    for (const correlation of ['contact', 'thread']) {
      test(`onOpen ${onOpen} by ${correlation} gives ${withOpen.join(' and ')} with open runs, ${without.join() || 'nothing'} without`, async () => {
        const listeners = [{ id: 'l', event: custom('x'), handler: 'moved', onOpen, correlation }]
        const [open, none] = [
          await stage.activate({ settings: free, nodes, listeners }),
          await stage.activate({ settings: free, nodes, listeners }),
        ]
        const thread = createUuidV7(Date.now())
        const [ann, bob] = [await contact(), await contact()]
        const stamp = { id: createUuidV7(Date.now()), thread, set: thread, time: clock.now() }
        await stage.start(open, { contact: ann, stamp })
        await stage.settle()
        await tell('x', correlation === 'contact' ? ann : bob, { thread })
        await stage.settle()
        assert.deepEqual(await standing(open), withOpen)
        assert.deepEqual(await standing(none), without)
        await sql`update workflows set state = 0`.execute(db)
      })
    }
  }

  test("handle a contact's events one at a time, in the order of the array, even within one batch", async () => {
    const workflow = await stage.activate({
      settings: free,
      nodes,
      listeners: [
        { id: 'a', event: custom('y'), handler: 'rest', onOpen: 'skip' },
        { id: 'b', event: custom('y'), handler: 'moved', onOpen: 'moveOrStart' },
      ],
    })
    const [ann, bob] = [await contact(), await contact()]
    await tell('y', ann, { n: 3 })
    await tell('y', bob)
    await stage.settle()
    assert.deepEqual(await standing(workflow), ['moved', 'moved'])
    assert.deepEqual(await counts(workflow), { 'a matched': 4, 'a started': 2, 'b matched': 4, 'b moved': 4 })
  })

  test('pass the thread of the event to the run', async () => {
    const workflow = await stage.activate({
      settings: free,
      nodes,
      listeners: [{ id: 'l', event: custom('t'), handler: 'rest' }],
    })
    const thread = createUuidV7(Date.now())
    const ann = await contact()
    await tell('t', ann, { thread })
    await tell('t', ann)
    await stage.settle()
    const { rows } = await sql<{ stamp: string; thread: string; depth: number }>`
      select stamp, thread, depth from workflow_runs where workflow = ${workflow} order by thread = ${thread} desc`.execute(
      db,
    )
    assert.deepEqual([rows.length, rows[0]!.thread], [2, thread])
    assert.equal(rows[1]!.thread, rows[1]!.stamp)
  })

  test('count the starts that entry rules refuse', async () => {
    const listeners = [{ id: 'l', event: custom('r'), handler: 'rest' }]
    const workflow = await stage.activate({ settings: { concurrency: 1 }, nodes, listeners })
    await tell('r', await contact(), { n: 2 })
    await stage.settle()
    assert.deepEqual(await counts(workflow), { 'l matched': 2, 'l refused': 1, 'l started': 1 })
  })

  test('of inactive workflows start nothing, even after a later activation', async () => {
    const listeners = [{ id: 'l', event: custom('i'), handler: 'rest' }]
    const workflow = await stage.activate({ settings: free, nodes, listeners })
    await sql`update workflows set state = 0 where id = ${workflow}`.execute(db)
    await tell('i', await contact())
    await stage.settle()
    await sql`update workflows set state = 1 where id = ${workflow}`.execute(db)
    await stage.settle()
    assert.deepEqual(await standing(workflow), [])
  })

  test('start one run for each event even if connections are killed during dispatch', async () => {
    const listeners = [{ id: 'l', event: custom('k'), handler: 'rest' }]
    const workflow = await stage.activate({ settings: free, nodes, listeners })
    const people = await Promise.all(Array.from({ length: 40 }, contact))
    for (const one of people) await tell('k', one)
    const takers = Array.from({ length: 3 }, () => ({ taker: randomUUID() }))
    const lease = async () => {
      for (const one of takers) await leaseListenerPartitions(db, { kind: WORKFLOW_LISTENER_KIND, ...one }, 600_000)
    }
    let isDone = false
    // Connections in the middle of a dispatch are ended again and again.
    const killing = (async () => {
      for (let n = 0; !isDone && n < 15; n++) {
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and state <> 'idle'`
          .execute(db)
          .catch(() => undefined)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const open = () =>
      standing(workflow).then(
        ({ length }) => length,
        () => 0,
      )
    await eventually(async () => {
      await stage.dispatch().catch(() => undefined)
      await lease().catch(() => undefined)
      await Promise.allSettled(takers.map((one) => dispatchWorkflowEvents(stage.engine, one)))
      return (await open()) >= people.length
    })
    isDone = true
    await killing
    for (const one of takers) await releaseListenerPartitions(db, { kind: WORKFLOW_LISTENER_KIND, ...one })
    await stage.dispatch()
    const { rows } = await sql<{ contact: number; n: number }>`
      select contact, count(*)::integer as n from workflow_runs where workflow = ${workflow} group by 1`.execute(db)
    assert.deepEqual([rows.length, rows.every(({ n }) => n === 1)], [people.length, true])
  })
})

describe('goals', () => {
  const goal = { id: 'goal', type: 'goal', settings: { event: custom('bought') }, next: null }
  const started = async (workflow: number, of: number) => {
    const answer = await stage.start(workflow, { contact: of })
    return (answer as { id: string }).id
  }
  const stands = async (run: string) => {
    const { status, outcome } = await stage.run(run)
    return outcome ?? status
  }

  test('a goal ends a waiting, sleeping or not yet executed run once, and an event before the start does not', async () => {
    const waiting = { id: 'w', type: 'wait', default: true, settings: { event: custom('never') }, next: 'rested' }
    const sleeping = await stage.activate({ settings: free, nodes: [...nodes, goal] })
    const awaiting = await stage.activate({ settings: free, nodes: [waiting, nodes[2]!, goal] })
    const ann = await contact()
    await tell('bought', ann)
    await stage.settle()
    const runs = [await started(sleeping, ann), await started(awaiting, ann)]
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['waiting', 'waiting'])
    // Stored, and not performed yet.
    const fresh = await started(sleeping, ann)
    await tell('bought', ann)
    await stage.settle()
    assert.deepEqual(await Promise.all([...runs, fresh].map(stands)), ['goal', 'goal', 'goal'])
    clock.advance(24 * 3_600_000)
    await tell('bought', ann)
    await stage.settle()
    for (const run of runs) {
      const { trace, status } = await stage.run(run)
      assert.deepEqual([status, trace.length], ['completed', 1])
    }
  })

  test('a goal event in the same batch as the event that started the run ends that run', async () => {
    const listeners = [{ id: 'l', event: custom('began'), handler: 'rest' }]
    const workflow = await stage.activate({ settings: free, nodes: [...nodes, goal], listeners })
    const ann = await contact()
    await tell('began', ann)
    await tell('bought', ann)
    await stage.settle()
    assert.deepEqual(await standing(workflow), [])
    const { rows } = await sql<{
      outcome: string
    }>`select outcome from workflow_runs where workflow = ${workflow}`.execute(db)
    assert.deepEqual(rows, [{ outcome: 'goal' }])
  })
})
