import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { createWorkflowTasks } from '../../../src/features/workflows/engine/workflow-tasks.ts'
import { type RunStart, startRuns } from '../../../src/features/workflows/starts/start-runs.ts'
import { wakeParkedRuns } from '../../../src/features/workflows/waits/park-runs.ts'
import { killStoppedRuns } from '../../../src/features/workflows/waits/stop-runs.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { call, clock, context, own } = harness
const { db } = context
const stage = workflowStage(harness)
const tasks = createWorkflowTasks(context)
const PATH = '/scripting/workflows'
const HOUR = 3_600_000
let made = 0

assert.equal((await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })).status, 200)

const got = { id: 'got', type: 'terminal', settings: { outcome: 'event' } }
const late = { id: 'late', type: 'terminal', settings: { outcome: 'deadline' } }
const waiting = [
  {
    id: 'w',
    type: 'wait',
    default: true,
    next: 'got',
    settings: { event: { type: 'target.updated' }, timeout: { unit: 'HOUR', value: 1 }, timeoutNext: 'late' },
  },
  got,
  late,
]
const sleeping = [
  { id: 's', type: 'sleep', default: true, settings: { period: { unit: 'HOUR', value: 1 } }, next: 'late' },
  late,
]

const activate = (id: number) => call('POST', `${PATH}/${id}/activation`)
const deactivate = (id: number, query = '') => call('DELETE', `${PATH}/${id}/activation${query}`)

async function workflow(nodes: object[], settings: object = {}): Promise<number> {
  const { body } = await call('POST', PATH, { body: { name: 'Flow', nodes, settings } })
  assert.equal((await activate(body.id)).status, 204)
  return body.id
}

async function contact(): Promise<{ id: string; number: number; change(): Promise<void> }> {
  const Email = `someone-${++made}@shop.example`
  const { body, status, text } = await call('POST', '/targets', { body: { Email } })
  assert.equal(status, 200, text)
  const { rows } = await sql<{ id: number }>`
    select id from contacts where account = ${own.account} order by id desc limit 1`.execute(db)
  return {
    id: body.id,
    number: rows[0]!.id,
    async change() {
      const answer = await call('PUT', `/targets/${body.id}`, { body: { Email, Firstname: `Ann ${++made}` } })
      assert.equal(answer.status, 200, answer.text)
      await tasks.dispatch()
    },
  }
}

async function started(id: number, more: object = {}): Promise<string> {
  const answer = await stage.start(id, more)
  assert.equal(answer.type, 'started')
  await stage.work()
  return (answer as { id: string }).id
}

/** Activates again, and performs what fell due meanwhile. */
async function again(id: number): Promise<void> {
  assert.equal((await activate(id)).status, 204)
  await wakeParkedRuns(db, clock.now())
  await stage.work()
}

const outcome = async (run: string) => {
  const { status, reason, outcome: left } = await stage.run(run)
  return { status, reason, outcome: left }
}

const shown = async (id: number, run: string) => (await call('GET', `${PATH}/${id}/runs/${run}`)).body.status

