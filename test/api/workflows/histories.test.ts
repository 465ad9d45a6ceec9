import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventKind } from '../../../src/features/events/kinds/event-kinds.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, context, own, other, clock } = harness
const { db } = context

async function makeContact(key = own.key): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { Email: `${crypto.randomUUID()}@shop.example` }, key })
  return parseContactId(body.id)!
}

interface Given {
  kind?: EventKind
  subject?: number
  stamp?: string
  thread?: string
  isTest?: boolean
  account?: number
  detail?: object
}

async function sent(contact: number, { kind = 'deliveries', subject = 7, account = own.account, ...more }: Given = {}) {
  const stamp = more.stamp ?? createUuidV7(Date.now())
  const { thread = stamp, isTest = false, detail = {} } = more
  const one = { account, channel: 'email', kind, subject, contact, stamp, thread, isTest, key: null } as const
  await appendEvents(db, [{ ...one, detail: { activation: { id: 'A7' }, ...detail } }])
}

// biome-ignore lint/suspicious/noThenProperty: the interface names it so.
const ways = { then: 'yes', else: 'no' }
const counting = (settings: object) => ({
  nodes: [
    { id: 'n', type: 'data-explorer-v2.match', default: true, settings: { ...settings, ...ways } },
    { id: 'yes', type: 'terminal', settings: { outcome: 'yes' } },
    { id: 'no', type: 'terminal', settings: { outcome: 'no' } },
  ],
})

/** Whether contacts go the first way. */
async function waysOf(settings: object, contacts: readonly (number | null)[], thread?: string): Promise<unknown[]> {
  const workflow = await stage.activate(counting(settings))
  const ids: string[] = []
  for (const contact of contacts) {
    const stamp = createUuidV7(clock.now())
    const given = { contact, stamp: { id: stamp, thread: thread ?? stamp, set: stamp, time: clock.now() } }
    ids.push(((await stage.start(workflow, given)) as { id: string }).id)
  }
  await stage.work()
  return Promise.all(ids.map(async (id) => (await stage.run(id))['outcome']))
}

const atLeast = (value: number) => ({ count: { operator: 'greaterOrEqual', value } })
const exactly = (value: number) => ({ count: { operator: 'equals', value } })
const deliveries = { event: { type: 'action.delivery' }, correlation: 'contact' }

describe('data-explorer-v2.match', () => {
  test('counts the stored events of each contact, without tests and other accounts', async () => {
    const [none, one, three] = [await makeContact(), await makeContact(), await makeContact()]
    await sent(one)
    for (let n = 0; n < 3; n++) await sent(three)
    await sent(none, { isTest: true })
    await sent(none, { account: other.account })
    assert.deepEqual(await waysOf(deliveries, [none, one, three, null]), ['no', 'yes', 'yes', 'no'])
    assert.deepEqual(await waysOf({ ...deliveries, ...atLeast(3) }, [none, one, three]), ['no', 'no', 'yes'])
    assert.deepEqual(await waysOf({ ...deliveries, ...exactly(0) }, [none, one, null]), ['yes', 'no', 'yes'])
  })

  test('counts every event exactly once when there are more than one read takes', async () => {
    const contact = await makeContact()
    const events = Array.from({ length: 450 }, () => {
      const stamp = createUuidV7(Date.now())
      const one = { account: own.account, channel: 'email', kind: 'deliveries', subject: 7, contact, stamp } as const
      return { ...one, thread: stamp, isTest: false, key: null, detail: { activation: { id: 'A7' } } }
    })
    await appendEvents(db, events)
    assert.deepEqual(await waysOf({ ...deliveries, ...exactly(450) }, [contact]), ['yes'])
  })

  test("counts by the filter's members and condition, with the scope of the run", async () => {
    const contact = await makeContact()
    await sent(contact, { kind: 'cancellations', detail: { cancellation: { type: 'capping' } } })
    await sent(contact, { kind: 'cancellations', detail: { cancellation: { type: 'redlist' } } })
    const of = (more: object) => ({ event: { type: 'action.cancellation', ...more }, correlation: 'contact' })
    assert.deepEqual(await waysOf({ ...of({ causes: ['capping'] }), ...exactly(1) }, [contact]), ['yes'])
    const value = 'event.type === "action.cancellation" || event.source.detail.cancellation.type === "redlist"'
    const filter = { type: 'script', value: `(${value}) && run.node === "n"` }
    assert.deepEqual(await waysOf(of({ filter, causes: ['redlist', 'none'] }), [contact]), ['yes'])
    const broken = { type: 'script', value: 'event.none.none' }
    assert.deepEqual(await waysOf(of({ filter: broken }), [contact]), ['no'])
  })

  test('counts by period, by thread and without correlation', async () => {
    const [contact, another] = [await makeContact(), await makeContact()]
    const thread = createUuidV7(clock.now())
    const event = { type: 'action.stop' }
    await sent(contact, { kind: 'responses/stop' })
    assert.deepEqual(await waysOf({ event, correlation: 'thread' }, [contact], thread), ['no'])
    assert.deepEqual(await waysOf({ event, correlation: 'none' }, [another, null]), ['yes', 'yes'])
    const hour = { unit: 'HOUR', value: 1 }
    assert.deepEqual(await waysOf({ event, correlation: 'contact', period: hour }, [contact]), ['yes'])
    clock.advance(2 * 3_600_000)
    assert.deepEqual(await waysOf({ event, correlation: 'contact', period: hour }, [contact]), ['no'])
  })

  test('counts events of the thread for a run that has left a wait by an event', async () => {
    const contact = await makeContact()
    const event = { type: 'action.delivery' }
    const workflow = await stage.activate({
      nodes: [
        { id: 'w', type: 'wait', default: true, settings: { event, correlation: 'contact' }, next: 'n' },
        ...counting({ event, correlation: 'thread' }).nodes.map((node) => ({ ...node, default: false })),
      ],
    })
    const thread = createUuidV7(clock.now())
    const stamp = { id: thread, thread, set: thread, time: clock.now() }
    const { id } = (await stage.start(workflow, { contact, stamp })) as { id: string }
    await stage.settle()
    await sent(contact, { thread })
    await stage.settle()
    assert.equal((await stage.run(id))['outcome'], 'yes')
  })

  test('counts notices and custom events', async () => {
    const contact = await makeContact()
    const publisher = await stage.activate({
      nodes: [{ id: 'tell', type: 'publish', default: true, event: { type: 'literal', value: 'bought' } }],
    })
    for (let n = 0; n < 2; n++) {
      await stage.start(publisher, { contact })
      await stage.settle()
    }
    const custom = (name: string) => ({ event: { type: 'custom', names: [name] } })
    assert.deepEqual(await waysOf({ ...custom('bought'), ...exactly(2) }, [contact]), ['yes'])
    assert.deepEqual(await waysOf(custom('looked'), [contact]), ['no'])
  })
})
