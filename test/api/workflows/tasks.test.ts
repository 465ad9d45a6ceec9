import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createWorkflowTaskWorker } from '../../../src/features/workflows/tasks/task-worker.ts'
import { type CallOptions, startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, clock, context, own, other } = harness
const { engine, tasks } = workflowStage(harness)
const { db } = context

const nodes = [{ id: 'end', type: 'terminal', default: true, settings: {} }]
const hourly = { type: 'cron', id: 'hourly', minute: '0' }

async function ok(method: string, path: string, options?: CallOptions) {
  const { status, body, text } = await call(method, path, options)
  assert.ok(status === 200 || status === 204, `${method} ${path}: ${status} ${text}`)
  return body
}

let named = 0
/** An active workflow with tasks; gives its path. */
async function active(...given: object[]): Promise<string> {
  const all = given.map((task) => ({ handler: 'end', ...task }))
  const body = { name: `Workflow ${++named}`, settings: { timeZone: { id: 'UTC' } }, nodes, tasks: all }
  const { id } = await ok('POST', '/scripting/workflows', { body })
  await ok('POST', `/scripting/workflows/${id}/activation`)
  return `/scripting/workflows/${id}`
}

const taskOf = async (path: string, id = 'nightly') =>
  (await ok('GET', `${path}/tasks`)).find((task: { id: string }) => task.id === id)

/** Fires all that is due. */
async function work(): Promise<void> {
  while (await tasks.work());
}

const numberOf = (path: string): number => Number(path.split('/').at(-1))

/** Counts of a task, of all versions. */
async function counts(path: string, task = 'nightly'): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`
    select name, sum(n)::integer as n from workflow_count_deltas
    where workflow = ${numberOf(path)} and subject = 'task' and entry = ${task} group by name`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

async function runs(path: string): Promise<number> {
  const { rows } = await sql`select from workflow_runs where workflow = ${numberOf(path)}`.execute(db)
  return rows.length
}

describe('task schedules', () => {
  test('start at the activation and report the next and last run', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [hourly] })
    assert.equal((await taskOf(path)).nextRun, '2026-03-02T09:00:00.000Z')
    assert.equal((await taskOf(path)).lastRun, null)
    clock.set('2026-03-02T08:59:59.999Z')
    await work()
    assert.equal(await runs(path), 0)
    clock.set('2026-03-02T09:00:00Z')
    await work()
    assert.equal(await runs(path), 1)
    const { nextRun, lastRun } = await taskOf(path)
    assert.deepEqual([nextRun, lastRun], ['2026-03-02T10:00:00.000Z', '2026-03-02T09:00:00.000Z'])
    const { rows } = await sql<{ start_type: string; start_id: string }>`
      select start_type, start_id from workflow_runs where workflow = ${numberOf(path)}`.execute(db)
    assert.deepEqual(rows, [{ start_type: 'task', start_id: 'nightly' }])
  })

  test('do not fire for time spent inactive', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [hourly] })
    await ok('DELETE', `${path}/activation`)
    assert.equal((await taskOf(path)).nextRun, null)
    clock.set('2026-03-02T12:30:00Z')
    await work()
    await ok('POST', `${path}/activation`)
    await work()
    assert.equal(await runs(path), 0)
    assert.equal((await taskOf(path)).nextRun, '2026-03-02T13:00:00.000Z')
  })

  test('change with the definition, and a task sent back unchanged keeps its history', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [hourly] }, { id: 'other', schedulers: [hourly] })
    clock.set('2026-03-02T09:00:00Z')
    await work()
    clock.set('2026-03-02T10:00:01Z')
    // The fire of 10:00 is due, and is not lost by a change of another task.
    const changed = { id: 'other', handler: 'end', schedulers: [{ ...hourly, minute: '30' }] }
    await ok('PUT', `${path}/tasks`, { body: [await taskOf(path), changed] })
    assert.equal((await taskOf(path, 'other')).nextRun, '2026-03-02T10:30:00.000Z')
    assert.equal((await taskOf(path, 'other')).lastRun, '2026-03-02T09:00:00.000Z')
    await work()
    assert.equal((await counts(path))['fired'], 2)
    assert.equal((await counts(path, 'other'))['fired'], 1)
    await ok('PUT', `${path}/tasks`, { body: [{ ...(await taskOf(path)), enabled: false }] })
    assert.equal((await taskOf(path)).nextRun, null)
    clock.set('2026-03-02T12:00:00Z')
    await work()
    assert.equal((await counts(path))['fired'], 2)
    assert.equal((await counts(path, 'other'))['fired'], 1)
  })

  test('are deleted with their workflow', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [hourly] })
    await ok('DELETE', `${path}/activation`)
    await ok('DELETE', path)
    clock.set('2026-03-02T12:00:00Z')
    await work()
    assert.equal(await runs(path), 0)
    const { rows } = await sql`select from workflow_tasks where workflow = ${numberOf(path)}`.execute(db)
    assert.equal(rows.length, 0)
  })
})

