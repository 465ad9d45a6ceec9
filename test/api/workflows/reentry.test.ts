import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { foldWorkflowCounts } from '../../../src/features/workflows/counts/version-counts.ts'
import { claimRuns } from '../../../src/features/workflows/engine/run-leases.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, own, other, clock } = harness
const { db } = harness.context
const stage = workflowStage(harness)
// biome-ignore-start lint/suspicious/noThenProperty: the interface names it so.
const DAY = 24 * 3_600_000

const rest = { id: 'rest', type: 'sleep', default: true, settings: { period: { unit: 'HOUR', value: 1 } }, next: 'end' }
const end = { id: 'end', type: 'terminal', settings: {} }
const nodes = [rest, end]
const literal = (value: unknown) => ({ type: 'literal', value })
const path = (value: string) => ({ type: 'path', value })

let made = 0
async function receiver(): Promise<{ type: string; value: string }> {
  const { body } = await call('PUT', '/targets', { body: { Email: `person${++made}@shop.example` } })
  return { type: 'id', value: body.id }
}

/** What a start came to: "success", or why it was refused. */
async function start(workflow: number, item: object): Promise<string> {
  const { body } = await call('POST', `/scripting/workflows/${workflow}/execution`, { body: item })
  return body.type === 'success' ? 'success' : body.value.reason
}

async function starts(workflow: number, items: object[], key = own.key): Promise<string[]> {
  const { body } = await call('POST', `/scripting/workflows/${workflow}/executions`, { body: items, key })
  return body.map((one: { type: string; id: string; value: { reason: string } }) =>
    one.type === 'success' ? one.id : one.value.reason,
  )
}

async function idOf(workflow: number, item: object): Promise<string> {
  const [id] = await starts(workflow, [item])
  return id!
}

/** Performs what is due now and in the next hour. */
async function finish(): Promise<void> {
  await stage.work()
  clock.advance(3_600_000)
  await stage.work()
}

