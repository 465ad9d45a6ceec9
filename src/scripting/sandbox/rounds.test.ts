import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ScriptRoundFailure } from './rounds.ts'
import { createSandbox } from './sandbox.ts'
import type { SandboxRunOptions } from './types.ts'

/** Threads are at hand for two runs at a time; one account has one of them. */
const sandbox = createSandbox({ cores: 2, threadsPerCore: 1 })
after(() => sandbox.close())

const options = { account: 1, seed: 'rounds', cpuMs: 200, wallMs: 60_000 }
const runs: SandboxRunOptions = { ...options, input: null }
const counting = `globalThis.count ??= 0
export default (rows, context) => ({ count: ++globalThis.count, rows, context })`

function run(source: string, more: Partial<SandboxRunOptions> = {}) {
  return sandbox.run({ source }, { ...runs, ...more })
}

describe('scripts called in rounds', () => {
  test('share a runtime across rounds and leave nothing in it', async () => {
    for (let time = 0; time < 3; time++) {
      const rounds = sandbox.openRounds([counting, counting], options)
      assert.deepEqual(await rounds.round(0, [1], 'a'), { count: 1, rows: [1], context: 'a' })
      assert.deepEqual(await rounds.round(1, [2], 'b'), { count: 2, rows: [2], context: 'b' })
      assert.deepEqual(await rounds.round(0, [], null), { count: 3, rows: [], context: null })
      await rounds.end()
      const after = await run('export default () => typeof globalThis.count')
      assert.equal(after.type === 'success' && after.value, 'undefined')
    }
  })

  test('have their CPU limit in each round', async () => {
    const busy =
      'export default (ms) => { const end = Date.now() + ms; while (ms === null || Date.now() < end); return ms }'
    const rounds = sandbox.openRounds([busy], options)
    for (let round = 0; round < 4; round++) assert.equal(await rounds.round(0, 100, null), 100)
    await assert.rejects(
      rounds.round(0, null, null),
      (error) => error instanceof ScriptRoundFailure && error.error.type === 'timeout',
    )
    await rounds.end()
  })

  test('report an error even if the script has replaced `then` of promises', async () => {
    const tricks =
      'Promise.prototype.then = null; export default async (rows) => { if (rows === null) throw new RangeError("no rows"); return rows }'
    const rounds = sandbox.openRounds([tricks], options)
    assert.deepEqual(await rounds.round(0, [1], null), [1])
    await assert.rejects(rounds.round(0, null, null), { message: 'no rows' })
    await assert.rejects(rounds.round(0, [1], null), { message: 'no rows' })
    await rounds.end()
  })
})

describe('nested runs', () => {
  const waiting = 'export default () => compilables.execute(1)'

  test('have their own threads when waiting runs occupy all others, which are not used by others afterwards', async () => {
    let most = 0
    let inner = 0
    const outer = (account: number) =>
      run(waiting, {
        account,
        capabilities: ['compilables.execute'],
        host: async () => {
          most = Math.max(most, ++inner)
          const nested = await run('export default () => "nested"', { account, isNested: true })
          inner--
          return nested.type === 'success' ? nested.value : nested.error
        },
      })
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map(outer))
    for (const result of results) assert.equal(result.type === 'success' && result.value, 'nested')
    assert.equal(most, 2)
  })
})
