import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readNotices } from '../../../src/features/notices/reading.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, context, own } = harness
const { db } = context

const literal = (value: unknown) => ({ type: 'literal', value })
const path = (value: string) => ({ type: 'path', value })

/** Publishes what `data` says, then ends. */
const publishing = (event: unknown, data?: unknown) => [
  { id: 'tell', type: 'publish', default: true, event, ...(data !== undefined && { data }), next: 'end' },
  { id: 'end', type: 'terminal', settings: { outcome: 'told' } },
]

async function contact(): Promise<{ id: string; number: number }> {
  const { body } = await call('POST', '/targets', { body: { Email: `${crypto.randomUUID()}@shop.example` } })
  return { id: body.id, number: parseContactId(body.id)! }
}

async function published(name: string) {
  return (await readNotices(db, own.account, undefined, 10_000)).filter((one) => one.name === name)
}

describe('publish nodes', () => {
  test("write one custom event for the run's contact, with the run's stamp and a depth one higher", async () => {
    const { id, number } = await contact()
    const workflow = await stage.activate({ nodes: publishing(literal('cart.left'), path('data')) })
    const answer = await stage.start(workflow, { contact: number, data: { cart: 7 }, depth: 3 })
    const run = (answer as { id: string }).id
    await stage.settle()
    const { outcome, stamp, thread, set } = await stage.run(run)
    assert.equal(outcome, 'told')
    const [event, ...others] = await published('cart.left')
    assert.deepEqual(others, [])
    const { timestamp, id: eventId, ...rest } = event!
    assert.equal(typeof timestamp, 'number')
    assert.match(eventId, /^[0-9a-f-]{36}$/)
    assert.deepEqual(
      { ...rest, stamp: { ...rest.stamp, time: 0 } },
      {
        type: 'custom',
        name: 'cart.left',
        contact: id,
        data: { cart: 7 },
        stamp: { id: stamp, thread, set, time: 0 },
        depth: 4,
      },
    )
  })

  test('fail on an invalid event name, and on data that is not an object or is above 64 KB', async () => {
    const cases: [string, unknown, unknown][] = [
      ['a name with a space', path('data.name'), undefined],
      ['an empty name', literal(''), undefined],
      ['a list as data', literal('fine'), path('data.list')],
      ['data above 64 KB', literal('fine'), path('data.large')],
    ]
    for (const [what, event, data] of cases) {
      const workflow = await stage.activate({ nodes: publishing(event, data) })
      const given = { name: 'two words', list: [1], large: { text: 'x'.repeat(65_536) } }
      const run = ((await stage.start(workflow, { data: given })) as { id: string }).id
      await stage.settle()
      const { status } = await stage.run(run)
      assert.equal(status, 'failed', what)
    }
    assert.deepEqual(await published('fine'), [])
  })

  test('publish one event for each of many simultaneous runs', async () => {
    const workflow = await stage.activate({ nodes: publishing(literal('each'), path('data')) })
    for (let n = 0; n < 30; n++) await stage.start(workflow, { data: { n } })
    await stage.settle()
    const told = (await published('each')).map(({ data }) => data['n']).sort((a, b) => Number(a) - Number(b))
    assert.deepEqual(
      told,
      Array.from({ length: 30 }, (_, n) => n),
    )
  })

  test('reach webhooks subscribed to custom events, and no others', async () => {
    const hooks = await sql<{ id: string }>`select id from webhooks`.execute(db)
    assert.equal(hooks.rows.length, 0)
    const made = async (events: string[]) =>
      (await call('POST', '/webhooks', { body: { name: 'hook', url: 'https://hooks.example/in', events } })).body.id
    const [wants, other] = [await made(['custom']), await made(['hits'])]
    const workflow = await stage.activate({ nodes: publishing(literal('hooked')) })
    await stage.start(workflow)
    await stage.settle()
    const [event] = await published('hooked')
    const { rows } = await sql<{ listener: string; event: string }>`
      select listener, event from listener_queue where listener in (${wants}, ${other})`.execute(db)
    assert.deepEqual(rows, [{ listener: wants, event: event!.id }])
  })

  test('events of an erased contact lose their data', async () => {
    const { id, number } = await contact()
    const workflow = await stage.activate({ nodes: publishing(literal('erased'), path('data')) })
    await stage.start(workflow, { contact: number, data: { secret: 'ann' } })
    await stage.settle()
    const answer = await call('DELETE', `/targets/${id}?erase=true`)
    assert.equal(answer.status, 204, answer.text)
    assert.deepEqual(
      (await published('erased')).map(({ data, contact: of }) => [of, data]),
      [[id, {}]],
    )
  })

  test('a loop of publish and listener fails at depth 10 with the reason "recursion"', async () => {
    const { number } = await contact()
    const workflow = await stage.activate({
      nodes: publishing(literal('again')),
      settings: { reentry: { mode: 'always' }, concurrency: 100 },
      listeners: [{ id: 'l', event: { type: 'custom', names: ['again'] }, handler: 'tell' }],
    })
    await stage.start(workflow, { contact: number })
    await stage.settle()
    const { rows } = await sql<{ depth: number; status: string; reason: string | null }>`
      select depth, status, reason from workflow_runs where workflow = ${workflow} order by depth`.execute(db)
    assert.deepEqual(
      rows.map(({ depth, status }) => [depth, status]),
      Array.from({ length: 11 }, (_, depth) => [depth, depth === 10 ? 'failed' : 'completed']),
    )
    assert.match(rows.at(-1)!.reason!, /^recursion: /)
    assert.equal((await published('again')).length, 10)
  })
})
