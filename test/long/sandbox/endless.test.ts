import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptHost } from '../../../src/scripting/sandbox/types.ts'
import { loops, nativeLoops } from '../../fakes/scripts/attacks.ts'
import { scriptStage } from '../../fakes/scripts/scripts.ts'

const { body, endOf, assertHarmless, assertUnharmed } = scriptStage()

describe('endless scripts', { concurrency: 2 }, () => {
  for (const [index, attack] of loops.entries()) test(attack.name, () => assertHarmless(attack, 10 + (index % 2)))

  test('a loop at the top level of a script, an import or an initializer times out', async () => {
    const loop = [{ name: 'a', source: 'for (;;) {}' }]
    const good = 'export default () => 1'
    assert.equal(await endOf('for (;;) {}; export default () => 1'), 'timeout cpu')
    assert.equal(await endOf(`import "a"; ${good}`, {}, { imports: loop }), 'timeout cpu')
    assert.equal(await endOf(good, {}, { initializers: loop }), 'timeout cpu')
  })

  test('waiting for a promise that never settles fails at once, and waiting for the host ends at the wall time', async () => {
    assert.equal(await endOf(body('await new Promise(() => {})')), 'script')
    const host: ScriptHost = { call: () => new Promise(() => {}) }
    const waiting = body('return await targets.get(1)')
    assert.equal(await endOf(waiting, { host, capabilities: ['targets.read'], wallMs: 200 }), 'timeout wall')
    await assertUnharmed()
  })

  test('aborting the caller ends the run', async () => {
    const looping = endOf(body('for (;;) {}'), { signal: AbortSignal.timeout(50), cpuMs: 1000 })
    assert.equal(await looping, 'timeout budget')
    await assertUnharmed()
  })
})

describe('endless native loops, killed from outside', {
  concurrency: 2,
}, () => {
  for (const [index, attack] of nativeLoops.entries()) test(attack.name, () => assertHarmless(attack, 10 + (index % 2)))
})

test('a queue flooded by one account still has room for others', async () => {
  const flood = Array.from({ length: 600 }, () => endOf(body('for (;;) {}')))
  const others = await Promise.all([3, 4, 5].map((account) => endOf('export default () => 1', { account })))
  assert.deepEqual(others, [1, 1, 1])
  assert.ok((await Promise.all(flood)).includes('busy'))
})
