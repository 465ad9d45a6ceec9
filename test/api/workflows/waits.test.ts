import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, inSavepoint } from '../../../src/database/connection/connect.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { buildCandidatesQuery } from '../../../src/features/workflows/waits/wait-candidates.ts'
import { createUuidV7, formatContactId, parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, clock, context, own, other } = harness
const { account } = own
const { db } = context

const HOUR = 3_600_000
// Events have the time of the database.
beforeEach(() => clock.set(Date.now()))
const custom = (name: string, more: object = {}) => ({ type: 'custom', names: [name], ...more })
const hours = (value: number) => ({ unit: 'HOUR', value })
const terminal = (id: string) => ({ id, type: 'terminal', settings: { outcome: id } })
/** The ends that the nodes below lead to. */
const ends = ['event', 'late', 'one', 'two'].map(terminal)
const free = { reentry: { mode: 'always' }, concurrency: 100 }

async function contact(): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { Email: `${crypto.randomUUID()}@shop.example` } })
  return parseContactId(body.id)!
}

function tell(
  name: string,
  of: number | null,
  { data = {}, tx = db, in: to = account }: { data?: object; tx?: Db; in?: number } = {},
) {
  return publishCustomEvents(tx, [{ account: to, name, contact: of, data, stamp: null, depth: 0 }])
}

async function waiting(settings: object, more: object = {}) {
  return stage.activate({
    settings: free,
    nodes: [
      { id: 'wait', type: 'wait', default: true, settings: { timeoutNext: 'late', ...settings }, next: 'event' },
      ...ends,
    ],
    ...more,
  })
}

async function started(workflow: number, given: Parameters<typeof stage.start>[1] = {}): Promise<string> {
  const answer = await stage.start(workflow, given)
  assert.equal(answer.type, 'started', JSON.stringify(answer))
  return (answer as { id: string }).id
}

const stands = async (run: string): Promise<string> => {
  const { status, outcome } = await stage.run(run)
  return (outcome ?? status) as string
}

/** A transaction that stays open: resolves when `fn` has run in it; the function given commits it. */
async function openTransaction(fn: (tx: Db) => Promise<unknown>): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const done = db.transaction().execute(async (tx) => {
    await fn(tx)
    ready.resolve()
    await release.promise
  })
  await Promise.race([ready.promise, done])
  return async () => {
    release.resolve()
    await done
  }
}

let sent = 0
function record(more: Partial<NewEvent> & { send: { id: string; thread: string } }): NewEvent {
  const { send, ...rest } = more
  const stamp = { time: Date.now(), id: send.id, thread: send.thread, set: send.id }
  return {
    account,
    channel: 'email',
    kind: 'complaints',
    subject: null,
    contact: null,
    isTest: false,
    key: `e${++sent}`,
    stamp: send.id,
    thread: send.thread,
    detail: { activation: { id: '000AB1', kind: 'message', stamp }, complaint: {} },
    ...rest,
  } as NewEvent
}
const complaint = { type: 'action.complaint' }
const newSend = (thread?: string) => {
  const id = createUuidV7(Date.now())
  return { id, thread: thread ?? id }
}

