import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  type CompilableRowRequest,
  type CompilableRows,
  TaskProviderFailure,
} from '../../../src/features/workflows/tasks/task-providers.ts'
import { createWorkflowTaskWorker, type WorkflowTaskWorker } from '../../../src/features/workflows/tasks/task-worker.ts'
import { formatContactId } from '../../../src/lib/ids.ts'
import { type CallOptions, startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, clock, context, own } = harness
const stage = workflowStage(harness)
const { engine, tasks, activate } = stage
const { db } = context

const nodes = [{ id: 'end', type: 'terminal', default: true, settings: {} }]
const path = (value: string) => ({ type: 'path', value })

async function ok(method: string, url: string, options?: CallOptions) {
  const { status, body, text } = await call(method, url, options)
  assert.ok(status === 200 || status === 204, `${method} ${url}: ${status} ${text}`)
  return body
}

const email: number = (await ok('GET', '/fields'))[0].id
let named = 0

/** A static segment of so many new contacts; gives its id and theirs, ascending. */
async function crowd(count: number): Promise<{ segment: number; contacts: number[] }> {
  const name = `crowd${++named}`
  const { id: segment } = await ok('POST', '/segments', { body: { type: 'static', name } })
  const { rows } = await sql<{ contact: number }>`
    with made as (
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      select ${own.account}, jsonb_build_object(${String(email)}::text, address), address, address, decode(md5(address), 'hex'), now(), now()
      from generate_series(1, ${count}::integer) n, lateral (select ${name} || '-' || n || '@test.example' as address) a returning id)
    insert into segment_members (account, segment, contact) select ${own.account}, ${segment}, id from made returning contact`.execute(
    db,
  )
  return { segment, contacts: rows.map(({ contact }) => contact).sort((a, b) => a - b) }
}

const ofSegment = (segment: number, projection = {}) => ({ type: 'segment', value: { id: segment }, projection })

/** An active workflow with one task. */
function withTask(provider: object, settings: object = {}): Promise<number> {
  return activate({ nodes, settings, tasks: [{ id: 'task', handler: 'end', provider }] })
}

/** Executes the task; gives the URL of its firing. */
async function execute(workflow: number, body?: object): Promise<string> {
  const url = `/scripting/workflows/${workflow}/tasks/task`
  const { id } = await ok('POST', `${url}/execution`, body ? { body } : {})
  return `${url}/executions/${id}`
}

async function work(worker = tasks): Promise<void> {
  while (await worker.work());
}

/** A worker that fails at its nth batch, so that it leaves the firing where it is. */
function failingAt(nth: number): WorkflowTaskWorker {
  let seen = 0
  return createWorkflowTaskWorker({
    ...engine,
    async contacts(tx, keys) {
      if (++seen === nth) throw new Error('the worker fails')
      return engine.contacts(tx, keys)
    },
  })
}

interface StoredRun {
  contact: number | null
  data: Record<string, unknown>
  set: string
  thread: string
  stamp: string
}

async function runs(workflow: number): Promise<StoredRun[]> {
  const { rows } = await sql<StoredRun>`
    select contact, data, set, thread, stamp from workflow_runs where workflow = ${workflow} order by contact, id`.execute(
    db,
  )
  return rows
}

const contactsOf = async (workflow: number) => (await runs(workflow)).map(({ contact }) => contact)

