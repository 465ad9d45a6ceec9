import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { createWorkflowTaskWorker } from '../../../src/features/workflows/tasks/task-worker.ts'
import { bestCustomers, compilableStage, literal, path, pipeline, script } from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const stage = await startStage()
const { call, clock, context, own, other, makeKey } = stage
const { make, made, url, execute } = compilableStage(stage)
const { activate, start, work, run, engine, tasks } = workflowStage(stage)
const { db } = context
const UNKNOWN = '0193c0de-7000-7000-8000-000000000041'

const end = (id: string) => ({ id, type: 'terminal', settings: { outcome: id } })
/** A node that executes a compilable, then ends. */
const executing = (compilable: string, settings: object = {}) => ({
  id: 'rows',
  type: 'data-manager/pipeline',
  default: true,
  next: 'end',
  settings: { compilable, into: 'rows', failure: { mode: 'fail', retry: { attempts: 0 } }, ...settings },
})
const first = (compilable: string, settings: object = {}) => ({
  ...executing(compilable, settings),
  type: 'data-table/pipeline',
})
const numbers = pipeline(
  [{ n: 1 }, { n: 2 }, { n: 3 }],
  [{ type: 'limit', count: path('arguments.top') }],
  [{ name: 'top', type: 'number', default: 3 }],
)
/** What becomes of a run through one node. */
async function through(node: object, given: object = {}) {
  const { nodes = [end('end'), end('none')], ...more } = given as { nodes?: object[] }
  const workflow = await activate({ nodes: [node, ...nodes] })
  const started = (await start(workflow, more)) as { id: string }
  await work()
  return run(started.id)
}