describe('wait', () => {
  test('leaves by the event and stores it as its value, or by the deadline without one', async () => {
    const workflow = await waiting({ event: custom('paid'), timeout: hours(1), into: 'paid' })
    const [ann, bob] = [await contact(), await contact()]
    const runs = [await started(workflow, { contact: ann }), await started(workflow, { contact: bob })]
    await stage.settle()
    await tell('paid', ann, { data: { sum: 5 } })
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['event', 'waiting'])
    const { variables } = await stage.run(runs[0]!)
    assert.deepEqual((variables as { paid: { data: unknown } }).paid.data, { sum: 5 })
    clock.advance(HOUR)
    await stage.settle()
    assert.equal(await stands(runs[1]!), 'late')
  })

  test('without a timeout, waits until the end of the run', async () => {
    const workflow = await waiting({ event: custom('never') }, { settings: { ...free, maxDuration: hours(2) } })
    const run = await started(workflow, { contact: await contact() })
    await stage.settle()
    clock.advance(2 * HOUR)
    await stage.settle()
    assert.equal(await stands(run), 'expired')
  })

  test('matches events of its contact, its thread, a send or anyone, by correlation', async () => {
    const [ann, bob] = [await contact(), await contact()]
    const thread = createUuidV7(Date.now())
    const send = newSend(thread)
    const of = { thread: createUuidV7(Date.now()) }
    const expected = { contact: 'ann', thread: 'thread', send: 'send', none: 'any' }
    const runs = new Map<string, string>()
    for (const correlation of Object.keys(expected)) {
      const workflow = await waiting({ event: complaint, correlation, timeout: hours(5) })
      const stamp = { id: createUuidV7(Date.now()), thread, set: of.thread, time: clock.now() }
      const run = await started(workflow, { contact: ann, stamp })
      await sql`update workflow_runs set sends = ${JSON.stringify({ '': send.id, mail: send.id })}::jsonb where id = ${run}`.execute(
        db,
      )
      runs.set(correlation, run)
    }
    await stage.settle()
    const left = async () => {
      await stage.settle()
      const all = await Promise.all(
        [...runs].map(async ([name, run]) => ((await stands(run)) === 'event' ? [name] : [])),
      )
      return all.flat()
    }
    await recordEvents(db, [{ ...record({ send: newSend(), contact: bob }), account: other.account }])
    assert.deepEqual(await left(), [])
    await recordEvents(db, [record({ send: newSend(), contact: bob })])
    assert.deepEqual(await left(), ['none'])
    await recordEvents(db, [record({ send: newSend(thread), contact: ann })])
    assert.deepEqual(await left(), ['contact', 'thread', 'none'])
    await recordEvents(db, [record({ send, contact: ann })])
    assert.deepEqual(await left(), ['contact', 'thread', 'send', 'none'])
  })

  test("of a run without a contact matches no contact's event", async () => {
    const workflow = await waiting({ event: custom('any') })
    const run = await started(workflow)
    await stage.settle()
    await tell('any', await contact())
    await tell('any', null)
    await stage.settle()
    assert.equal(await stands(run), 'waiting')
  })

  test('looks back as far as "since" allows', async () => {
    const all: [unknown, string][] = [
      ['previous', 'late'],
      ['now', 'late'],
      ['run', 'event'],
      [hours(3), 'event'],
    ]
    const event = custom('early')
    const runs: string[] = []
    const ann = await contact()
    for (const [since] of all) {
      const workflow = await stage.activate({
        settings: free,
        nodes: [
          { id: 'rest', type: 'sleep', default: true, settings: { period: hours(1) }, next: 'wait' },
          {
            id: 'wait',
            type: 'wait',
            settings: { event, since, timeout: hours(1), timeoutNext: 'late' },
            next: 'event',
          },
          ...ends,
        ],
      })
      runs.push(await started(workflow, { contact: ann }))
    }
    await stage.settle()
    await tell('early', ann)
    await stage.settle()
    clock.advance(HOUR)
    await stage.settle()
    clock.advance(HOUR)
    await stage.settle()
    assert.deepEqual(
      await Promise.all(runs.map(stands)),
      all.map(([, end]) => end),
    )
  })

  test('on a later visit, looks only after the event that the previous visit left by', async () => {
    for (const since of ['previous', 'run', hours(3)]) {
      clock.set(Date.now())
      const ann = await contact()
      const workflow = await stage.activate({
        settings: free,
        nodes: [
          { id: 'wait', type: 'wait', default: true, settings: { event: custom('step'), since }, next: 'again' },
          {
            id: 'again',
            type: 'wait',
            settings: { event: custom('other'), timeout: { unit: 'MINUTE', value: 1 }, timeoutNext: 'wait' },
            next: 'event',
          },
          ...ends,
        ],
      })
      const run = await started(workflow, { contact: ann })
      const visits = async () => {
        await stage.settle()
        clock.advance(60_000)
        await stage.settle()
        const { node, visits: all } = await stage.run(run)
        return [node, (all as Record<string, number>)['wait']]
      }
      assert.deepEqual(await visits(), ['wait', 1])
      await tell('step', ann)
      assert.deepEqual(await visits(), ['wait', 2], JSON.stringify(since))
      await tell('step', ann)
      assert.deepEqual(await visits(), ['wait', 3], JSON.stringify(since))
      assert.deepEqual(await visits(), ['wait', 3], JSON.stringify(since))
    }
  })

  test('finds an event committed before, during or after its registration exactly once', async () => {
    const workflow = await waiting({ event: custom('race'), timeout: hours(1) })
    const people = await Promise.all(Array.from({ length: 6 }, contact))
    const runs: string[] = []
    // Before the run is performed.
    runs.push(await started(workflow, { contact: people[0]! }))
    await tell('race', people[0]!)
    // Written before the run begins, and committed when it waits.
    const commitEarly = await openTransaction((tx) => tell('race', people[1]!, { tx }))
    runs.push(await started(workflow, { contact: people[1]! }))
    await stage.settle()
    assert.equal(await stands(runs[1]!), 'waiting')
    await commitEarly()
    // So does what a script publishes, in a savepoint of its transaction.
    const scripted = await openTransaction((tx) => inSavepoint(tx, (inner) => tell('race', people[5]!, { tx: inner })))
    await tell('other', people[5]!)
    runs.push(await started(workflow, { contact: people[5]! }))
    await stage.settle()
    assert.equal(await stands(runs[2]!), 'waiting')
    await scripted()
    // Written while it waits for the first look, dispatched before that.
    runs.push(await started(workflow, { contact: people[2]! }))
    await tell('race', people[2]!)
    await stage.dispatch()
    await stage.work()
    // After its registration.
    runs.push(await started(workflow, { contact: people[3]! }))
    await stage.work()
    await tell('race', people[3]!)
    // Committed behind another event of a later time.
    runs.push(await started(workflow, { contact: people[4]! }))
    const commitLate = await openTransaction((tx) => tell('race', people[4]!, { tx }))
    await tell('other', people[4]!)
    await stage.settle()
    await commitLate()
    await stage.settle()
    assert.deepEqual(
      await Promise.all(runs.map(stands)),
      runs.map(() => 'event'),
    )
    for (const run of runs) assert.equal((await stage.run(run)).trace.filter(({ node }) => node === 'wait').length, 1)
  })

  test('a failing filter is false and is counted', async () => {
    const filter = { type: 'script', value: 'event.data.list.length > 0' }
    const workflow = await waiting({ event: custom('list', { filter }) })
    const ann = await contact()
    const run = await started(workflow, { contact: ann })
    await stage.settle()
    await tell('list', ann)
    await stage.settle()
    assert.equal(await stands(run), 'waiting')
    const { rows } = await sql<{ entry: string; n: number }>`
      select entry, sum(n)::integer as n from workflow_count_deltas where workflow = ${workflow} and name = 'filterFailed' group by 1`.execute(
      db,
    )
    assert.deepEqual(rows, [{ entry: 'wait', n: 1 }])
    await tell('list', ann, { data: { list: [1] } })
    await stage.settle()
    assert.equal(await stands(run), 'event')
  })

  test('a filter sees the scope of the run', async () => {
    const filter = { type: 'script', value: 'event.data.order === data.order && run.node === "wait"' }
    const workflow = await waiting({ event: custom('order', { filter }) })
    const ann = await contact()
    const runs = [
      await started(workflow, { contact: ann, data: { order: 1 } }),
      await started(workflow, { contact: ann, data: { order: 2 } }),
    ]
    await stage.settle()
    await tell('order', ann, { data: { order: 2 } })
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['waiting', 'event'])
  })

  test('an event that failed the filter when it arrived is not matched at the deadline', async () => {
    const filter = { type: 'script', value: 'contact.Spent === 1' }
    await call('POST', '/fields', { body: { type: 'numeric', name: 'Spent' } })
    const workflow = await waiting({ event: custom('named', { filter }), timeout: hours(1) })
    const ann = await contact()
    const run = await started(workflow, { contact: ann })
    await stage.settle()
    await tell('named', ann)
    await stage.settle()
    const answer = await call('PUT', `/targets/${formatContactId(ann)}`, { body: { Spent: 1 } })
    assert.equal(answer.status, 200, answer.text)
    clock.advance(HOUR)
    await stage.settle()
    assert.equal(await stands(run), 'late')
  })

  test('a deadline considers stored, undispatched events, and an event after it arrives too late', async () => {
    const workflow = await waiting({ event: custom('close'), timeout: hours(1) })
    const [ann, bob] = [await contact(), await contact()]
    const runs = [await started(workflow, { contact: ann }), await started(workflow, { contact: bob })]
    await stage.settle()
    await tell('close', ann)
    await sql`update workflow_waits set until_at = now() - interval '1 minute' where run = ${runs[1]}`.execute(db)
    await sql`update workflow_runs set wake = now() - interval '1 minute' where id = ${runs[1]}`.execute(db)
    await tell('close', bob)
    clock.advance(HOUR)
    await stage.work()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['event', 'late'])
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['event', 'late'])
  })

  test('the first look of a wait takes no event from after its deadline, even when its clock is behind', async () => {
    clock.advance(-2 * HOUR)
    const workflow = await waiting({ event: custom('behind'), since: hours(3), timeout: hours(1) })
    const ann = await contact()
    await tell('behind', ann)
    const run = await started(workflow, { contact: ann })
    await stage.settle()
    assert.equal(await stands(run), 'waiting')
    clock.advance(2 * HOUR)
    await stage.settle()
    assert.equal(await stands(run), 'late')
  })

  test("an unsettled hit delays the deadline and wins if it turns out to be a person's", async () => {
    const workflow = await waiting({
      event: { type: 'action.hit', kinds: ['open'] },
      correlation: 'contact',
      timeout: { unit: 'MINUTE', value: 1 },
    })
    const people = [await contact(), await contact()]
    const runs = await Promise.all(people.map((one) => started(workflow, { contact: one })))
    await stage.settle()
    const hit = (of: number, classification: 'mpp' | null) => {
      const send = newSend()
      const detail = {
        activation: { id: '000AB1', kind: 'message', stamp: { id: send.id, thread: send.id, set: send.id, time: 0 } },
        link: { type: 'open' },
        hit: { classification },
      }
      const watch = { hitAt: Date.now() - 10_000, link: null, visitor: null, early: null }
      return { ...record({ send, contact: of, kind: 'hits/open', detail }), classification, watch } as NewEvent
    }
    await recordEvents(db, [hit(people[0]!, null), hit(people[1]!, 'mpp')])
    clock.set(Date.now() + 61_000)
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['waiting', 'late'])
    await eventually(async () => {
      await finalizeHits(db)
      return (await sql`select from unsettled_hits`.execute(db)).rows.length === 0
    })
    clock.advance(5000)
    await stage.settle()
    assert.equal(await stands(runs[0]!), 'event')
  })
})

