import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, own, other, clock } = harness
const { db } = harness.context
const stage = workflowStage(harness)

const rest = { id: 'rest', type: 'sleep', settings: { period: { unit: 'DAY', value: 1 } }, next: 'end' }
const end = { id: 'end', type: 'terminal', settings: { outcome: 'rested' } }
const resting = [{ ...rest, default: true }, end]
const custom = (name: string) => ({ event: { type: 'custom', names: [name] } })
const waiting = [
  { id: 'ordered', type: 'wait', default: true, settings: { ...custom('paid'), into: 'paid' }, next: 'all' },
  {
    id: 'all',
    type: 'wait.all',
    settings: {
      waits: [
        { id: 'one', ...custom('one') },
        { id: 'two', ...custom('two') },
      ],
      into: 'both',
    },
    next: 'end',
  },
  { id: 'aside', type: 'terminal', settings: { outcome: 'aside' } },
  end,
]

let made = 0
async function contact(key = own.key): Promise<string> {
  const { body } = await call('PUT', '/targets', { body: { Email: `person${++made}@shop.example` }, key })
  return body.id
}

const execution = (workflow: number, body: unknown, more: object = {}) =>
  call('POST', `/scripting/workflows/${workflow}/execution`, { body, ...more })
const executions = (workflow: number, body: unknown, more: object = {}) =>
  call('POST', `/scripting/workflows/${workflow}/executions`, { body, ...more })

async function runsOf(workflow: number): Promise<{ id: string; contact: number | null; stamp: string; set: string }[]> {
  const { rows } = await sql<{ id: string; contact: number | null; stamp: string; set: string }>`
    select id, contact, stamp, set from workflow_runs where workflow = ${workflow} order by id`.execute(db)
  return rows
}

const hash = '0123456789abcdef0123456789abcdef'

