import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateAllInPool } from './evaluating.ts'
import type { SandboxWorkEnd, SubmitSandboxTask } from './task.ts'

/** A pool whose threads end in a given way at one expression, and evaluate each of the others to its text. */
function endingAt(text: string, ...ends: SandboxWorkEnd[]): SubmitSandboxTask {
  return async ({ work, onMessage }) => {
    for (const expression of work.type === 'evaluate' ? work.expressions : []) {
      const end = expression.text === text ? ends.shift() : undefined
      if (end !== undefined) return end
      const value = JSON.stringify(expression.text)
      onMessage({ type: 'expression', outcome: { type: 'success', value }, cpuMs: 1 })
    }
    return 'done'
  }
}

const context = { account: 1, seed: 'run' }
const success = (value: string) => ({ type: 'success', value })

test('an expression is evaluated once more when its thread was terminated', async () => {
  const results = await evaluateAllInPool(endingAt('b', 'cpu'), ['a', 'b', 'c'], context)
  assert.deepEqual(results, [success('a'), success('b'), success('c')])
})

test('an expression whose thread was terminated twice is a timeout, and the others have their values', async () => {
  const [before, ended, next] = await evaluateAllInPool(endingAt('b', 'cpu', 'cpu'), ['a', 'b', 'c'], context)
  assert.deepEqual([before, next], [success('a'), success('c')])
  assert.deepEqual(ended?.type === 'error' && [ended.error.type, ended.error.limit], ['timeout', 'cpu'])
})

test('expressions whose thread gave no answer for a minute may be requested again', async () => {
  const results = await evaluateAllInPool(endingAt('b', 'busy'), ['a', 'b'], context)
  assert.deepEqual(results[0], success('a'))
  assert.equal(results[1]?.type === 'error' && results[1].error.type, 'busy')
})