async function workflow(body: object, key = own.key): Promise<number> {
  const answer = await call('POST', '/scripting/workflows', { body: { name: 'Flow', ...body }, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const flawsOf = async (body: object): Promise<string[]> =>
  (await call('GET', `/scripting/workflows/${await workflow(body)}/flaws`)).body.map(
    ({ type, path: at }: { type: string; path: string }) => `${type} ${at}`,
  )

suite('workflow nodes that execute compilables', () => {
  test('data-manager/pipeline returns the whole value and accepts expressions as arguments', async () => {
    const id = await made(numbers)
    const found = await through(executing(id, { arguments: { top: path('data.top') } }), { data: { top: 2 } })
    assert.deepEqual([found['status'], found['variables']], ['completed', { rows: [{ n: 1 }, { n: 2 }] }])
    const text = await made({
      type: 'template',
      value: 'Hi {{ arguments.who }}',
      parameters: [{ name: 'who', type: 'string' }],
    })
    assert.deepEqual((await through(executing(text, { arguments: { who: 'Ann' } })))['variables'], { rows: 'Hi Ann' })
  })

  test('data-table/pipeline returns the first row, or null by the "empty" output', async () => {
    const id = await made(numbers)
    const found = await through(first(id, { empty: 'none' }))
    assert.deepEqual([found['outcome'], found['variables']], ['end', { rows: { n: 1 } }])
    const none = await through(first(id, { empty: 'none', arguments: { top: 0 } }))
    assert.deepEqual([none['outcome'], none['variables']], ['none', { rows: null }])
  })

  test('a value is limited to 1,000 rows and 256 KB, and the first row of a larger one can be read', async () => {
    const large = (size: number, count: number) =>
      made(
        pipeline(
          Array.from({ length: count }, () => ({})),
          [{ type: 'map', fields: { t: literal('x'.repeat(size)) } }],
        ),
      )
    const reason = async (compilable: string) => {
      const { status, last } = await through(executing(compilable))
      return [status, (last as { error: { type: string; message: string } }).error]
    }
    assert.deepEqual(await reason(await large(1, 1001)), [
      'failed',
      { type: 'limit', message: 'The result exceeds 1,000 rows.', node: 'rows' },
    ])
    assert.deepEqual(await reason(await large(1000, 300)), [
      'failed',
      { type: 'limit', message: 'The result exceeds 256 KB.', node: 'rows' },
    ])
    assert.deepEqual((await through(first(await large(1, 1001))))['variables'], { rows: { t: 'x' } })
  })

  test('an argument of a wrong type, a draft and an unknown compilable fail the node', async () => {
    const type = async (node: object) => ((await through(node))['last'] as { error: { type: string } }).error.type
    const id = await made(numbers)
    assert.equal(await type(executing(id, { arguments: { top: literal('x') } })), 'invalid-request')
    assert.equal(
      await type(executing(await made(pipeline({ type: 'segment', segment: 99_999 }, [])))),
      'flawed-reference',
    )
    assert.equal(await type(executing(UNKNOWN)), 'not-found')
  })

  test('the writes of a script are applied with the step', async () => {
    const value = (statement: string) => ({
      type: 'script',
      value: `export default () => { ${statement} }`,
      scripting: { environment: { capabilities: ['targets.write'] } },
    })
    const id = await made(value('log("made"); return targets.create({ Email: "node@flows.example" })'))
    const found = await through(executing(id))
    const { body } = await call('GET', '/targets?unicity=node@flows.example')
    assert.deepEqual(found['variables'], { rows: body.id })
    const broken = await made(value('targets.create({ Email: "node@flows.example" })'))
    assert.deepEqual(((await through(executing(broken)))['last'] as { error: { type: string } }).error.type, 'write')
  })

  test('a simulation reads real rows, and describes writes without making them', async () => {
    const ann = await stage.contact('ann@flows.example')
    const segment = await stage.segment([ann])
    const members = await made(
      pipeline({ type: 'segment', segment }, [{ type: 'map', fields: { id: path('row.id') } }]),
    )
    const id = await workflow({ nodes: [executing(members), end('end')] })
    const simulated = await call('POST', `/scripting/workflows/${id}/simulation`, { body: {} })
    assert.deepEqual(
      [simulated.body.status, simulated.body.variables],
      ['completed', { rows: [{ id: ann }] }],
      simulated.text,
    )
    const writing = await made({
      type: 'script',
      value: 'export default () => { targets.create({ Email: "shown@flows.example" }); return 1 }',
      scripting: { environment: { capabilities: ['targets.write'] } },
    })
    const other = await workflow({ nodes: [executing(writing), end('end')] })
    const { body } = await call('POST', `/scripting/workflows/${other}/simulation`, { body: {} })
    assert.deepEqual(
      body.effects.map(({ value }: { value: unknown }) => value),
      [{ call: 'targets.create', arguments: [{ Email: 'shown@flows.example' }] }],
    )
    assert.equal((await call('GET', '/targets?unicity=shown@flows.example')).status, 404)
  })

  test('unknown, flawed and unsuitable compilables and wrong arguments are flaws of the workflow', async () => {
    const needing = await made(
      pipeline(
        [{}],
        [{ type: 'map', fields: { a: path('arguments.a') } }],
        [{ name: 'a', type: 'number', required: true }],
      ),
    )
    const at = '/nodes/0/settings'
    const of = (node: object) => flawsOf({ nodes: [node, end('end')] })
    assert.deepEqual(await of(executing(UNKNOWN)), [`unknown-reference ${at}/compilable`])
    const foreign = await make({ name: 'x', value: numbers }, { key: other.key })
    assert.deepEqual(await of(executing(foreign.body.id)), [`unknown-reference ${at}/compilable`])
    assert.deepEqual(await of(executing(await made(pipeline({ type: 'segment', segment: 99_999 }, [])))), [
      `flawed-reference ${at}/compilable`,
    ])
    assert.deepEqual(await of(executing(needing)), [`missing-parameter ${at}/arguments`])
    assert.deepEqual(await of(executing(needing, { arguments: { a: 'x', b: 1 } })), [
      `type-mismatch ${at}/arguments/a`,
      `unused-parameter ${at}/arguments/b`,
    ])
    assert.deepEqual(await of(executing(needing, { arguments: { a: 1 } })), [])
    const text = await made({ type: 'template', value: 'x' })
    assert.deepEqual(await of(executing(text)), [])
    assert.deepEqual(await of(first(text)), [`type-mismatch ${at}/compilable`])
    const provider = { type: 'compilable', value: { id: text, arguments: { a: 1 } } }
    assert.deepEqual(
      await flawsOf({ nodes: [{ ...end('end'), default: true }], tasks: [{ id: 't', handler: 'end', provider }] }),
      ['type-mismatch /tasks/0/provider/value/id'],
    )
  })

  test('a compilable used by an active workflow cannot be deleted or changed into a flawed one', async () => {
    const inner = await made(numbers)
    const id = await made(pipeline({ type: 'compilable', id: inner }, []))
    const flow = await workflow({ nodes: [first(id), end('end')] })
    const activation = `/scripting/workflows/${flow}/activation`
    assert.equal((await call('POST', activation)).status, 204)
    const links = [{ type: 'workflow', id: flow, name: 'Flow' }]
    const refused = await call('DELETE', url(id))
    assert.deepEqual(
      [refused.status, refused.body.type, refused.body.links],
      [409, 'urn:stentor:problem:in-use', links],
    )
    const broken = { value: pipeline({ type: 'segment', segment: 99_999 }, []) }
    for (const one of [id, inner])
      for (const method of ['PUT', 'PATCH']) {
        const changed = await call(method, url(one), { body: broken })
        assert.deepEqual([changed.status, changed.body.links], [409, links], `${method} ${one === id}`)
        assert.equal(changed.body.flaws.length > 0, true)
        assert.equal((await call('GET', url(one))).body.state, 'ready')
      }
    assert.equal((await call('PUT', url(id), { body: { name: 'Renamed' } })).status, 200)
    const settings = { ...first(id).settings, compilable: UNKNOWN }
    const flawed = await call('PUT', `/scripting/workflows/${flow}/nodes`, {
      body: [{ ...first(id), settings }, end('end')],
    })
    assert.equal(flawed.status, 409)
    assert.equal((await call('DELETE', activation)).status, 204)
    assert.equal((await call('DELETE', url(id))).status, 204)
    assert.equal((await call('POST', activation)).status, 409)
  })

  test("activation requires the rights that the compilable's script needs", async () => {
    const sending = await made({
      type: 'script',
      value: 'export default () => 1',
      scripting: { environment: { capabilities: ['targets.write'] } },
    })
    const flow = await workflow({ nodes: [executing(sending), end('end')] })
    const key = await makeKey(own.account, ['read', 'send'])
    const activation = `/scripting/workflows/${flow}/activation`
    assert.equal((await call('POST', activation, { key })).status, 403)
    assert.equal((await call('POST', activation)).status, 204)
  })
})

suite('tasks over compilables', () => {
  const nodes = [{ ...end('end'), default: true }]
  const withTask = (provider: object) => activate({ nodes, tasks: [{ id: 'task', handler: 'end', provider }] })
  const provider = (id: string, value: object = {}, projection: object = { n: path('row.n') }) => ({
    type: 'compilable',
    value: { id, ...value },
    projection,
  })
  const fire = async (flow: number, body: object = {}): Promise<string> => {
    const task = `/scripting/workflows/${flow}/tasks/task`
    const { body: fired, text } = await call('POST', `${task}/execution`, { body })
    assert.ok(fired.id, text)
    return `${task}/executions/${fired.id}`
  }
  const workTasks = async (worker = tasks): Promise<void> => {
    while (await worker.work());
  }
  const firing = async (at: string) => {
    const { state, count, rows, skipped, reason } = (await call('GET', at)).body
    return { state, count, rows, skipped, ...(reason != null && { reason }) }
  }
  const runs = async (flow: number): Promise<{ contact: number | null; n: number }[]> =>
    (
      await sql<{ contact: number | null; n: number }>`
        select contact, (data ->> 'n')::integer as n from workflow_runs where workflow = ${flow} order by n, id`.execute(
        db,
      )
    ).rows

  test("a pipeline starts one run for each row, for the contact with the row's id", async () => {
    for (const name of ['Age', 'Spent']) await call('POST', '/fields', { body: { name, type: 'numeric' } })
    const contacts = [
      await stage.contact('a@tasks.example', { Age: 20, Spent: 1 }),
      await stage.contact('b@tasks.example', { Age: 30, Spent: 2 }),
      await stage.contact('c@tasks.example', { Age: 10, Spent: 3 }),
    ]
    const id = await made(bestCustomers(await stage.segment(contacts)).value)
    const flow = await withTask(
      provider(id, { arguments: { top: literal(5) } }, { spent: path('row.spent'), who: path('contact.unicity') }),
    )
    const at = await fire(flow)
    await workTasks()
    assert.deepEqual(await firing(at), { state: 'completed', count: 2, rows: 2, skipped: 0 })
    const { rows } = await sql`select data from workflow_runs where workflow = ${flow} order by data ->> 'who'`.execute(
      db,
    )
    assert.deepEqual(rows, [
      { data: { spent: 1, who: 'a@tasks.example' } },
      { data: { spent: 2, who: 'b@tasks.example' } },
    ])
  })

  const many = (count: number, ...cursors: object[]) =>
    pipeline(
      [{ list: Array.from({ length: 101 }, (_, n) => n) }],
      [
        { type: 'expand', value: path('row.list'), into: 'a' },
        { type: 'expand', value: path('row.list'), into: 'b' },
        { type: 'group', by: { a: path('row.a'), b: path('row.b') }, aggregates: {} },
        { type: 'map', fields: { n: path('row.b'), a: path('row.a') } },
        { type: 'limit', count },
        ...cursors,
      ],
    )

  test('a pipeline too large for an execution can start 10,001 runs', async () => {
    const id = await made(many(10_001))
    assert.deepEqual((await execute(id)).body.value, { type: 'limit', message: 'The result exceeds 10,000 rows.' })
    const flow = await withTask(provider(id, { receiver: null }))
    const at = await fire(flow)
    await workTasks()
    assert.deepEqual(await firing(at), { state: 'completed', count: 10_001, rows: 10_001, skipped: 0 })
    assert.equal((await runs(flow)).length, 10_001)
  })

  test('a worker that fails halfway causes no duplicate runs', async () => {
    const id = await made(many(3000, { type: 'map', fields: { n: script('row.n') } }, { type: 'limit', count: 2500 }))
    const flow = await withTask(provider(id, { receiver: null }, { n: path('row.n') }))
    const at = await fire(flow)
    let seen = 0
    const failing = createWorkflowTaskWorker({
      ...engine,
      async contacts(tx, keys) {
        if (++seen === 2) throw new Error('the worker fails')
        return engine.contacts(tx, keys)
      },
    })
    await workTasks(failing)
    assert.equal((await runs(flow)).length, 1000)
    clock.advance(31_000)
    await workTasks()
    assert.deepEqual(await firing(at), { state: 'completed', count: 2500, rows: 2500, skipped: 0 })
    assert.equal((await runs(flow)).length, 2500)
  })

  test('a failed read is discarded and repeated in full by the next worker', async () => {
    const id = await made(many(2500))
    const flow = await withTask(provider(id, { receiver: null }))
    const at = await fire(flow)
    const failing = createWorkflowTaskWorker(engine, {
      async *read() {
        yield [{ n: 1 }]
        throw new Error('the connection is lost')
      },
    })
    await workTasks(failing)
    assert.equal((await sql`select from workflow_firing_batches`.execute(db)).rows.length, 0)
    clock.advance(31_000)
    await workTasks()
    assert.deepEqual(await firing(at), { state: 'completed', count: 2500, rows: 2500, skipped: 0 })
  })

  test('a limit reduces the rows, and drafts, wrong arguments and errors fail the firing', async () => {
    const ids = [
      await made(many(50)),
      await made(numbers),
      await made(pipeline({ type: 'segment', segment: 99_999 }, [])),
    ]
    const flow = await withTask(provider(ids[0]!, { receiver: null }))
    const at = await fire(flow, { limit: 7 })
    await workTasks()
    assert.deepEqual(await firing(at), { state: 'completed', count: 7, rows: 7, skipped: 0 })
    const failed = async (given: object) => {
      const fired = await fire(await withTask(given))
      await workTasks()
      const { state, reason, count } = (await call('GET', fired)).body
      assert.deepEqual([state, count], ['failed', 0])
      return reason
    }
    assert.match(
      await failed(provider(ids[1]!, { receiver: null, arguments: { top: literal('x') } })),
      /must be a number/,
    )
    assert.match(await failed(provider(ids[2]!, { receiver: null })), /has flaws/)
    assert.match(await failed(provider(UNKNOWN)), /There is no compilable/)
    const throwing = await made(many(5, { type: 'script', value: 'export default () => { throw new Error("no") }' }))
    assert.equal(await failed(provider(throwing, { receiver: null })), 'no')
  })

  test('more than 100,000 rows from in-memory cursors fail the firing', async () => {
    const value = pipeline(
      [{ list: Array.from({ length: 320 }, (_, n) => n) }],
      [
        { type: 'script', value: 'export default (rows) => rows' },
        { type: 'expand', value: path('row.list'), into: 'a' },
        { type: 'expand', value: path('row.list'), into: 'b' },
        { type: 'map', fields: { n: path('row.b') } },
      ],
    )
    const at = await fire(await withTask(provider(await made(value), { receiver: null })))
    await workTasks()
    const { state, reason } = (await call('GET', at)).body
    assert.deepEqual([state, reason], ['failed', 'The result exceeds 100,000 rows.'])
    assert.equal((await sql`select from workflow_firing_batches`.execute(db)).rows.length, 0)
  })
})
