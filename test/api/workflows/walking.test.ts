import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)

// biome-ignore-start lint/suspicious/noThenProperty: the interface names it so.
const nodes = [
  {
    id: 'a',
    type: 'if',
    default: true,
    settings: { condition: { type: 'path', value: 'data.vip' }, then: 'b', else: 'c' },
  },
  { id: 'b', type: 'sleep', settings: { period: { unit: 'HOUR', value: 2 } }, next: 'd' },
  { id: 'c', type: 'terminal', settings: { outcome: 'not vip' } },
  { id: 'd', type: 'terminal', settings: { outcome: 'rested' } },
]
// biome-ignore-end lint/suspicious/noThenProperty: the interface names it so.

async function started(workflow: number, data: Record<string, unknown>): Promise<string> {
  const answer = await stage.start(workflow, { data })
  assert.equal(answer.type, 'started')
  return (answer as { id: string }).id
}

describe('workflow runs', () => {
  test('follow their nodes to an end', async () => {
    const workflow = await stage.activate({ nodes })
    const run = await started(workflow, { vip: false })
    await stage.work()
    const { status, outcome, trace } = await stage.run(run)
    assert.deepEqual({ status, outcome }, { status: 'completed', outcome: 'not vip' })
    assert.deepEqual(
      trace.map(({ node, next }) => [node, next]),
      [
        ['a', 'c'],
        ['c', null],
      ],
    )
  })

  test('sleep and never wake early', async () => {
    const workflow = await stage.activate({ nodes })
    const run = await started(workflow, { vip: true })
    await stage.work()
    assert.equal((await stage.run(run))['status'], 'waiting')
    harness.clock.advance(2 * 3_600_000 - 1)
    await stage.work()
    assert.equal((await stage.run(run))['status'], 'waiting')
    harness.clock.advance(1)
    await stage.work()
    const { status, outcome, trace } = await stage.run(run)
    assert.deepEqual({ status, outcome }, { status: 'completed', outcome: 'rested' })
    assert.deepEqual(
      trace.map(({ node, outcome: left }) => [node, left]),
      [
        ['a', 'branch'],
        ['b', 'done'],
        ['d', 'done'],
      ],
    )
  })

  test('a decision is retried when the sandbox is full', async () => {
    const { sandbox } = harness.context
    let isBusy = true
    const evaluateEach: typeof sandbox.evaluateEach = async (given, context) =>
      isBusy
        ? given.map(() => ({ type: 'error', error: { type: 'busy', message: 'The sandbox is full.' } }))
        : sandbox.evaluateEach(given, context)
    const context = { ...harness.context, sandbox: { ...sandbox, evaluateEach } }
    const busy = workflowStage({ ...harness, context })
    const [first, ...others] = nodes
    const condition = { type: 'script', value: 'data.total > 3' }
    const workflow = await busy.activate({
      nodes: [{ ...first, settings: { ...first!.settings, condition } }, ...others],
    })
    const answer = await busy.start(workflow, { data: { total: 2 } })
    const { id } = answer as { id: string }
    await busy.work()
    const { status, phase, attempt } = await busy.run(id)
    assert.deepEqual({ status, phase, attempt }, { status: 'waiting', phase: 'retry', attempt: 2 })
    isBusy = false
    harness.clock.advance(70_000)
    await busy.work()
    const after = await busy.run(id)
    assert.deepEqual([after['status'], after['outcome']], ['completed', 'not vip'])
  })
})
