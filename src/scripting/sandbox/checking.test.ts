import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSandboxChecks } from './checking.ts'
import type { SandboxWorkEnd, SubmitSandboxTask } from './task.ts'

/** A pool whose threads end so before they have told anything; then each tells that nothing is wrong. */
function endingSo(...ends: SandboxWorkEnd[]): SubmitSandboxTask {
  return async ({ work, onMessage }) => {
    const end = ends.shift()
    if (end !== undefined) return end
    onMessage(work.type === 'check' ? { type: 'checked', flaws: [] } : { type: 'parsed', flaws: [null] })
    return 'done'
  }
}

const limit = { type: 'limit', message: 'The text takes too long to parse.' }

test('a check is retried once when its thread had to be ended', async () => {
  const { check } = createSandboxChecks(endingSo('cpu'))
  assert.deepEqual(await check({ source: 'export default 1' }, 1), [])
  const { parse } = createSandboxChecks(endingSo('cpu'))
  assert.deepEqual(await parse([{ kind: 'expression', source: '1' }], 1), [null])
})

test('a text whose check was ended twice is reported as taking too long', async () => {
  const { check } = createSandboxChecks(endingSo('cpu', 'spoilt'))
  assert.deepEqual(await check({ source: 'export default 1' }, 1), [{ ...limit, part: 'script', name: null }])
  const { parse } = createSandboxChecks(endingSo('cpu', 'memory'))
  assert.deepEqual(await parse([{ kind: 'expression', source: '1' }], 1), [limit])
})