describe('workflow re-entry', () => {
  test('of 50 simultaneous starts of one contact, one creates a run and 49 are refused', async () => {
    const workflow = await stage.activate({ nodes })
    const one = await receiver()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => start(workflow, { receiver: one })))
    assert.equal(outcomes.filter((outcome) => outcome === 'success').length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === 'concurrency').length, 49)
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from workflow_runs where workflow = ${workflow}`.execute(db)
    assert.equal(rows[0]!.n, 1)
    while ((await foldWorkflowCounts(db)) > 0);
    const { rows: counts } = await sql<{ subject: string; name: string; n: number }>`
      select subject, name, n from workflow_counts where workflow = ${workflow} order by subject, name`.execute(db)
    assert.deepEqual(counts, [
      { subject: 'refused', name: 'concurrency', n: 49 },
      { subject: 'run', name: 'open', n: 1 },
      { subject: 'run', name: 'started', n: 1 },
    ])
  })

  test('a key has at most "concurrency" open runs, and the end of one makes room for another', async () => {
    const workflow = await stage.activate({ nodes, settings: { concurrency: 2 } })
    const items = Array(3).fill({ receiver: await receiver() })
    assert.deepEqual((await starts(workflow, items)).slice(2), ['concurrency'])
    await finish()
    assert.deepEqual((await starts(workflow, items)).slice(2), ['concurrency'])
    assert.equal(await start(workflow, { receiver: await receiver() }), 'success')
  })

  test('never: a key has one run ever, even after its runs are purged', async () => {
    const workflow = await stage.activate({ nodes, settings: { reentry: { mode: 'never' }, concurrency: 5 } })
    const one = await receiver()
    assert.equal(await start(workflow, { receiver: one }), 'success')
    assert.equal(await start(workflow, { receiver: one }), 'never')
    await finish()
    await sql`delete from workflow_runs where workflow = ${workflow}`.execute(db)
    assert.equal(await start(workflow, { receiver: one }), 'never')
    assert.equal(await start(workflow, { receiver: await receiver() }), 'success')
  })

  test('afterExit: a key may start again only when none of its runs is open', async () => {
    const workflow = await stage.activate({ nodes, settings: { reentry: { mode: 'afterExit' }, concurrency: 5 } })
    const one = await receiver()
    assert.equal(await start(workflow, { receiver: one }), 'success')
    assert.equal(await start(workflow, { receiver: one }), 'afterExit')
    await finish()
    assert.equal(await start(workflow, { receiver: one }), 'success')
  })

  test('afterPeriod: a key may start again once the period since its last start has passed', async () => {
    const reentry = { mode: 'afterPeriod', period: { unit: 'DAY', value: 2 } }
    const workflow = await stage.activate({ nodes, settings: { reentry, timeZone: 'UTC' } })
    const one = await receiver()
    assert.equal(await start(workflow, { receiver: one }), 'success')
    await finish()
    clock.advance(2 * DAY - 3_600_000 - 1)
    assert.equal(await start(workflow, { receiver: one }), 'afterPeriod')
    clock.advance(1)
    assert.equal(await start(workflow, { receiver: one }), 'success')
  })

  test('runs without a contact and without a key are not checked', async () => {
    const workflow = await stage.activate({ nodes, settings: { reentry: { mode: 'never' } } })
    const outcomes = await starts(workflow, [{}, {}, {}])
    assert.equal(new Set(outcomes).size, 3)
    assert.ok(!outcomes.includes('never'))
  })

  test('path, template and script keys work, and empty, failing and overlong keys are refused', async () => {
    const keys = {
      path: path('data.order'),
      template: { type: 'template', value: '{{ data.order }}' },
      script: { type: 'script', value: 'data.order' },
    }
    for (const [type, entryKey] of Object.entries(keys)) {
      const workflow = await stage.activate({ nodes, settings: { entryKey } })
      const [first, ...others] = await starts(
        workflow,
        ['a', 'a', 'b', 7, '', 'x'.repeat(257), 'y'.repeat(256)].map((order) => ({ data: { order } })),
      )
      assert.match(first!, /-/, type)
      assert.deepEqual(
        others.map((one) => (one.includes('-') ? 'started' : one)),
        ['concurrency', 'started', 'started', 'empty key', 'empty key', 'started'],
        type,
      )
      assert.equal(await start(workflow, {}), 'empty key', type)
    }
    const failing = await stage.activate({ nodes, settings: { entryKey: { type: 'script', value: 'data.order.a.b' } } })
    assert.equal(await start(failing, {}), 'empty key')
  })

  test('a start at depth 11 is refused as recursion', async () => {
    const workflow = await stage.activate({ nodes })
    assert.equal((await stage.start(workflow, { depth: 10 })).type, 'started')
    assert.deepEqual(await stage.start(workflow, { depth: 11 }), { type: 'refused', reason: 'recursion' })
  })
})

describe('run limits', () => {
  test('the number of open runs follows starts and ends', async () => {
    const figure = async () => {
      while ((await foldWorkflowCounts(db)) > 0);
      const { rows } = await sql<{ figure: number; open: number }>`
        select o.n as figure, (select count(*)::integer from workflow_runs r where r.account = o.account and r.ended_at is null) as open
        from workflow_open_runs o where o.account = ${own.account}`.execute(db)
      return rows[0]!
    }
    const before = await figure()
    const workflow = await stage.activate({ nodes })
    await starts(workflow, [{}, {}, {}])
    const between = await figure()
    assert.equal(between.figure, before.figure + 3)
    await finish()
    await finish()
    const after = await figure()
    assert.deepEqual([after.figure - between.figure], [after.open - between.open])
  })

  test('a run expires exactly at its maximum duration, even in a wait, and makes room for another', async () => {
    const wait = { id: 'wait', type: 'wait', default: true, settings: { event: { type: 'custom', names: ['x'] } } }
    const maxDuration = { unit: 'HOUR', value: 5 }
    const workflow = await stage.activate({ nodes: [wait], settings: { maxDuration } })
    const one = await receiver()
    const run = await idOf(workflow, { receiver: one })
    await stage.work()
    clock.advance(5 * 3_600_000 - 1)
    await stage.work()
    assert.equal((await stage.run(run))['status'], 'waiting')
    assert.equal(await start(workflow, { receiver: one }), 'concurrency')
    clock.advance(1)
    await stage.work()
    assert.equal((await stage.run(run))['status'], 'expired')
    assert.equal(await start(workflow, { receiver: one }), 'success')
  })

  test('a run that visits more than maxNodes nodes fails', async () => {
    const again = {
      id: 'again',
      type: 'sleep',
      default: true,
      settings: { until: literal('2001-01-01T00:00:00Z') },
      next: 'again',
    }
    const workflow = await stage.activate({ nodes: [again], settings: { maxNodes: 120 } })
    const run = await idOf(workflow, {})
    await stage.work()
    const { status, reason, steps } = await stage.run(run)
    assert.deepEqual({ status, reason, steps }, { status: 'failed', reason: 'too many nodes', steps: 120 })
  })

  test('a run yields after 50 nodes of any type and continues in the next round', async () => {
    const chains = {
      sleep: (n: number) => ({
        type: 'sleep',
        settings: { until: literal('2001-01-01T00:00:00Z') },
        next: `n${n + 1}`,
      }),
      sample: (n: number) => ({ type: 'sample', settings: { count: 1000, then: `n${n + 1}`, else: 'end' } }),
    }
    for (const [type, node] of Object.entries(chains)) {
      const chain = Array.from({ length: 70 }, (_, n) => ({ id: `n${n}`, default: n === 0, ...node(n) }))
      const workflow = await stage.activate({ nodes: [...chain, { ...end, id: 'n70' }, end] })
      const run = await idOf(workflow, {})
      await stage.worker.work()
      const first = await stage.run(run)
      assert.deepEqual([type, first['status'], first['steps']], [type, 'running', 50])
      await stage.worker.work()
      const second = await stage.run(run)
      assert.deepEqual([type, second['status'], second['steps']], [type, 'completed', 71])
    }
  })

  test('a result that makes a run too large fails the run', async () => {
    const wait = {
      id: 'wait',
      type: 'wait',
      default: true,
      settings: { event: { type: 'custom', names: ['x'] }, into: 'x' },
    }
    const workflow = await stage.activate({ nodes: [wait] })
    const run = await idOf(workflow, { data: { text: 'x'.repeat(200_000) } })
    await stage.work()
    const resolutions = [{ key: 'wait', value: { text: 'y'.repeat(80_000) } }]
    assert.equal(await start(workflow, { id: run, resolutions }), 'success')
    await stage.work()
    const { status, reason } = await stage.run(run)
    assert.equal(status, 'failed')
    assert.match(String(reason), /^too large/)
  })

  test('accounts take turns, so one with many due runs does not block another', async () => {
    await stage.work()
    const busy = await stage.activate({ nodes })
    await starts(busy, Array(40).fill({}))
    clock.advance(1)
    const { body } = await call('POST', '/scripting/workflows', { body: { name: 'other', nodes }, key: other.key })
    const active = await call('POST', `/scripting/workflows/${body.id}/activation`, { key: other.key })
    assert.equal(active.status, 204, active.text)
    const [id] = await starts(body.id, [{}], other.key)
    const claimed = await claimRuns(db, '44444444-4444-4444-8444-444444444444', { limit: 10, now: clock.now() })
    assert.ok(claimed.some((one) => one.id === id))
    assert.ok(claimed.length > 1 && claimed.length <= 10)
  })
})
// biome-ignore-end lint/suspicious/noThenProperty: the interface names it so.