describe('task firings', () => {
  test('two schedulers at the same minute fire once', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const once = { type: 'once', id: 'once', at: '2026-03-02T09:00:30Z' }
    const path = await active({ id: 'nightly', schedulers: [hourly, { ...hourly, id: 'again', hour: '9' }, once] })
    clock.set('2026-03-02T09:00:00Z')
    await work()
    clock.set('2026-03-02T09:00:45Z')
    await work()
    assert.equal(await runs(path), 1)
    assert.deepEqual(await counts(path), { fired: 1, rows: 1, started: 1 })
  })

  test('a task fires once across all processes', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active(
      ...Array.from({ length: 20 }, (_, n) => ({ id: n === 0 ? 'nightly' : `t${n}`, schedulers: [hourly] })),
    )
    const workers = Array.from({ length: 4 }, () => createWorkflowTaskWorker(engine))
    for (const hour of ['09', '10', '11']) {
      clock.set(`2026-03-02T${hour}:00:00Z`)
      await Promise.all(workers.map((worker) => worker.work()))
      await work()
    }
    assert.equal(await runs(path), 60)
    assert.equal((await counts(path))['fired'], 3)
  })

  test('an hourly task fires once after its service was down from 09:00 to 12:00', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [hourly] })
    clock.set('2026-03-02T12:30:00Z')
    await work()
    assert.equal(await runs(path), 1)
    assert.deepEqual(await counts(path), { fired: 1, missed: 4, rows: 1, started: 1 })
    assert.equal((await taskOf(path)).nextRun, '2026-03-02T13:00:00.000Z')
  })

  test('missed runs are not made up after a day, or with missed "none"', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const daily = { ...hourly, hour: '9', dayOfMonth: '2' }
    const old = await active({ id: 'nightly', schedulers: [daily] })
    const none = await active({ id: 'nightly', schedulers: [hourly], missed: 'none' })
    clock.set('2026-03-03T09:00:00Z')
    await work()
    assert.equal(await runs(old), 0)
    assert.deepEqual(await counts(old), { missed: 1 })
    // The fire of this hour is in time.
    assert.deepEqual(await counts(none), { fired: 1, missed: 24, rows: 1, started: 1 })
    clock.set('2026-03-03T11:10:00Z')
    await work()
    assert.deepEqual(await counts(none), { fired: 1, missed: 26, rows: 1, started: 1 })
  })

  test('a year of missed minutes is handled in one firing', async () => {
    clock.set('2025-03-02T08:30:00Z')
    const path = await active({ id: 'nightly', schedulers: [{ ...hourly, minute: '*' }] })
    clock.set('2026-03-02T08:30:30Z')
    await work()
    assert.equal(await runs(path), 1)
  })

  test('a firing due while rows are read is skipped, or with overlap "queue" at most one is queued', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const skipping = await active({ id: 'nightly', schedulers: [hourly] })
    const queueing = await active({ id: 'nightly', schedulers: [hourly], overlap: 'queue' })
    // Another process has these firings.
    await sql`
      insert into workflow_firings (account, id, workflow, version, task, state, started_at, claimed_by, lease_until)
      select ${own.account}, uuidv7(), id, 1, 'nightly', 'running', now(), uuidv7(), '2026-03-02T20:00:00Z'
      from unnest(${[numberOf(skipping), numberOf(queueing)]}::integer[]) id`.execute(db)
    for (const hour of ['09', '10', '11']) {
      clock.set(`2026-03-02T${hour}:00:00Z`)
      await work()
    }
    assert.deepEqual(await counts(skipping), { skipped: 3 })
    assert.deepEqual(await counts(queueing), { skipped: 2 })
    assert.equal(await runs(queueing), 0)
    await sql`update workflow_firings set state = 'completed', ended_at = now() where state = 'running'`.execute(db)
    await work()
    assert.equal(await runs(skipping), 0)
    assert.equal(await runs(queueing), 1)
    assert.deepEqual(await counts(queueing), { fired: 1, skipped: 2, rows: 1, started: 1 })
    await work()
    assert.equal(await runs(queueing), 1)
  })
})

