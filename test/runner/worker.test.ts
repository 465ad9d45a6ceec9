import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { test } from 'node:test'

test('the promises of a test are not followed, which took a sixth of the processor time', async (t) => {
  if (process.send === undefined) return t.skip('only where npm test runs it')
  await Promise.resolve()
  const first = executionAsyncId()
  await Promise.resolve()
  assert.equal(executionAsyncId(), first)
})