describe('wait.race', () => {
  const race = (waits: object[]) =>
    stage.activate({
      settings: free,
      nodes: [{ id: 'race', type: 'wait.race', default: true, settings: { waits, into: 'won' } }, ...ends],
    })

  test('leaves by the first event or moment to happen', async () => {
    const workflow = await race([
      { id: 'a', event: custom('a'), next: 'one' },
      { id: 'b', event: custom('b'), next: 'two' },
      { id: 'c', period: hours(1), next: 'late' },
    ])
    const [ann, bob] = [await contact(), await contact()]
    const runs = [await started(workflow, { contact: ann }), await started(workflow, { contact: bob })]
    await stage.settle()
    await tell('b', ann)
    await stage.settle()
    await tell('a', ann)
    await stage.settle()
    clock.advance(HOUR)
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['two', 'late'])
    const won = (await stage.run(runs[0]!))['variables'] as { won: { id: string; event: { name: string } } }
    assert.deepEqual([won.won.id, won.won.event.name], ['b', 'b'])
    assert.deepEqual((await stage.run(runs[1]!))['variables'], { won: { id: 'c', event: null } })
  })

  test('for simultaneous events, takes the first of the array, even when the event was stored before', async () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const waits = order.map((id, n) => ({
        id,
        event: custom('same'),
        since: hours(1),
        next: n === 0 ? 'one' : 'two',
      }))
      const workflow = await race(waits)
      const ann = await contact()
      const before = await started(workflow, { contact: ann })
      await stage.settle()
      await tell('same', ann)
      await stage.settle()
      const after = await started(workflow, { contact: ann })
      await stage.settle()
      assert.deepEqual([await stands(before), await stands(after)], ['one', 'one'], order.join())
    }
  })
})

