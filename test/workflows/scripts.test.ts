import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startHarness } from '../harness.ts'
import { type GivenWorkflow, workflowStage } from '../workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
after(() => harness.context.sandbox.close())

const script = (value: string) => ({ type: 'script', value })

async function runOf(given: GivenWorkflow, data: Record<string, unknown> = {}): Promise<string> {
  const started = await stage.start(await stage.activate(given), { data })
  assert.equal(started.type, 'started')
  return (started as { id: string }).id
}

describe('script expressions in runs', () => {
  const bySum = {
    nodes: [
      {
        ...{ id: 'sum', type: 'switch', default: true },
        settings: {
          value: script('data.items.reduce((sum, {price}) => sum + price, 0) > 100 ? "big" : "small"'),
          cases: [
            { value: 'big', next: 'big' },
            { value: 'small', next: 'small' },
          ],
        },
      },
      { id: 'big', type: 'terminal', settings: { outcome: 'big' } },
      { id: 'small', type: 'terminal', settings: { outcome: 'small' } },
    ],
  }

  test('see the scope of the run, each its own', async () => {
    const workflow = await stage.activate(bySum)
    const prices = Array.from({ length: 120 }, (_, n) => [n, n])
    const ids: string[] = []
    for (const [one = 0, other = 0] of prices) {
      const started = await stage.start(workflow, { data: { items: [{ price: one }, { price: other }] } })
      ids.push((started as { id: string }).id)
    }
    await stage.work()
    const outcomes = await Promise.all(ids.map(async (id) => (await stage.run(id))['outcome']))
    assert.deepEqual(
      outcomes,
      prices.map(([n = 0]) => (2 * n > 100 ? 'big' : 'small')),
    )
  })

  test('that throw fail the node with their message', async () => {
    const id = await runOf(bySum, { items: null })
    await stage.work()
    const { status, reason } = await stage.run(id)
    assert.equal(status, 'failed')
    assert.match(String(reason), /^script: .*null/)
  })

  test('templates call the filters of the definition', async () => {
    const id = await runOf(
      {
        scripting: { filters: [{ name: 'twice', value: '(text, glue) => text + glue + text // both' }] },
        nodes: [
          {
            ...{ id: 'a', type: 'switch', default: true },
            settings: {
              value: { type: 'template', value: '{{ data.name | twice: "-" | upcase }}' },
              cases: [{ value: 'ANN-ANN', next: 'end' }],
            },
          },
          { id: 'end', type: 'terminal', settings: { outcome: 'ok' } },
        ],
      },
      { name: 'ann' },
    )
    await stage.work()
    assert.equal((await stage.run(id))['outcome'], 'ok')
  })
})