describe('executions: requests', () => {
  test('the workflow media types work like JSON, others return 415, and 1,001 items return 400 and start nothing', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const receiver = { type: 'id', value: await contact() }
    const types = ['application/json', 'application/vnd.np6.cm.workflow-v4', 'application/vnd.np6.cm.workflow']
    const answers = []
    for (const type of types) {
      const stamp = { id: '11111111-1111-4111-8111-111111111111' }
      const headers = { 'content-type': type }
      const {
        status,
        body,
        headers: given,
      } = await executions(workflow, JSON.stringify([{ receiver, stamp }]), { headers })
      assert.equal(status, 200)
      assert.match(String(given['content-type']), /^application\/json/)
      answers.push(body)
    }
    assert.equal(answers[0][0].type, 'success')
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    const refused = await executions(workflow, '[]', { headers: { 'content-type': 'text/plain' } })
    assert.equal(refused.status, 415)
    const before = (await runsOf(workflow)).length
    assert.equal((await executions(workflow, Array(1001).fill({}))).status, 400)
    assert.equal((await runsOf(workflow)).length, before)
    assert.deepEqual((await executions(workflow, [])).body, [])
  })

  test('an unknown contact is an error of its item only, and the other two items start runs', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const [first, second] = [await contact(), await contact()]
    const unknown = { type: 'hash', value: hash }
    const { status, body } = await executions(workflow, [
      { receiver: { type: 'id', value: first } },
      { receiver: unknown },
      { recipient: { type: 'footprint', id: second } },
    ])
    assert.equal(status, 200)
    assert.deepEqual(
      body.map((one: { type: string }) => one.type),
      ['success', 'error', 'success'],
    )
    assert.deepEqual(body[1].value, { type: 'recipient not found', receiver: unknown })
    assert.deepEqual([body[0].receiver.type, body[0].receiver.id], ['footprint', first])
    assert.match(body[2].receiver.unicity, /@shop\.example$/)
    const runs = await runsOf(workflow)
    assert.deepEqual(runs.map(({ id }) => id).sort(), [body[0].id, body[2].id].sort())
    assert.equal(new Set(runs.map(({ set }) => set)).size, 1, 'items of a request share a set')
    assert.deepEqual(runs.map((run) => formatContactId(run.contact!)).sort(), [first, second].sort())
  })

  test('an inactive workflow starts no runs', async () => {
    const workflow = await stage.activate({ nodes: resting })
    await call('DELETE', `/scripting/workflows/${workflow}/activation`)
    for (const { status, body } of [await execution(workflow, {}), await executions(workflow, [{}])]) {
      assert.equal(status, 409)
      assert.match(body.type, /workflow-inactive$/)
    }
    assert.deepEqual(await runsOf(workflow), [])
  })

  test('simultaneous requests with the same stamp start one run', async () => {
    const workflow = await stage.activate({ nodes: resting, settings: { concurrency: 100 } })
    const stamp = { id: 'AAAAAAAA-1111-4111-8111-111111111111' }
    const receiver = { type: 'id', value: await contact() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => execution(workflow, n % 2 === 0 ? { stamp, receiver } : { stamp })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
    const runs = await runsOf(workflow)
    assert.equal(runs.length, 1)
    assert.equal(runs[0]!.stamp, stamp.id.toLowerCase())
    const { body } = await executions(workflow, [{ stamp }, { stamp }])
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      [runs[0]!.id, runs[0]!.id],
    )
  })

  test('every optional member may be null', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const names = ['id', 'receiver', 'node', 'event', 'state', 'data', 'variables', 'resolutions', 'stamp', 'debug']
    const { status, body } = await execution(workflow, Object.fromEntries(names.map((name) => [name, null])))
    assert.equal(status, 200)
    assert.equal(body.type, 'success')
    assert.equal(body.receiver, null)
    const stamp = { id: null, thread: null, set: null, time: null }
    assert.equal((await execution(workflow, { stamp })).body.type, 'success')
    assert.equal((await execution(workflow, {})).body.type, 'success')
  })

  test('an unknown node, or no node when there is no default, returns 400 for the whole request', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const unknown = await executions(workflow, [{}, { node: 'gone' }])
    assert.equal(unknown.status, 400)
    assert.equal(unknown.body.errors[0].pointer, '/1/node')
    const open = await stage.activate({ nodes: [rest, end] })
    const missing = await execution(open, { data: {} })
    assert.equal(missing.status, 400)
    assert.equal(missing.body.errors[0].pointer, '/node')
    assert.deepEqual([...(await runsOf(workflow)), ...(await runsOf(open))], [])
    assert.equal((await execution(open, { node: 'end' })).body.type, 'success')
  })

  test('an event above 64 KB returns 400, and a run above 256 KB is an error of its item', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const big = (kilobytes: number) => ({ text: 'x'.repeat(kilobytes * 1024) })
    const refused = await executions(workflow, [{}, { event: big(64) }])
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].pointer, '/1/event')
    const { body } = await executions(workflow, [
      { data: big(200), state: big(57) },
      { data: big(200), event: big(50) },
    ])
    assert.deepEqual(body[0], { type: 'error', value: { type: 'run too large' } })
    assert.equal(body[1].type, 'success')
    assert.equal((await runsOf(workflow)).length, 1)
  })

  test('an account at its limit of open runs is refused as busy', async () => {
    const workflow = await stage.activate({ nodes: resting })
    await sql`insert into workflow_open_runs (account, n) values (${own.account}, 5000000)
      on conflict (account) do update set n = 5000000`.execute(db)
    const { body } = await execution(workflow, {})
    await sql`update workflow_open_runs set n = 0`.execute(db)
    assert.deepEqual(body, { type: 'error', value: { type: 'busy' } })
    assert.equal((await execution(workflow, {})).body.type, 'success')
  })

  test('a run starts with the event, data, state, variables and stamp of its item', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const thread = '22222222-2222-4222-8222-222222222222'
    const { body } = await execution(workflow, {
      id: 'run 1',
      event: { type: 'x' },
      data: { a: 1 },
      state: { b: [2] },
      stamp: { thread, time: 1000 },
      variables: [
        { key: 'c', value: 3 },
        { key: 'd', value: null },
      ],
    })
    const run = await stage.run(body.id)
    assert.match(body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-5/)
    assert.deepEqual(
      [run['event'], run['data'], run['state'], run['variables']],
      [{ type: 'x' }, { a: 1 }, { b: [2] }, { c: 3, d: null }],
    )
    assert.equal(run['thread'], thread)
    assert.equal((run['stamp_time'] as Date).getTime(), 1000)
    assert.deepEqual([run['start_type'], run['start_id'], run['depth']], ['execution', null, 0])
  })

  test('node names with non-ASCII letters work as start nodes and as targets', async () => {
    const first = {
      ...rest,
      id: 'étape 1',
      settings: { until: { type: 'literal', value: '2001-01-01' } },
      next: 'étape 2',
    }
    const workflow = await stage.activate({ nodes: [...resting, first, { ...end, id: 'étape 2' }] })
    const { body } = await execution(workflow, { node: 'étape 1' })
    await stage.work()
    const { outcome, trace } = await stage.run(body.id)
    assert.equal(outcome, 'rested')
    assert.deepEqual(
      trace.map(({ node }) => node),
      ['étape 1', 'étape 2'],
    )
  })

  test('requires the send right and a workflow of the same account', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const reading = await harness.makeKey(own.account, ['read', 'write'])
    assert.equal((await execution(workflow, {}, { key: reading })).status, 403)
    const sending = await harness.makeKey(own.account, ['send'])
    assert.equal((await execution(workflow, {}, { key: sending })).status, 200)
    for (const items of [[{}], []]) assert.equal((await executions(workflow, items, { key: other.key })).status, 404)
    assert.equal((await execution(workflow, {}, { key: other.key })).status, 404)
    const foreign = { type: 'id', value: await contact(other.key) }
    const { body } = await execution(workflow, { receiver: foreign })
    assert.equal(body.value.type, 'recipient not found')
    assert.equal((await runsOf(workflow)).length, 1)
  })
})

