import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bombs, heavy, jobBombs, jsonBombs, recursions } from '../../../../test/fakes/attacks.ts'
import { scriptStage } from '../../../../test/fakes/scripts.ts'

const { body, endOf, assertHarmless } = scriptStage()

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

describe('case 6', () => {
  test('texts in a loop and recursion without end are errors of type memory', async () => {
    const texts = 'const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)'
    const recursion = ['const deep = () => deep() + 1; return deep()', 'const go = () => eval("go()"); return go()']
    for (const statements of [texts, ...recursion])
      assert.equal(await endOf(body(statements), { cpuMs: 1000 }), 'memory')
  })

  test('the process grows by less than 100 MB', async () => {
    const before = process.memoryUsage().rss
    const bomb = body('const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)')
    for (let round = 0; round < 4; round++) assert.equal(await endOf(bomb, { cpuMs: 1000 }), 'memory')
    assert.ok(process.memoryUsage().rss - before < 100e6)
  })
})
