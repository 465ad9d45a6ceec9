import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bombs, heavy, jobBombs, jsonBombs, recursions } from '../../fakes/scripts/attacks.ts'
import { scriptStage } from '../../fakes/scripts/scripts.ts'
import { watchThreads } from '../../fakes/threads.ts'

/** Generous: the allocator keeps some of what threads gave back. */
const GROWTH_BYTES = 200e6

const threads = watchThreads()
const { sandbox, body, endOf, assertHarmless, assertUnharmed } = scriptStage()
let before = 0
test('a harmless script of another account works before the attacks', async () => {
  await assertUnharmed()
  before = process.memoryUsage().rss
})

const groups = {
  'case 6: memory': bombs,
  'memory in the jobs of promises': jobBombs,
  'memory for JSON': jsonBombs,
  'case 6: the stack': recursions,
  'much, but not too much': heavy,
}
for (const [name, attacks] of Object.entries(groups))
  describe(name, { concurrency: 2 }, () => {
    for (const [index, attack] of attacks.entries()) test(attack.name, () => assertHarmless(attack, 10 + (index % 2)))
  })

describe('memory limits of the sandbox', () => {
  test('growing texts and endless recursion are errors of type memory', async () => {
    const texts = 'const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)'
    const recursion = ['const deep = () => deep() + 1; return deep()', 'const go = () => eval("go()"); return go()']
    for (const statements of [texts, ...recursion])
      assert.equal(await endOf(body(statements), { cpuMs: 1000 }), 'memory')
  })

  test('is an error of type memory however long it takes on the clock', async () => {
    const texts = 'const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)'
    assert.equal(await endOf(body(texts), { cpuMs: 1000, wallMs: 1 }), 'memory')
  })

  test('the process grows by less than 100 MB', async () => {
    const before = process.memoryUsage().rss
    const bomb = body('const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)')
    for (let round = 0; round < 4; round++) assert.equal(await endOf(bomb, { cpuMs: 1000 }), 'memory')
    assert.ok(process.memoryUsage().rss - before < 100e6)
  })
})

test('no thread remains after the attacks, and memory is released', async () => {
  assert.ok(threads.started() > bombs.length, 'threads were replaced')
  await sandbox.close()
  assert.deepEqual(threads.living(), [])
  assert.ok(process.memoryUsage().rss - before < GROWTH_BYTES)
})
