import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'

const stage = await startWebtaskStage()
const { call, execute, executeAll, other, webtask } = stage

/** Processor time that a script may use by default. */
const SCRIPT_CPU_MS = 1000

/** The processor time in milliseconds of some work in the thread of the service, which is that of the tests. */
async function heldMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

suite('limits of webtasks', () => {
  test('an endless script is ended, and health checks respond meanwhile', async () => {
    const scripts = ['while (true) {}', 'for (;;) await 0', '/(a+)+b/.test("a".repeat(40))', 'new Array(1e9) + ""']
    for (const script of scripts) {
      const id = await webtask(`export default async () => { ${script} }`)
      let isOver = false
      const run = execute(id).finally(() => (isOver = true))
      const delaysMs: number[] = []
      while (!isOver) {
        const healthy = async () => assert.equal((await call('GET', '/health/live', { key: null })).status, 200)
        delaysMs.push(await heldMs(healthy))
        await nextTurn()
      }
      const { body } = await run
      assert.ok(['timeout', 'memory'].includes(body.value.type), `${script}: ${JSON.stringify(body.value)}`)
      assert.ok(Math.max(...delaysMs) < SCRIPT_CPU_MS, `${script}: a health check took ${Math.max(...delaysMs)} ms`)
    }
  })

  test('a script that uses too much memory fails, and other accounts are not affected', async () => {
    const theirs = await call('POST', WEBTASKS, {
      body: { name: 'x', value: 'export default () => 1' },
      key: other.key,
    })
    for (const script of [
      'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
      'const f = () => f() + 1; f()',
    ]) {
      const id = await webtask(`export default () => { ${script} }`)
      assert.equal((await execute(id)).body.value.type, 'memory', script)
      assert.equal((await execute(theirs.body.id, {}, { key: other.key })).body.value, 1)
    }
  })

  test('values that exceed the total size become errors, and their writes are not applied', async () => {
    const field = (await call('POST', '/fields', { body: { name: 'Tier', type: 'textField' } })).body.id
    const { body: who } = await call('POST', '/targets', { body: { Email: 'hal@orchard.example', Tier: 'none' } })
    const id = await webtask(
      `export default ({ contact }) => {
        if (contact) targets.update({ type: "id", value: contact.id }, { Tier: "gold" })
        return "x".repeat(1e6)
      }`,
      { scripting: { environment: { capabilities: ['targets.write'] } } },
    )
    const { body } = await executeAll(id, [...Array(70).fill({}), { receiver: { type: 'id', value: who.id } }])
    const types = body.map(
      ({ type, value }: { type: string; value: { type: string } }) => type === 'error' && value.type,
    )
    assert.deepEqual([types[0], types[65], types.at(-1)], [false, false, 'result'])
    assert.equal((await call('GET', `/targets/${who.id}`)).body.fields[field], 'none')
  })
})