describe('wait.all', () => {
  test('leaves once each event has happened, and at the deadline stores those that did', async () => {
    const workflow = await stage.activate({
      settings: free,
      nodes: [
        {
          id: 'all',
          type: 'wait.all',
          default: true,
          next: 'event',
          settings: {
            waits: [
              { id: 'a', event: custom('a') },
              { id: 'b', event: custom('b') },
            ],
            timeout: hours(1),
            timeoutNext: 'late',
            into: 'seen',
          },
        },
        ...ends,
      ],
    })
    const [ann, bob] = [await contact(), await contact()]
    const runs = [await started(workflow, { contact: ann }), await started(workflow, { contact: bob })]
    // One of them is stored before the wait is looked at.
    await tell('a', ann)
    await stage.settle()
    await tell('a', ann, { data: { n: 2 } })
    await tell('b', bob)
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['waiting', 'waiting'])
    await tell('b', ann)
    await stage.settle()
    clock.advance(HOUR)
    await stage.settle()
    assert.deepEqual(await Promise.all(runs.map(stands)), ['event', 'late'])
    const seen = async (run: string) =>
      (await stage.run(run))['variables'] as { seen: Record<string, { data: unknown }> }
    const first = (await seen(runs[0]!)).seen
    assert.deepEqual([Object.keys(first).sort(), first['a']!.data], [['a', 'b'], {}])
    assert.deepEqual(Object.keys((await seen(runs[1]!)).seen), ['b'])
  })
})