suite('a deactivated workflow', () => {
  test('an event before the deadline wins over the deadline, although both fall in the pause', async () => {
    const id = await workflow(waiting)
    const someone = await contact()
    const run = await started(id, { contact: someone.number })
    assert.equal((await stage.run(run))['status'], 'waiting')
    assert.equal((await deactivate(id)).status, 204)
    assert.equal(await shown(id, run), 'paused')
    await someone.change()
    await stage.work()
    assert.equal(await shown(id, run), 'paused')
    clock.advance(2 * HOUR)
    await stage.work()
    assert.equal(await shown(id, run), 'paused')
    await again(id)
    assert.deepEqual(await outcome(run), { status: 'completed', reason: null, outcome: 'event' })
  })

  test('an event after the deadline loses to the deadline, although both fall in the pause', async () => {
    clock.set(Date.now() - 3 * HOUR)
    const id = await workflow(waiting)
    const someone = await contact()
    const run = await started(id, {
      contact: someone.number,
      after: { id: '00000000-0000-7000-8000-000000000000', timestamp: Date.now() },
    })
    assert.equal((await deactivate(id)).status, 204)
    await someone.change()
    clock.set(Date.now())
    await again(id)
    assert.deepEqual(await outcome(run), { status: 'completed', reason: null, outcome: 'deadline' })
  })

  test('keeps its timers, and runs not yet due keep waiting after reactivation', async () => {
    const id = await workflow(sleeping)
    const run = await started(id)
    await deactivate(id)
    clock.advance(HOUR / 2)
    await again(id)
    assert.equal(await shown(id, run), 'waiting')
    clock.advance(HOUR / 2)
    await stage.work()
    assert.equal(await shown(id, run), 'completed')
  })

  test('executes nothing, not even runs started before the deactivation', async () => {
    const id = await workflow(sleeping)
    const answer = await stage.start(id)
    await deactivate(id)
    await stage.work()
    const { trace, status } = await stage.run((answer as { id: string }).id)
    assert.deepEqual([trace, status], [[], 'running'])
    assert.equal(await stage.worker.work(), 0, 'it is out of the queue')
    await again(id)
    assert.equal(await shown(id, (answer as { id: string }).id), 'waiting')
  })

  test('waits for steps that are being committed before the deactivation returns', async () => {
    const id = await workflow(sleeping)
    let isOver = false
    const { held, release, done } = holding(id, () => {
      assert.equal(isOver, false)
    })
    await held
    const answer = deactivate(id).then(({ status }) => {
      isOver = true
      return status
    })
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
      return rows.length > 0
    })
    release()
    await done
    assert.equal(await answer, 204)
  })

  test('with open=kill, its open runs are killed, even if it is activated again before that is done', async () => {
    const id = await workflow(sleeping)
    const [one, other_] = [await started(id), (await stage.start(id)) as { id: string }]
    assert.equal((await deactivate(id, '?open=kill')).status, 204)
    await activate(id)
    const later = await started(id)
    clock.advance(2 * HOUR)
    await stage.work()
    assert.equal((await stage.run(one)).trace.length, 0, 'it is not revived')
    assert.equal((await stage.run(later))['status'], 'completed')
    await killStoppedRuns(db, clock.now())
    await wakeParkedRuns(db, clock.now())
    await stage.work()
    const killed = { status: 'killed', reason: 'deactivated', outcome: null }
    assert.deepEqual([await outcome(one), await outcome(other_.id)], [killed, killed])
    assert.equal((await stage.run(later))['status'], 'completed')
    assert.equal((await stage.start(id)).type, 'started')
  })

  test('pauses or kills its runs by its settings unless the request says otherwise', async () => {
    const id = await workflow(sleeping, { onDeactivate: 'kill' })
    const one = await started(id)
    await deactivate(id, '?open=pause')
    await killStoppedRuns(db, clock.now())
    assert.equal(await shown(id, one), 'paused')
    await again(id)
    await deactivate(id)
    await killStoppedRuns(db, clock.now())
    assert.equal(await shown(id, one), 'killed')
  })

  test('kills more runs than fit in one batch and releases their entries', async () => {
    const id = await workflow(sleeping, { reentry: { mode: 'afterExit' } })
    const key = { account: own.account, workflow: id, version: 1 }
    const definition = (await stage.engine.definitions.load(db, [key]))(key)!
    const starts = Array.from({ length: 1100 }, (_, n): RunStart => {
      const stamp = createUuidV7(clock.now())
      return {
        definition,
        contact: null,
        entryKey: `key ${n}`,
        node: 's',
        type: 'execution',
        source: null,
        event: null,
        data: {},
        state: {},
        variables: {},
        depth: 0,
        id: null,
        after: null,
        zone: 'UTC',
        stamp: { id: stamp, thread: stamp, set: stamp, time: clock.now() },
      }
    })
    await inTransaction(db, (tx) => startRuns(tx, starts, clock.now()))
    await deactivate(id, '?open=kill')
    await killStoppedRuns(db, clock.now())
    const { rows } = await sql<{ status: string; n: number }>`
      select status, count(*)::integer as n from workflow_runs where workflow = ${id} group by 1`.execute(db)
    assert.deepEqual(rows, [{ status: 'killed', n: 1100 }])
    await activate(id)
    assert.equal((await stage.start(id, { entryKey: 'key 1' })).type, 'started')
  })
})

/** Holds a workflow as a step does, until released. */
function holding(id: number, check: () => void) {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const done = inTransaction(db, async (tx) => {
    await sql`select from workflows where id = ${id} for share`.execute(tx)
    hold()
    await released
    check()
  })
  return { held, release, done }
}

suite('a deleted workflow', () => {
  test('returns 404 immediately, loses its runs and traces, and leaves those of others', async () => {
    const [id, kept] = [await workflow(sleeping), await workflow(sleeping)]
    const [run, other_] = [await started(id, { entryKey: 'a' }), await started(kept, { entryKey: 'a' })]
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 409)
    await deactivate(id)
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 204)
    for (const path of ['', '/runs', `/runs/${run}`, '/statistics', '/events'])
      assert.equal((await call('GET', `${PATH}/${id}${path}`)).status, 404, path)
    clock.advance(2 * HOUR)
    await stage.work()
    await killStoppedRuns(db, clock.now())
    assert.equal(await stage.run(run), undefined)
    assert.equal((await stage.run(other_))['status'], 'completed')
    for (const table of [
      'workflow_runs',
      'workflow_entries',
      'workflow_counts',
      'workflow_count_deltas',
      'workflow_versions',
    ]) {
      const { rows } = await sql`select from ${sql.table(table)} where workflow = ${id}`.execute(db)
      assert.equal(rows.length, 0, table)
    }
  })
})