async function counts(workflow: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`
    select subject || ' ' || name as name, sum(n)::integer as n from workflow_count_deltas
    where workflow = ${workflow} and subject in ('task', 'refused') group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

describe('task firings over contacts', () => {
  test('each contact of a segment gets one run with its own data, across several batches', async () => {
    const { segment, contacts } = await crowd(2500)
    const projection = { address: path('contact.unicity'), fixed: { type: 'literal', value: 7 } }
    const workflow = await withTask(ofSegment(segment, projection))
    const firing = await execute(workflow)
    await work()
    const found = await runs(workflow)
    assert.deepEqual(
      found.map(({ contact }) => contact),
      contacts,
    )
    const { rows } = await sql<{ unicity: string }>`select unicity from contacts where id = ${contacts[0]}`.execute(db)
    assert.deepEqual(found[0]!.data, { address: rows[0]!.unicity, fixed: 7 })
    assert.equal(new Set(found.map(({ data }) => data['address'])).size, 2500)
    const shown = await ok('GET', firing)
    assert.equal(new Set(found.map(({ set }) => set)).size, 1)
    assert.equal(found[0]!.set, shown.id)
    assert.ok(found.every(({ thread, stamp }) => thread === stamp))
    const { state, count, rows: read, skipped, refused } = shown
    assert.deepEqual(
      { state, count, read, skipped, refused },
      {
        state: 'completed',
        count: 2500,
        read: 2500,
        skipped: 0,
        refused: 0,
      },
    )
    assert.deepEqual(await counts(workflow), { 'task rows': 2500, 'task started': 2500 })
    const left = await sql`select from workflow_firing_batches`.execute(db)
    assert.equal(left.rows.length, 0)
  })

  test('a limit takes only the first rows', async () => {
    const { segment, contacts } = await crowd(30)
    const workflow = await withTask(ofSegment(segment))
    const firing = await execute(workflow, { limit: 7 })
    await work()
    assert.deepEqual(await contactsOf(workflow), contacts.slice(0, 7))
    assert.equal((await ok('GET', firing)).rows, 7)
  })

  test('a firing over an empty segment completes immediately', async () => {
    const { segment } = await crowd(0)
    const workflow = await withTask(ofSegment(segment))
    const firing = await execute(workflow)
    await work()
    const { state, count, rows } = await ok('GET', firing)
    assert.deepEqual({ state, count, rows }, { state: 'completed', count: 0, rows: 0 })
  })

  test('criteria select the contacts that match at the time of the firing', async () => {
    const { contacts } = await crowd(20)
    const criteria = { all: [{ type: 'field', field: email, operator: 'startsWith', value: `crowd${named}-1` }] }
    const asked = await call('POST', '/segments', { body: { type: 'dynamic', name: 'Found', criteria } })
    assert.equal(asked.status, 200, asked.text)
    const workflow = await withTask({ type: 'search', value: criteria })
    await execute(workflow)
    await work()
    const found = await contactsOf(workflow)
    // 1 and 10 to 19.
    assert.equal(found.length, 11)
    assert.ok(found.every((contact) => contacts.includes(contact!)))
  })

  test('a contact added while rows are read gets no run, and a deleted one is skipped', async () => {
    const { segment, contacts } = await crowd(20)
    const workflow = await withTask(ofSegment(segment))
    const firing = await execute(workflow)
    await work(failingAt(1))
    await ok('DELETE', `/targets/${formatContactId(contacts.at(-1)!)}`)
    const late = await crowd(1)
    await ok('POST', `/segments/${segment}/targets/${formatContactId(late.contacts[0]!)}`)
    clock.advance(31_000)
    await work()
    const { count, skipped, rows } = await ok('GET', firing)
    assert.deepEqual({ count, skipped, rows }, { count: 19, skipped: 1, rows: 20 })
    assert.deepEqual(await contactsOf(workflow), contacts.slice(0, -1))
  })

  test('re-entry rules apply, so a second firing over open runs is refused', async () => {
    const { segment } = await crowd(5)
    const workflow = await withTask(ofSegment(segment))
    await execute(workflow)
    await work()
    const second = await execute(workflow)
    await work()
    const { count, refused, rows } = await ok('GET', second)
    assert.deepEqual({ count, refused, rows }, { count: 0, refused: 5, rows: 5 })
    assert.equal((await runs(workflow)).length, 5)
    assert.equal((await counts(workflow))['refused concurrency'], 5)
  })

  test('a failing projection starts no run for its row, and the other rows continue', async () => {
    const { segment } = await crowd(4)
    const script = { type: 'script', value: 'contact.unicity.includes("-2@") ? null.x : contact.id' }
    const workflow = await withTask(ofSegment(segment, { script }))
    const firing = await execute(workflow)
    await work()
    const { count, refused, skipped } = await ok('GET', firing)
    assert.deepEqual({ count, refused, skipped }, { count: 3, refused: 1, skipped: 0 })
    assert.equal((await counts(workflow))['refused projection'], 1)
    const [first] = await runs(workflow)
    assert.deepEqual(first!.data, { script: formatContactId(first!.contact!) })
  })

  test('a run that would be too large is not started', async () => {
    const { segment } = await crowd(1)
    const large = { type: 'literal', value: 'x'.repeat(30_000) }
    const all = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`n${n}`, large]))
    const workflow = await withTask(ofSegment(segment, all))
    const firing = await execute(workflow)
    await work()
    assert.equal((await ok('GET', firing)).refused, 1)
    assert.deepEqual(await counts(workflow), { 'task rows': 1, 'task refused': 1, 'refused run too large': 1 })
  })

  test('a task without contacts can read the task and the environment in its projection', async () => {
    clock.set('2026-03-02T08:30:00Z')
    const projection = { id: path('task.id'), at: path('task.time'), environment: path('environment.color') }
    const workflow = await activate({
      nodes,
      scripting: { environment: { variables: { color: 'red' } } },
      tasks: [{ id: 'task', handler: 'end', provider: { type: 'none', projection } }],
    })
    await execute(workflow)
    await work()
    const [run, ...others] = await runs(workflow)
    assert.equal(others.length, 0)
    assert.equal(run!.contact, null)
    assert.deepEqual(run!.data, { id: 'task', at: '2026-03-02T08:30:00.000Z', environment: 'red' })
  })
})

/** Gives rows as a compilable would; keeps what was asked. */
function rowsOf(rows: readonly Record<string, unknown>[], asked: CompilableRowRequest[] = []): CompilableRows {
  return {
    async *read(_, request) {
      asked.push(request)
      for (let from = 0; from < rows.length; from += 700) yield rows.slice(from, from + 700)
    },
  }
}

describe('task firings over compilables', () => {
  const id = '0193aaaa-0000-7000-8000-000000000001'
  const ofCompilable = (value: object = {}, projection: object = { n: path('row.n') }) => ({
    type: 'compilable',
    value: { id, ...value },
    projection,
  })

  test('each row starts a run for its receiver, and rows with an unknown receiver are skipped', async () => {
    const { contacts } = await crowd(3)
    const [a, b, c] = contacts.map((contact) => formatContactId(contact)) as [string, string, string]
    const rows = [
      { n: 1, id: a },
      { n: 2, id: '000ZZZZ' },
      { n: 3, id: b },
      { n: 4 },
      { n: 5, id: { type: 'id', value: c } },
    ]
    const asked: CompilableRowRequest[] = []
    const projection = { n: path('row.n'), address: path('contact.unicity') }
    const given = { since: path('task.id') }
    const workflow = await withTask(ofCompilable({ arguments: given }, projection))
    const firing = await execute(workflow, { limit: 9 })
    await work(createWorkflowTaskWorker(engine, rowsOf(rows, asked)))
    assert.deepEqual(asked, [{ account: own.account, compilable: id, arguments: { since: 'task' }, limit: 9 }])
    const found = await runs(workflow)
    assert.deepEqual(
      found.map(({ contact, data }) => [contact, data['n']]),
      [
        [contacts[0], 1],
        [contacts[1], 3],
        [contacts[2], 5],
      ],
    )
    assert.match(String(found[0]!.data['address']), /@test\.example$/)
    const { count, skipped, rows: read } = await ok('GET', firing)
    assert.deepEqual({ count, skipped, read }, { count: 3, skipped: 2, read: 5 })
  })

  test('with a null receiver, each row starts a run without a contact', async () => {
    const workflow = await withTask(ofCompilable({ receiver: null }))
    await execute(workflow)
    await work(createWorkflowTaskWorker(engine, rowsOf(Array.from({ length: 2100 }, (_, n) => ({ n })))))
    const found = await runs(workflow)
    assert.deepEqual(new Set(found.map(({ data }) => data['n'])).size, 2100)
    assert.ok(found.every(({ contact }) => contact === null))
  })

  test('a compilable that fails to return rows fails the firing, is counted and starts no run', async () => {
    const workflow = await withTask(ofCompilable())
    const none = await execute(workflow)
    await work()
    const { state, reason, count } = await ok('GET', none)
    assert.deepEqual({ state, count }, { state: 'failed', count: 0 })
    assert.equal(reason, `There is no compilable ${id}.`)
    const failing: CompilableRows = {
      async *read() {
        yield Array.from({ length: 1200 }, (_, n) => ({ n, id: null }))
        throw new TaskProviderFailure('There are more than 5,000,000 rows.')
      },
    }
    const second = await execute(workflow)
    await work(createWorkflowTaskWorker(engine, failing))
    assert.equal((await ok('GET', second)).reason, 'There are more than 5,000,000 rows.')
    assert.deepEqual(await counts(workflow), { 'task failed': 2 })
    assert.equal((await runs(workflow)).length, 0)
    assert.equal((await sql`select from workflow_firing_batches`.execute(db)).rows.length, 0)
  })
})

describe('firings in progress', () => {
  /** A firing of three batches, of which one has become runs. */
  async function halfWay(): Promise<{ workflow: number; contacts: number[]; firing: string }> {
    const { segment, contacts } = await crowd(2500)
    const workflow = await withTask(ofSegment(segment))
    const firing = await execute(workflow)
    await work(failingAt(2))
    assert.equal((await runs(workflow)).length, 1000)
    return { workflow, contacts, firing }
  }

  test('continue where they were after their worker fails', async () => {
    const { workflow, contacts, firing } = await halfWay()
    await work()
    assert.equal((await runs(workflow)).length, 1000, 'it is left alone for a while')
    clock.advance(31_000)
    await work()
    assert.deepEqual(await contactsOf(workflow), contacts)
    assert.equal((await ok('GET', firing)).count, 2500)
  })

  test('are stopped permanently by a deactivation', async () => {
    const { workflow, firing } = await halfWay()
    await ok('DELETE', `/scripting/workflows/${workflow}/activation`)
    const { state, reason, count } = await ok('GET', firing)
    assert.deepEqual({ state, reason, count }, { state: 'failed', reason: 'deactivated', count: 1000 })
    await ok('POST', `/scripting/workflows/${workflow}/activation`)
    clock.advance(31_000)
    await work()
    assert.equal((await runs(workflow)).length, 1000)
    assert.equal((await sql`select from workflow_firing_batches`.execute(db)).rows.length, 0)
  })

  test('stop when their task is removed, and continue with a new version of the task', async () => {
    const removed = await halfWay()
    await ok('PUT', `/scripting/workflows/${removed.workflow}/tasks`, { body: [] })
    const changed = await halfWay()
    const url = `/scripting/workflows/${changed.workflow}`
    const [task] = await ok('GET', `${url}/tasks`)
    await ok('PUT', url, {
      body: {
        nodes: [...nodes, { id: 'other', type: 'terminal', settings: {} }],
        tasks: [{ ...task, handler: 'other' }],
      },
    })
    clock.advance(31_000)
    await work()
    assert.deepEqual((await ok('GET', removed.firing)).reason, 'The task was removed.')
    assert.equal((await runs(removed.workflow)).length, 1000)
    assert.deepEqual(await contactsOf(changed.workflow), changed.contacts)
    const { rows } = await sql<{ node: string; version: number; n: number }>`
      select node, version, count(*)::integer as n from workflow_runs where workflow = ${changed.workflow}
      group by 1, 2 order by 2`.execute(db)
    assert.deepEqual(rows, [
      { node: 'end', version: 1, n: 1000 },
      { node: 'other', version: 2, n: 1500 },
    ])
  })

  test('are shared by concurrent workers, with one run for each contact', async () => {
    const { segment, contacts } = await crowd(4000)
    const workflow = await withTask(ofSegment(segment))
    await execute(workflow)
    const workers = Array.from({ length: 4 }, () => createWorkflowTaskWorker(engine))
    await Promise.all(workers.map((worker) => work(worker)))
    await work()
    assert.deepEqual(await contactsOf(workflow), contacts)
  })
})
