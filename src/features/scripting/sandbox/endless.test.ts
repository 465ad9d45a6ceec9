import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loops, nativeLoops } from '../../../../test/fakes/attacks.ts'
import { scriptStage } from '../../../../test/fakes/scripts.ts'
import type { Host } from './types.ts'

const { body, endOf, assertHarmless, assertUnharmed } = scriptStage()

describe('case 5: what never ends is ended', { concurrency: 2 }, () => {
  for (const [index, attack] of loops.entries()) test(attack.name, () => assertHarmless(attack, 10 + (index % 2)))

  test('a loop at the top of the script, of an import and of an initializer', async () => {
    const loop = [{ name: 'a', source: 'for (;;) {}' }]
    const good = 'export default () => 1'
    assert.equal(await endOf('for (;;) {}; export default () => 1'), 'timeout cpu')
    assert.equal(await endOf(`import "a"; ${good}`, {}, { imports: loop }), 'timeout cpu')
    assert.equal(await endOf(good, {}, { initializers: loop }), 'timeout cpu')
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

describe('case 5: native loops, which the engine does not interrupt, are killed from outside', {
  concurrency: 2,
}, () => {
  for (const [index, attack] of nativeLoops.entries()) test(attack.name, () => assertHarmless(attack, 10 + (index % 2)))
})

test('a queue that one account filled has place for another', async () => {
  const flood = Array.from({ length: 600 }, () => endOf(body('for (;;) {}')))
  const others = await Promise.all([3, 4, 5].map((account) => endOf('export default () => 1', { account })))
  assert.deepEqual(others, [1, 1, 1])
  assert.ok((await Promise.all(flood)).includes('busy'))
})
