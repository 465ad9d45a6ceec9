import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const { call, context, makeKey, own, other } = harness
const { db } = context
const PATH = '/scripting/workflows'
const DAY = 86_400_000
const AT = '2026-02-02T09:00:00.000Z'

const literal = (value: unknown) => ({ type: 'literal', value })
const end = (id: string) => ({ id, type: 'terminal', settings: { outcome: id } })
const sleep = {
  id: 'pause',
  type: 'sleep',
  default: true,
  next: 'tell',
  settings: { period: { unit: 'DAY', value: 30 } },
}
const tell = { id: 'tell', type: 'publish', event: literal('cart.left'), data: literal({ n: 7 }), next: 'end' }
const calling = {
  id: 'ask',
  type: 'request',
  default: true,
  next: 'end',
  settings: { url: literal('https://api.shop.example/stock'), into: 'stock' },
}
const allowed = { environment: { http: { allow: ['api.shop.example'] } } }

async function workflow(body: object): Promise<number> {
  const answer = await call('POST', PATH, { body: { name: 'Flow', ...body } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function simulate(id: number, body: object = {}) {
  const answer = await call('POST', `${PATH}/${id}/simulation`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const contact = async (Email: string): Promise<string> => (await call('POST', '/targets', { body: { Email } })).body.id

/** How many rows there are of all that runs write. */
async function written(): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from workflow_runs) as runs, (select count(*) from workflow_entries) as entries,
      (select count(*) from workflow_count_deltas) as counts, (select count(*) from notices) as notices,
      (select count(*) from messages) as messages, (select count(*) from events) as events,
      (select count(*) from workflow_samples) as samples, (select count(*) from contacts) as contacts,
      (select count(*) from workflow_cappings) as cappings`.execute(db)
  return rows[0]
}

const wait = (settings: object) => ({
  nodes: [
    {
      id: 'w',
      type: 'wait',
      default: true,
      next: 'came',
      settings: { event: { type: 'custom', names: ['paid'] }, correlation: 'none', timeoutNext: 'late', ...settings },
    },
    end('came'),
    end('late'),
  ],
})

suite('workflow simulation', () => {
  test('passes a sleep of 30 days, describes the effects and writes nothing', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const receiver = { type: 'id', value: await contact('ann@shop.example') }
    const before = await written()
    const body = await simulate(id, { clock: AT, receiver })
    assert.deepEqual(await written(), before)
    assert.deepEqual([body.type, body.status, body.outcome, body.node], ['success', 'completed', 'end', 'end'])
    const at = new Date(Date.parse(AT) + 30 * DAY).toISOString()
    assert.equal(body.clock, at)
    assert.deepEqual(body.effects, [
      { node: 'tell', type: 'publish', at, value: { event: 'cart.left', data: { n: 7 } } },
    ])
    assert.deepEqual(
      body.trace.map((one: { node: string }) => one.node),
      ['pause', 'tell', 'end'],
    )
  })

  test('returns the same result for the same input and clock', async () => {
    const split = {
      id: 'split',
      type: 'split',
      default: true,
      next: 'end',
      settings: {
        by: 'run',
        branches: [
          { id: 'a', weight: 50 },
          { id: 'b', weight: 50 },
        ],
      },
    }
    const id = await workflow({ nodes: [split, end('end')] })
    const asked = { clock: AT, data: { n: 3 } }
    assert.deepEqual(await simulate(id, asked), await simulate(id, asked))
  })

  test('a wait leaves by the listed event or its deadline, and without either keeps waiting', async () => {
    const id = await workflow(wait({ timeout: { unit: 'HOUR', value: 2 } }))
    const paid = (at: string) => ({ type: 'custom', name: 'paid', at })
    const took = async (events: object[]) => {
      const { outcome, clock: at } = await simulate(id, { clock: AT, events })
      return [outcome, at]
    }
    assert.deepEqual(await took([]), ['late', '2026-02-02T11:00:00.000Z'])
    assert.deepEqual(await took([paid('2026-02-02T10:30:00.000Z')]), ['came', '2026-02-02T10:30:00.000Z'])
    assert.deepEqual(await took([paid('2026-02-02T11:00:00.000Z')]), ['late', '2026-02-02T11:00:00.000Z'])
    assert.deepEqual(await took([{ ...paid('2026-02-02T10:30:00.000Z'), name: 'sent' }]), [
      'late',
      '2026-02-02T11:00:00.000Z',
    ])
    const endless = await simulate(await workflow(wait({ timeout: null })), { clock: AT })
    assert.deepEqual([endless.status, endless.node, endless.clock], ['waiting', 'w', AT])
  })

  test('a wait that looks back finds the stored events of its contact', async () => {
    const since = { unit: 'DAY', value: 7 }
    const id = await workflow(
      wait({ correlation: 'contact', since, timeout: { unit: 'HOUR', value: 2 }, into: 'paid' }),
    )
    const [ann, ben] = [await contact('ann.paid@shop.example'), await contact('ben.paid@shop.example')]
    const publish = (name: string, contact: string, data: object) =>
      inTransaction(db, (tx) =>
        publishCustomEvents(tx, [
          { account: own.account, name, contact: parseContactId(contact)!, data: { ...data }, stamp: null, depth: 0 },
        ]),
      )
    await publish('paid', ben, { n: 1 })
    await publish('sent', ann, { n: 2 })
    await publish('paid', ann, { n: 3 })
    const simulated = (value: string, more = {}) => simulate(id, { receiver: { type: 'id', value }, ...more })
    const found = await simulated(ann, { clock: new Date(Date.now() + 1000).toISOString() })
    assert.deepEqual([found.outcome, found.variables.paid.data], ['came', { n: 3 }])
    assert.equal((await simulated(ann, { clock: new Date(Date.now() + 8 * DAY).toISOString() })).outcome, 'late')
    assert.equal((await simulated(await contact('cleo.paid@shop.example'))).outcome, 'late')
  })

  test('a listed event ends only one wait, and the next wait needs another', async () => {
    const next = { ...wait({}).nodes[0], id: 'again', default: false }
    const first = { ...wait({}).nodes[0], next: 'again' }
    const id = await workflow({ nodes: [first, next, end('came'), end('late')] })
    const paid = { type: 'custom', name: 'paid', at: '2026-02-02T10:00:00.000Z' }
    assert.equal((await simulate(id, { clock: AT, events: [paid] })).node, 'again')
    assert.equal((await simulate(id, { clock: AT, events: [paid, paid] })).outcome, 'came')
  })

  test('a listed event reaches a goal during a sleep', async () => {
    const goal = { id: 'goal', type: 'goal', settings: { event: { type: 'custom', names: ['bought'] } } }
    const id = await workflow({ nodes: [sleep, tell, end('end'), goal] })
    const receiver = { type: 'id', value: await contact('bea@shop.example') }
    const bought = { type: 'custom', name: 'bought', at: '2026-02-05T00:00:00.000Z' }
    const body = await simulate(id, { clock: AT, receiver, events: [bought] })
    assert.deepEqual([body.status, body.outcome, body.effects], ['completed', 'goal', []])
  })

  test('a run sleeps on past an event that does not reach its goal', async () => {
    const goal = { id: 'goal', type: 'goal', settings: { event: { type: 'custom', names: ['bought'] } } }
    const id = await workflow({ nodes: [sleep, tell, end('end'), goal] })
    const receiver = { type: 'id', value: await contact('nora@shop.example') }
    const otherEvent = { type: 'custom', name: 'seen', at: '2026-02-05T00:00:00.000Z' }
    const body = await simulate(id, { clock: AT, receiver, events: [otherEvent] })
    assert.deepEqual([body.status, body.outcome], ['completed', 'end'])
  })

  test('an event that does not reach a goal does not hurry the next attempt of a call', async () => {
    const goal = { id: 'goal', type: 'goal', settings: { event: { type: 'custom', names: ['bought'] } } }
    const nodes = [calling, end('end'), goal]
    const id = await workflow({ nodes, scripting: allowed })
    const receiver = { type: 'id', value: await contact('owen@shop.example') }
    const otherEvent = { type: 'custom', name: 'seen', at: '2026-02-02T09:00:10.000Z' }
    const attempts = async (events: object[]) => {
      const { trace } = await simulate(id, { clock: AT, receiver, events, responses: { ask: { status: 503 } } })
      return trace.map(({ date }: { date: string }) => date)
    }
    const undisturbed = await attempts([])
    assert.ok(undisturbed.length > 0)
    assert.deepEqual(await attempts([otherEvent]), undisturbed)
  })

  test('server calls get the listed answers, and no server is called', async () => {
    const id = await workflow({ nodes: [calling, end('end')], scripting: allowed })
    const usual = await simulate(id)
    assert.deepEqual(usual.variables, { stock: { status: 200, headers: {}, body: null } })
    assert.equal(usual.effects[0].value.url, 'https://api.shop.example/stock')
    const listed = await simulate(id, { responses: { ask: { body: { left: 3 } } } })
    assert.deepEqual(listed.variables.stock.body, { left: 3 })
    const refused = await simulate(id, { responses: { ask: { status: 404 } } })
    assert.deepEqual([refused.type, refused.value.node, refused.status], ['error', 'ask', 'failed'])
    assert.equal(refused.trace.length, 1)
  })

  test('stops at maxNodes, and checks a definition passed in place of the stored one', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const few = await simulate(id, { maxNodes: 1 })
    assert.deepEqual([few.type, few.value.type], ['error', 'too many nodes'])
    const given = await simulate(id, { definition: { nodes: [{ ...end('mine'), default: true }] } })
    assert.equal(given.outcome, 'mine')
    const post = (definition: object) => call('POST', `${PATH}/${id}/simulation`, { body: { definition } })
    assert.equal((await post({ nodes: [{ id: 'a', type: 'sendFax' }] })).status, 400)
    const flawed = await post({ nodes: [{ ...sleep, next: 'gone' }] })
    assert.deepEqual([flawed.status, flawed.body.flaws[0].type], [409, 'unknown-reference'])
    assert.equal((await call('GET', `${PATH}/${id}`)).body.version, 1)
  })

  test('refuses a flawed stored definition, unknown nodes, invalid dates and unknown contacts', async () => {
    const flawed = await workflow({ nodes: [{ ...sleep, next: 'gone' }] })
    assert.equal((await call('POST', `${PATH}/${flawed}/simulation`, { body: {} })).status, 409)
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const post = async (body: object) => (await call('POST', `${PATH}/${id}/simulation`, { body })).status
    assert.deepEqual([await post({ node: 'gone' }), await post({ clock: 'soon' })], [400, 400])
    const stranger = { type: 'unicity', value: ['nobody@shop.example'] }
    const unknown = await simulate(id, { receiver: stranger })
    assert.deepEqual(unknown, { type: 'error', value: { type: 'recipient not found', receiver: stranger } })
  })

  test('checks re-entry rules', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')], settings: { reentry: { mode: 'never' } } })
    const receiver = { type: 'id', value: await contact('ida@shop.example') }
    assert.equal((await simulate(id, { receiver })).type, 'success')
    assert.equal((await call('POST', `${PATH}/${id}/activation`)).status, 204)
    assert.equal((await call('POST', `${PATH}/${id}/execution`, { body: { receiver } })).body.type, 'success')
    assert.deepEqual(await simulate(id, { receiver }), {
      type: 'error',
      value: { type: 're-entry refused', reason: 'never' },
    })
  })

  test('requires the read right, and returns 404 for workflows of another account', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const [reader, writer] = [await makeKey(own.account, ['read']), await makeKey(own.account, ['write'])]
    const status = async (key: string) => (await call('POST', `${PATH}/${id}/simulation`, { body: {}, key })).status
    assert.deepEqual([await status(reader), await status(writer), await status(other.key)], [200, 403, 404])
  })
})

suite('execution items with debug', () => {
  const item = { debug: { version: '7.0.0' } }
  const execute = (id: number, body: object, list = '') => call('POST', `${PATH}/${id}/execution${list}`, { body })

  test('an inactive workflow refuses items, but simulates items with debug', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    assert.equal((await execute(id, {})).status, 409)
    const before = await written()
    const { status, body } = await execute(id, item)
    assert.deepEqual([status, body.type, body.receiver, body.debug.status], [200, 'success', null, 'completed'])
    assert.equal(body.debug.trace.length, 3)
    assert.deepEqual(await written(), before)
  })

  test('return the trace of the requested nodes, and accept a ttl above the maximum', async () => {
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const debug = { version: '7.0.0', ttl: 50_000, nodes: ['tell', { id: 'tell' }, {}] }
    const { status, body } = await execute(id, [{ debug }], 's')
    assert.equal(status, 200)
    assert.deepEqual(
      body[0].debug.trace.map(({ node }: { node: string }) => node),
      ['tell'],
    )
    const all = await execute(id, { debug: { ...debug, nodes: [{}] } })
    assert.equal(all.body.debug.trace.length, 3)
    const few = await execute(id, { debug: { ttl: 1 } })
    assert.deepEqual([few.body.type, few.body.value.type], ['error', 'too many nodes'])
  })

  test('are refused for a flawed definition and for an unknown node', async () => {
    const flawed = await workflow({ nodes: [{ ...sleep, next: 'gone' }] })
    assert.equal((await execute(flawed, item)).body.type.split(':').at(-1), 'workflow-flawed')
    const id = await workflow({ nodes: [sleep, tell, end('end')] })
    const { status, body } = await execute(id, [item, { ...item, node: 'gone' }], 's')
    assert.deepEqual([status, body.errors[0].pointer], [400, '/1/node'])
  })
})
