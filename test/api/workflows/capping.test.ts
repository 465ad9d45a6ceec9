import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { purgeCappingIncrements } from '../../../src/features/capping/increments.ts'
import { createWorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'
import { startStage } from '../../support/stages/stage.ts'
import { literal, path, workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, context, gateway, sendDue, clock } = stage
const tools = workflowSends(stage)
const { engine, sending, person, chain, begin, work, runOf, recordsOf } = tools
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const mail = await sending()
const perDay = { type: 'rolling', unit: 'DAY', value: 1 }
const sendMail = { type: 'sendMail', id: 'mail', settings: { action: mail } }
const entry = (more: object = {}) => ({ threshold: 1, period: perDay, nodes: ['mail'], ...more })

/** Starts runs of a contact and performs them one after the other; gives their outcomes at the first node. */
async function outcomes(workflow: number, contacts: readonly number[], more: object = {}): Promise<string[]> {
  const found: string[] = []
  for (const contact of contacts) {
    const id = await begin(workflow, { contact, ...more })
    await work()
    found.push((await runOf(id)).trace[0].outcome)
  }
  return found
}

const incrementsOf = async (workflow: number): Promise<number> => {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(increment), 0)::integer as sum from workflow_increments where workflow = ${workflow}`.execute(
    context.db,
  )
  return rows[0]!.sum
}

suite('workflow capping', () => {
  test('100 simultaneous runs of one contact send 3 messages, and a cancelled one makes room for another', async () => {
    const { contact, address } = await person()
    const workflow = await chain([sendMail], { capping: [entry({ threshold: 3 })] })
    const runs = await Promise.all(Array.from({ length: 100 }, () => begin(workflow, { contact })))
    const workers = Array.from({ length: 4 }, () => createWorkflowWorker(engine))
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::integer as n from workflow_runs where workflow = ${workflow} and ended_at is null`.execute(
        context.db,
      )
      return rows[0]!.n
    }
    while ((await waiting()) > 0) await Promise.all(workers.map((worker) => worker.work()))
    await Promise.all(workers.map((worker) => worker.stop()))
    const records = await Promise.all(runs.map(recordsOf))
    const kinds = records.map((own) => own.map(({ kind }) => kind).join(' '))
    assert.equal(kinds.filter((one) => one === 'executions').length, 3)
    const pairs = records.filter((own) => own.length === 2)
    assert.equal(pairs.length, 97)
    const value = { type: 'workflow', message: '3 per DAY reached', workflow, node: 'mail', threshold: 3 }
    for (const [execution, cancellation] of pairs) {
      assert.deepEqual([execution!.kind, cancellation!.kind], ['executions', 'cancellations'])
      assert.deepEqual(cancellation!.detail.cancellation, { type: 'capping', value })
      assert.deepEqual(execution!.detail.execution.origin, { type: 'workflow', id: workflow })
    }
    assert.equal(await incrementsOf(workflow), 3)

    // One of the three expires before the channel has it.
    await sql`update messages set expires_at = ${new Date(clock.now() - 1)} where id = (select min(id) from messages)`.execute(
      context.db,
    )
    await sendDue()
    assert.equal(gateway.to(address).length, 2)
    assert.equal(await incrementsOf(workflow), 2)
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
  })

  test('a node waiting for a retry takes no place under the cap and is counted only when it acts', async () => {
    const { contact } = await person()
    const own = await sending()
    const workflow = await chain([{ ...sendMail, settings: { action: own } }], { capping: [entry()] })
    assert.equal((await call('DELETE', `/actions/${own}/validation`)).status, 204)
    const first = await begin(workflow, { contact })
    await work()
    assert.deepEqual([(await runOf(first)).phase, await incrementsOf(workflow)], ['retry', 0])
    assert.equal((await call('POST', `/actions/${own}/validation`, { body: { fortest: false } })).status, 204)
    assert.deepEqual(await outcomes(workflow, [contact]), ['accepted'])
    clock.advance(70_000)
    await work()
    assert.deepEqual([(await runOf(first)).trace[0].outcome, await incrementsOf(workflow)], ['capped', 1])
  })

  test('a refusal by the channel returns the increment, and an accepted message keeps it', async () => {
    const { contact, address } = await person()
    const workflow = await chain([sendMail], { capping: [entry()] })
    gateway.plan(address, { result: 'refused' }, { result: 'accepted' })
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
    await sendDue()
    assert.equal(await incrementsOf(workflow), 0)
    // The refusal left a flag at the address.
    await sql`delete from bounce_flags where contact = ${contact}`.execute(context.db)
    assert.deepEqual(await outcomes(workflow, [contact]), ['accepted'])
    await sendDue()
    assert.equal(gateway.to(address).length, 1)
    assert.deepEqual(await outcomes(workflow, [contact]), ['capped'])
  })

  test('a rolling period is exact to the millisecond', async () => {
    const { contact } = await person()
    const workflow = await chain([sendMail], { capping: [entry({ period: { unit: 'SECOND', value: 90 } })] })
    assert.deepEqual(await outcomes(workflow, [contact]), ['accepted'])
    clock.advance(89_999)
    assert.deepEqual(await outcomes(workflow, [contact]), ['capped'])
    clock.advance(1)
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
  })

  test("a calendar period begins at midnight in the workflow's time zone", async () => {
    const { contact } = await person()
    const period = { type: 'calendar', unit: 'DAY', value: 1 }
    const settings = { timeZone: { id: 'Pacific/Auckland' } }
    const workflow = await chain([sendMail], { capping: [entry({ period })], settings })
    const local = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO('Pacific/Auckland')
    const midnight = local.add({ days: 1 }).startOfDay().epochMilliseconds
    clock.set(midnight - 1)
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
    clock.set(midnight)
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
  })

  test('each key has its own count, an empty key is not capped, and increments above 1 count in full', async () => {
    const [one, other] = [await person(), await person()]
    const key = path('data.brand')
    const workflow = await chain([sendMail], { capping: [entry({ key, increment: 2, threshold: 5 })] })
    const all = [one.contact, other.contact, one.contact]
    assert.deepEqual(await outcomes(workflow, all, { data: { brand: 'a' } }), ['accepted', 'accepted', 'capped'])
    assert.deepEqual(await outcomes(workflow, [one.contact], { data: { brand: 'b' } }), ['accepted'])
    assert.deepEqual(await outcomes(workflow, [...all, ...all], { data: { brand: '' } }), Array(6).fill('accepted'))
    assert.equal(await incrementsOf(workflow), 6)
  })

  test('an increment of 0 only checks the cap, and a threshold of 0 always caps', async () => {
    const { contact } = await person()
    const key = literal('all')
    const zero = await chain([sendMail], { capping: [entry({ key, threshold: 0, increment: 0 })] })
    assert.deepEqual(await outcomes(zero, [contact]), ['capped'])
    const checked = await chain([sendMail], { capping: [entry({ key, threshold: 1, increment: 0 })] })
    assert.deepEqual(await outcomes(checked, [contact, contact]), ['accepted', 'accepted'])
    assert.equal(await incrementsOf(checked), 0)
  })

  test('with several cappings, all must pass before any of them counts', async () => {
    const { contact } = await person()
    const capping = [entry({ threshold: 5 }), entry({ threshold: 1, period: { unit: 'HOUR', value: 1 } })]
    const workflow = await chain([sendMail], { capping })
    assert.deepEqual(await outcomes(workflow, [contact, contact, contact]), ['accepted', 'capped', 'capped'])
    assert.equal(await incrementsOf(workflow), 2)
  })

  test('a capped run continues or, with action "end", ends, and a failed node returns its increment', async () => {
    const { contact } = await person()
    const end = { type: 'terminal', id: 'end', settings: { outcome: 'told' } }
    const on = await chain([sendMail, end], { capping: [entry({ threshold: 0 })] })
    const off = await chain([sendMail, end], { capping: [entry({ threshold: 0, action: 'end' })] })
    const [went, ended] = [await begin(on, { contact }), await begin(off, { contact })]
    await work()
    const { status, outcome, last } = await runOf(went)
    assert.deepEqual([status, outcome, last.outcome], ['completed', 'told', 'capped'])
    const capped = await runOf(ended)
    assert.deepEqual([capped.status, capped.reason, capped.trace[0].outcome], ['capped', 'capping', 'capped'])

    const lost = { ...sendMail, settings: { action: mail, receiver: literal({ type: 'id', value: 'ZZZZZZZZ' }) } }
    const failing = await chain([lost], { capping: [entry()] })
    assert.deepEqual(await outcomes(failing, [contact, contact]), ['failed', 'failed'])
    assert.equal(await incrementsOf(failing), 0)
  })

  test('the capping of the current version applies to runs of older versions', async () => {
    const { contact } = await person()
    const workflow = await chain([sendMail])
    const id = await begin(workflow, { contact })
    await sql`insert into workflow_versions (account, workflow, version, definition, created_at)
      select account, workflow, 2, jsonb_set(definition, '{capping}',
        '[{"id": "6f1b1f4e-58a1-4d0a-9d55-0a4c8a1f0001", "key": {"type": "path", "value": "contact.id"}, "increment": 1, "threshold": 0,
          "period": {"type": "rolling", "unit": "DAY", "value": 1}, "nodes": ["mail"], "action": "continue"}]'), created_at
      from workflow_versions where workflow = ${workflow}`.execute(context.db)
    await sql`update workflows set version = 2 where id = ${workflow}`.execute(context.db)
    await work()
    const { version, trace } = await runOf(id)
    assert.deepEqual([version, trace[0].outcome], [1, 'capped'])
  })

  test('nodes that send nothing are capped as well', async () => {
    const { contact } = await person()
    const pause = { type: 'publish', id: 'mail', event: literal('cart.seen') }
    const workflow = await chain([pause], { capping: [entry()] })
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['done', 'capped'])
  })

  test('increments that no longer count in any period are deleted with their keys, and others are retained', async () => {
    const [one, other] = [await person(), await person()]
    const workflow = await chain([sendMail], { capping: [entry({ threshold: 5 })] })
    const keys = async () => {
      const { rows } = await sql`select from workflow_cappings where workflow = ${workflow}`.execute(context.db)
      return rows.length
    }
    await outcomes(workflow, [one.contact, other.contact])
    clock.advance(3.5 * 86_400_000)
    await outcomes(workflow, [other.contact])
    clock.advance(86_400_000)
    await purgeCappingIncrements(context.db, clock.now())
    assert.deepEqual([await incrementsOf(workflow), await keys()], [1, 1])
  })

  test('another account with the same ids has its own count', async () => {
    const { contact } = await person()
    const workflow = await chain([sendMail], { capping: [entry()] })
    await sql`insert into workflow_increments (account, workflow, capping, key, at, owner, increment, drop_at)
      select ${stage.other.account}, ${workflow}, (definition #>> '{capping,0,id}')::uuid, ${String(contact)}, now(), uuidv7(), 5, now()
      from workflow_versions where workflow = ${workflow}`.execute(context.db)
    assert.deepEqual(await outcomes(workflow, [contact, contact]), ['accepted', 'capped'])
  })
})
