import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { runImport } from '../../src/features/imports/run.ts'
import { startHarness } from '../harness.ts'

const h = await startHarness()

const CSV = { 'content-type': 'text/csv' }

test('runs a CSV end to end', async () => {
  const made = await h.call('POST', '/imports', { body: { name: 'First' } })
  assert.equal(made.status, 200, made.text)
  const id = made.body.id
  const run = await h.call('POST', `/imports/${id}/executions`, {
    body: 'Email\nann@example.org\nbob@example.org\n',
    headers: CSV,
  })
  assert.equal(run.status, 200, run.text)
  await runImport(h.context, { execution: run.body.id })
  const shown = await h.call('GET', `/imports/${id}/executions`)
  console.log(shown.text)
  assert.equal(shown.body[0].created, 2)
  assert.equal((await h.call('GET', '/targets')).body.length, 2)
})
