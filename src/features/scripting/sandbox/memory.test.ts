import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptStage } from '../../../../test/fakes/scripts.ts'

const { body, endOf, assertUnharmed } = scriptStage()

describe('case 6: memory and stack', () => {
  const bombs: Record<string, string> = {
    'large texts': 'const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)',
    buffers: 'const kept = []; for (;;) kept.push(new Uint8Array(1e6))',
    'one buffer': 'return new ArrayBuffer(1e9).byteLength',
    'text that doubles': 'let text = "ab"; for (;;) text += text + "c"',
    recursion: 'const deep = () => deep() + 1; return deep()',
    'recursion through JSON': 'const a = []; a.toJSON = () => [a]; return a',
    'recursion through getters': 'const a = { get b() { return a.b } }; return a.b',
    'a map': 'const map = new Map(); for (let n = 0; ; n++) map.set({}, [n])',
    'promises that are kept': 'const kept = []; for (;;) kept.push(new Promise(() => {}).then(() => kept))',
    'jobs that allocate':
      'const kept = []; const go = async () => { for (;;) { kept.push("x".repeat(1e5) + kept.length); await 0 } }; await Promise.all([go(), go()])',
    'jobs that allocate and catch':
      'const kept = []; const go = async () => { for (;;) { try { kept.push(new Array(1e4).fill(kept)) } catch { await 0 } } }; await go()',
  }
  for (const [name, statements] of Object.entries(bombs))
    test(name, async () => {
      assert.match(String(await endOf(body(statements), { cpuMs: 1000, wallMs: 5000 })), /^(memory|timeout cpu|script)/)
      await assertUnharmed()
    })

  test('the process grows by less than 100 MB', async () => {
    const before = process.memoryUsage().rss
    const bomb = body('const kept = []; for (;;) kept.push("x".repeat(1e6) + kept.length)')
    for (let round = 0; round < 4; round++) assert.equal(await endOf(bomb, { cpuMs: 1000 }), 'memory')
    assert.ok(process.memoryUsage().rss - before < 100e6)
  })

  test('a million arrays in each other, and text of them, are errors of their own', async () => {
    const nested = 'let a = []; for (let n = 0; n < 1e6; n++) a = [a];'
    assert.match(String(await endOf(body(`${nested} return a`), { cpuMs: 1000 })), /^(result|memory)/)
    assert.match(String(await endOf(body('return JSON.parse("[".repeat(1e6))'), { cpuMs: 1000 })), /^(script|memory)/)
    assert.match(String(await endOf(body('return eval("[".repeat(1e5))'), { cpuMs: 1000 })), /^(script|memory)/)
    assert.match(String(await endOf(body('return new RegExp("(".repeat(1e5)).test("")'))), /^(script|memory)/)
    await assertUnharmed()
  })
})
