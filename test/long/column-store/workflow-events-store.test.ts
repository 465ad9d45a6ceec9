import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { startCrossing } from '../../support/crossing.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const skip = await engineIsMissing()
const harness = await startHarness()
const stage = workflowStage(harness)
const { call, context, own, clock } = harness
const { db } = context
const crossing = skip ? undefined : await startCrossing(context)

async function makeContact(): Promise<number> {
  const { body } = await call('POST', '/targets', { body: { Email: `${crypto.randomUUID()}@shop.example` } })
  return parseContactId(body.id)!
}

async function delivered(contact: number): Promise<void> {
  const stamp = createUuidV7(Date.now())
  const one = { account: own.account, channel: 'email', kind: 'deliveries', subject: 7, contact, stamp } as const
  await appendEvents(db, [{ ...one, thread: stamp, isTest: false, key: null, detail: { activation: { id: 'A7' } } }])
}

/** The events are in the store, and nowhere else. */
async function dropHere(): Promise<void> {
  // Nothing waits for its activation any more.
  await sql`delete from early_reactions`.execute(db)
  await crossing!.cross()
  await sql`alter table events disable trigger user`.execute(db)
  await sql`delete from events where at < (select border from event_store)`.execute(db)
  await sql`alter table events enable trigger user`.execute(db)
  const { rows } = await sql`select from events`.execute(db)
  assert.equal(rows.length, 0)
}

const event = { type: 'action.delivery' }
const ends = ['yes', 'no'].map((outcome) => ({ id: outcome, type: 'terminal', settings: { outcome } }))
// biome-ignore lint/suspicious/noThenProperty: the interface names it so.
const counting = { event, correlation: 'contact', count: { operator: 'equals', value: 2 }, then: 'yes', else: 'no' }
const lookingBack = {
  event,
  correlation: 'contact',
  since: { unit: 'HOUR', value: 1 },
  timeout: { unit: 'HOUR', value: 5 },
  timeoutNext: 'no',
}

async function started(node: object, contact: number): Promise<string> {
  const workflow = await stage.activate({ nodes: [{ id: 'n', default: true, ...node }, ...ends] })
  return ((await stage.start(workflow, { contact })) as { id: string }).id
}

describe('workflows with events that only the store has', { skip }, () => {
  test('count them, and waits that look back find them', async () => {
    const [two, none] = [await makeContact(), await makeContact()]
    await delivered(two)
    await delivered(two)
    await dropHere()
    const runs = [
      await started({ type: 'data-explorer-v2.match', settings: counting }, two),
      await started({ type: 'data-explorer-v2.match', settings: counting }, none),
      await started({ type: 'wait', settings: lookingBack, next: 'yes' }, two),
      await started({ type: 'wait', settings: lookingBack, next: 'yes' }, none),
    ]
    await stage.settle()
    const outcomes = await Promise.all(runs.map(async (id) => (await stage.run(id))['outcome']))
    assert.deepEqual(outcomes, ['yes', 'no', 'yes', null])
  })

  test('runs that need the store wait while it is away, and others continue', async () => {
    const [two, other] = [await makeContact(), await makeContact()]
    await delivered(two)
    await delivered(two)
    await dropHere()
    await crossing!.engine.pause('refuse')
    const counts = await started({ type: 'data-explorer-v2.match', settings: counting }, two)
    const rests = await started({ type: 'sleep', settings: { period: { unit: 'HOUR', value: 1 } }, next: 'yes' }, other)
    try {
      await stage.work()
      assert.deepEqual([(await stage.run(counts))['ended_at'], (await stage.run(rests))['status']], [null, 'waiting'])
      // It is not due at once.
      assert.equal(await stage.worker.work(), 0)
    } finally {
      await crossing!.engine.resume()
    }
    clock.advance(31_000)
    await stage.work()
    assert.equal((await stage.run(counts))['outcome'], 'yes')
  })
})
