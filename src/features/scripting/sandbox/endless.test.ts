import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptStage } from '../../../../test/fakes/scripts.ts'
import type { Host } from './types.ts'

const { body, endOf, assertUnharmed } = scriptStage()

describe('case 5: what never ends is ended', () => {
  const endless: Record<string, string> = {
    'a loop': 'while (true) {}',
    'awaits without end': 'for (;;) await 0',
    'promises that make promises':
      'const go = () => { Promise.resolve().then(go); Promise.resolve().then(go) }; go(); await new Promise(() => {})',
    'a loop in a getter of an error': 'throw { get message() { for (;;) {} } }',
    'a loop in toJSON': 'return { toJSON() { for (;;) {} } }',
    'a loop in a getter of the result': 'return { get a() { for (;;) {} } }',
    'a proxy without end': 'return new Proxy([], { get: (t, k) => k === "length" ? 1e9 : 1 })',
    'a loop behind a catch': 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
    'a loop in a thenable': 'return { then() { for (;;) {} } }',
    'a loop in a finalizer of an iterator':
      'for (const a of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }) }) }) ;',
  }
  for (const [name, statements] of Object.entries(endless))
    test(name, async () => assert.equal(await endOf(body(statements)), 'timeout cpu'))

  test('a loop at the top of the script, of an import and of an initializer', async () => {
    const loop = [{ name: 'a', source: 'for (;;) {}' }]
    const good = 'export default () => 1'
    assert.equal(await endOf('for (;;) {}; export default () => 1'), 'timeout cpu')
    assert.equal(await endOf(`import "a"; ${good}`, {}, { imports: loop }), 'timeout cpu')
    assert.equal(await endOf(good, {}, { initializers: loop }), 'timeout cpu')
  })

  test('native loops, which the engine does not interrupt, are killed from outside', async () => {
    const native = [
      'return (new Array(1e9) + "").length',
      'return /^(a+)+$/.test("a".repeat(40) + "b")',
      'return "a".repeat(3e6).split("").sort(() => 0).reverse().join().length + [].concat(...new Array(9e8)).length',
      'return new Array(4e8).join("").length + new Array(4e8).fill(0).length',
      'return "x".repeat(1e6).replace(/(x+x+)+y/, "").length',
      'return new Array(1e9).lastIndexOf(1)',
    ]
    const ends = await Promise.all(native.map((statements, account) => endOf(body(statements), { account })))
    for (const [index, end] of ends.entries()) assert.match(String(end), /^(timeout|memory)/, native[index] ?? '')
    await assertUnharmed()
  })

  test('a wait for what nobody settles is an error at once, a wait for the host ends with the wall', async () => {
    assert.equal(await endOf(body('await new Promise(() => {})')), 'script')
    const host: Host = { call: () => new Promise(() => {}) }
    const waiting = body('return await targets.get(1)')
    assert.equal(await endOf(waiting, { host, capabilities: ['targets.read'], wallMs: 200 }), 'timeout wall')
    await assertUnharmed()
  })

  test('a caller that waits no longer ends the run', async () => {
    const looping = endOf(body('for (;;) {}'), { signal: AbortSignal.timeout(50), cpuMs: 1000 })
    assert.equal(await looping, 'timeout budget')
    await assertUnharmed()
  })
})

test('a queue that one account filled has place for another', async () => {
  const flood = Array.from({ length: 600 }, () => endOf(body('for (;;) {}')))
  const others = await Promise.all([3, 4, 5].map((account) => endOf('export default () => 1', { account })))
  assert.deepEqual(others, [1, 1, 1])
  assert.ok((await Promise.all(flood)).includes('busy'))
})