describe('executions: open runs', () => {
  test('the id of an order starts a run and later resumes that same run', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const receiver = { type: 'id', value: await contact() }
    const { body } = await execution(workflow, { id: 'order-7', receiver, data: { a: 1, b: 1 } })
    const early = await execution(workflow, { id: 'order-7', resolutions: [{ key: 'ordered', value: {} }] })
    assert.deepEqual(early.body, { type: 'error', value: { type: 'run not waiting', id: body.id } })
    await stage.work()
    const value = { type: 'paid', id: 42, amount: 7 }
    const resumed = await execution(workflow, {
      id: 'order-7',
      data: { b: 2 },
      state: { c: 3 },
      variables: [{ key: 'd', value: 4 }],
      resolutions: [{ key: 'ordered', value }],
    })
    assert.deepEqual(resumed.body, body)
    await stage.work()
    const run = await stage.run(body.id)
    assert.equal(run['node'], 'all')
    assert.deepEqual(run['data'], { a: 1, b: 2 })
    assert.deepEqual(run['state'], { c: 3 })
    assert.deepEqual(run['variables'], { d: 4, paid: value })
    assert.equal((await runsOf(workflow)).length, 1)
  })

  test('the waits of a node are resolved one at a time, and a resolved wait cannot be resolved again', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const { body } = await execution(workflow, { id: 'A', node: 'all' })
    await stage.work()
    const resolve = (...keys: string[]) =>
      execution(workflow, {
        id: body.id,
        resolutions: keys.map((key) => ({ key, value: key === 'all/two' ? null : { n: 1 } })),
      })
    assert.equal((await resolve('all')).body.value.type, 'run not waiting')
    assert.equal((await resolve('all/one', 'all/three')).body.value.type, 'run not waiting')
    assert.equal((await resolve('all/one')).body.type, 'success')
    await stage.work()
    assert.equal((await stage.run(body.id))['status'], 'waiting')
    assert.equal((await resolve('all/one')).body.value.type, 'run not waiting')
    assert.equal((await resolve('all/two')).body.type, 'success')
    await stage.work()
    const run = await stage.run(body.id)
    assert.deepEqual([run['status'], run['outcome']], ['completed', 'rested'])
    assert.deepEqual(run['variables'], { both: { one: { n: 1 }, two: null } })
    assert.deepEqual((await resolve('all/one')).body.value, { type: 'run id used', id: body.id })
  })

  test('an open run can be moved to another node, with or without a resolution', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const ids = []
    for (const resolutions of [[], [{ key: 'ordered', value: { n: 1 } }]]) {
      const { body } = await execution(workflow, {})
      ids.push(body.id)
      await stage.work()
      assert.equal((await execution(workflow, { id: body.id, node: 'aside', resolutions })).body.type, 'success')
      await stage.work()
      const run = await stage.run(body.id)
      assert.deepEqual([run['status'], run['outcome']], ['completed', 'aside'])
      assert.deepEqual(run['variables'], resolutions.length === 0 ? {} : { paid: { n: 1 } })
    }
    const gone = await execution(workflow, { id: ids[0], node: 'gone' })
    assert.equal(gone.status, 400)
  })

  test('repeating a start with the same id or stamp returns the existing run', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const receiver = { type: 'id', value: await contact() }
    const stamp = { id: '33333333-1111-4111-8111-111111111111' }
    const item = { id: 'B', receiver, stamp, node: 'all' }
    const { body } = await execution(workflow, item)
    await stage.work()
    assert.deepEqual((await execution(workflow, item)).body, body)
    await stage.work()
    assert.equal((await stage.run(body.id))['visit'], 1)
    const another = { type: 'id', value: await contact() }
    assert.equal((await execution(workflow, { id: 'B', receiver: another })).body.value.type, 'run id used')
    const elsewhere = await stage.activate({ nodes: waiting })
    const used = await execution(elsewhere, { id: body.id, resolutions: [{ key: 'ordered', value: {} }] })
    assert.deepEqual(used.body.value, { type: 'run id used', id: body.id })
    const unknown = await execution(workflow, { id: 'C', resolutions: [{ key: 'ordered', value: {} }] })
    assert.equal(unknown.body.value.type, 'run not waiting')
  })

  test('merged data may not make a run too large', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const { body } = await execution(workflow, { id: 'D', data: { text: 'x'.repeat(200_000) } })
    const more = { text: 'y'.repeat(80_000) }
    assert.deepEqual((await execution(workflow, { id: 'D', state: more })).body.value, { type: 'run too large' })
    assert.equal((await execution(workflow, { id: 'D', data: more })).body.id, body.id)
    assert.deepEqual((await stage.run(body.id))['data'], more)
  })

  test('items of one request that name the same run are applied in order', async () => {
    const workflow = await stage.activate({ nodes: waiting })
    const { body } = await executions(workflow, [
      { id: 'E', data: { n: 1 } },
      { id: 'F' },
      { id: 'E', data: { n: 2 } },
      { id: 'E', node: 'aside' },
    ])
    assert.deepEqual(
      body.map(({ type }: { type: string }) => type),
      ['success', 'success', 'success', 'success'],
    )
    assert.equal(body[0].id, body[3].id)
    await stage.work()
    const run = await stage.run(body[0].id)
    assert.deepEqual([run['outcome'], run['data']], ['aside', { n: 2 }])
    assert.equal((await runsOf(workflow)).length, 2)
  })

  test('deactivation waits for requests that are starting runs, and requests after it are refused', async () => {
    const workflow = await stage.activate({ nodes: resting })
    const started = Promise.all(Array.from({ length: 10 }, () => executions(workflow, Array(50).fill({}))))
    const off = await call('DELETE', `/scripting/workflows/${workflow}/activation`)
    assert.equal(off.status, 204)
    const before = (await runsOf(workflow)).length
    const answers = await started
    const good = answers.filter(({ status }) => status === 200).length
    assert.equal((await runsOf(workflow)).length, good * 50)
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    assert.equal(before, good * 50, 'none started after the deactivation was answered')
    clock.advance(1)
  })
})
