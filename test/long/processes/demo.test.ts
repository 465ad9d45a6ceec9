import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'

const DEMO = join(import.meta.dirname, '../../../scripts/demo.ts')

suite('the demo', () => {
  test('runs over real sockets and reports the same figures as its peers', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [DEMO, '--json', '--recipients', '300'])
    const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    assert.equal(figures.imported, 10_000)
    assert.equal(figures.sent, figures.received)
    assert.equal(figures.sent + figures.bounces, 300)
    for (const name of ['opens', 'clicks', 'unsubscribes', 'bounces']) assert.ok(figures[name] > 0, name)
  })
})