describe('wait.kill', () => {
  const cases = [
    ['kill', 'contact', ['killed', 'killed', 'waiting']],
    ['release', 'contact', ['late', 'late', 'waiting']],
    ['kill', 'thread', ['killed', 'waiting', 'waiting']],
    ['release', 'thread', ['late', 'waiting', 'waiting']],
  ] as const
  for (const [action, scope, expected] of cases) {
    test(`${action} by ${scope} ends the matching other runs at its nodes`, async () => {
      const workflow = await stage.activate({
        settings: free,
        nodes: [
          {
            id: 'wait',
            type: 'wait',
            settings: { event: custom('x'), timeout: hours(5), timeoutNext: 'late' },
            next: 'event',
          },
          { id: 'rest', type: 'sleep', settings: { period: hours(5) }, next: 'late' },
          {
            id: 'end',
            type: 'wait.kill',
            settings: { nodes: ['wait', 'rest'], action, scope, into: 'n' },
            next: 'one',
          },
          ...ends,
        ],
      })
      const [ann, bob] = [await contact(), await contact()]
      const thread = createUuidV7(Date.now())
      const stamp = () => ({ id: createUuidV7(Date.now()), thread, set: thread, time: clock.now() })
      const runs = [
        await started(workflow, { contact: ann, node: 'wait', stamp: stamp() }),
        await started(workflow, { contact: ann, node: 'rest' }),
        await started(workflow, { contact: bob, node: 'wait' }),
      ]
      await stage.settle()
      const killer = await started(workflow, { contact: ann, node: 'end', stamp: stamp() })
      await stage.settle()
      assert.deepEqual(await Promise.all(runs.map(stands)), expected)
      const n = expected.filter((one) => one !== 'waiting').length
      assert.deepEqual([await stands(killer), (await stage.run(killer))['variables']], ['one', { n }])
    })
  }
})

test('the search for stored events uses indexes', async () => {
  const search = { account, run: createUuidV7(Date.now()), id: '', isGoal: false, until: null, after: null, sends: [] }
  const explained = await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`explain ${buildCandidatesQuery([
      { ...search, type: 'action.hit' },
      { ...search, type: 'custom' },
    ])}`.execute(tx)
  })
  const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.doesNotMatch(plan, /Seq Scan on (events|notices|workflow_)/, plan)
  assert.doesNotMatch(plan, /Filter: .*\(contact = w\.contact\)/, plan)
})