describe('task executions', () => {
  test('a task is executed by its id, which may have any characters', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const path = await active({ id: 'nightly' }, { id: 'étape 1' })
    for (const id of ['nightly', 'étape 1']) {
      const begun = await ok('POST', `${path}/tasks/${encodeURIComponent(id)}/execution`)
      assert.deepEqual({ ...begun, id: '' }, { id: '', task: id, state: 'running', count: 0 })
      await work()
      const shown = await ok('GET', `${path}/tasks/${encodeURIComponent(id)}/executions/${begun.id}`)
      const at = '2026-03-02T08:30:00.000Z'
      assert.deepEqual(shown, {
        id: begun.id,
        task: id,
        state: 'completed',
        count: 1,
        rows: 1,
        skipped: 0,
        refused: 0,
        reason: null,
        start: at,
        end: at,
      })
      const { rows } = await sql<{ set: string }>`select set from workflow_runs where start_id = ${id}`.execute(db)
      assert.deepEqual(
        rows.filter((row) => row.set === begun.id),
        [{ set: begun.id }],
      )
    }
  })

  test('Prefer: wait waits for the end', async () => {
    const path = await active({ id: 'nightly' })
    const answer = ok('POST', `${path}/tasks/nightly/execution`, { body: {}, headers: { prefer: 'wait=30' } })
    let isOver = false
    const working = (async () => {
      while (!isOver) await tasks.work()
    })()
    const { state, count } = await answer
    isOver = true
    await working
    assert.deepEqual({ state, count }, { state: 'completed', count: 1 })
  })

  test('a disabled task can be executed', async () => {
    const path = await active({ id: 'nightly', enabled: false, schedulers: [hourly] })
    await ok('POST', `${path}/tasks/nightly/execution`)
    await work()
    assert.equal(await runs(path), 1)
  })

  test('return 409 while rows are read or the workflow is inactive, and 404 for other tasks', async () => {
    const path = await active({ id: 'nightly' })
    const begun = await ok('POST', `${path}/tasks/nightly/execution`)
    const again = await call('POST', `${path}/tasks/nightly/execution`)
    assert.deepEqual([again.status, again.body.type], [409, 'urn:stentor:problem:task-running'])
    await work()
    await ok('DELETE', `${path}/activation`)
    const inactive = await call('POST', `${path}/tasks/nightly/execution`)
    assert.deepEqual([inactive.status, inactive.body.type], [409, 'urn:stentor:problem:workflow-inactive'])
    assert.equal((await call('POST', `${path}/tasks/daily/execution`)).status, 404)
    assert.equal((await call('GET', `${path}/tasks/daily/executions/${begun.id}`)).status, 404)
    assert.equal((await call('GET', `${path}/tasks/nightly/executions/nothing`)).status, 404)
    assert.equal((await call('GET', `${path}/tasks/nightly/executions/${begun.id}`)).status, 200)
  })

  test('return 404 for another account and 403 without the required right', async () => {
    const path = await active({ id: 'nightly' })
    const { id } = await ok('POST', `${path}/tasks/nightly/execution`)
    for (const [method, rest] of [
      ['POST', 'execution'],
      ['GET', `executions/${id}`],
    ] as const)
      assert.equal((await call(method, `${path}/tasks/nightly/${rest}`, { key: other.key })).status, 404)
    const reader = await harness.makeKey(own.account, ['read'])
    const writer = await harness.makeKey(own.account, ['write'])
    assert.equal((await call('POST', `${path}/tasks/nightly/execution`, { key: writer })).status, 403)
    assert.equal((await call('GET', `${path}/tasks/nightly/executions/${id}`, { key: reader })).status, 200)
    assert.equal((await call('GET', `${path}/tasks/nightly/executions/${id}`, { key: writer })).status, 403)
    await work()
  })

  test('a null limit is accepted and an invalid body returns 400', async () => {
    const path = await active({ id: 'nightly' })
    for (const body of [{ limit: 0 }, { limit: 'all' }, { limit: 1.5 }, [1]])
      assert.equal((await call('POST', `${path}/tasks/nightly/execution`, { body })).status, 400, JSON.stringify(body))
    await ok('POST', `${path}/tasks/nightly/execution`, { body: { limit: null } })
    await work()
  })
})
