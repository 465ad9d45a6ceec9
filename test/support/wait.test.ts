import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { eventually } from './wait.ts'

suite('eventually', () => {
  test('returns the first answer that is neither undefined nor false, and treats errors as no answer', async () => {
    const answers = [() => undefined, () => false as const, () => assert.fail('not yet'), () => 0, () => 1]
    assert.equal(await eventually(() => answers.shift()!()), 0)
    assert.equal(answers.length, 1)
  })

  test('fails with the question and its last error after the timeout', async () => {
    const cause = new Error('away')
    await assert.rejects(
      eventually(() => Promise.reject(cause), 10),
      { message: 'not in time: () => Promise.reject(cause)', cause },
    )
  })

  test('fails when its signal is aborted', async () => {
    await assert.rejects(
      eventually(() => false, AbortSignal.timeout(10)),
      /not in time/,
    )
  })
})

/** Files with loops that wait for nothing. */
const others = [
  // Processes that work until they are killed.
  ...['listener-taker', 'mortal-copier', 'mortal-followups', 'mortal-workflow-worker'].map(
    (name) => `test/fakes/programs/${name}.ts`,
  ),
  // Scripts that never end, as texts.
  'src/scripting/sandbox/realm/image.test.ts',
  'src/scripting/sandbox/sandbox.test.ts',
  ...['endless', 'memory', 'threads'].map((name) => `test/long/sandbox/${name}.test.ts`),
  ...['compilables-scripts', 'compilables-workflows', 'pipelines'].map((name) => `test/api/pipelines/${name}.test.ts`),
  ...['webtask-executions', 'webtask-workflows', 'webtasks'].map((name) => `test/api/webtasks/${name}.test.ts`),
  'test/fakes/scripts/attacks.ts',
  'test/fakes/scripts/hostile-scripts.ts',
  'test/api/workflows/scripts.test.ts',
  // Workers that work until nothing is left to do.
  ...['capping', 'firings', 'guide', 'reentry', 'splits', 'tasks'].map((name) => `test/api/workflows/${name}.test.ts`),
  'test/api/approvals/approved-scripts.test.ts',
  ...['kills/workflow-kills', 'kills/workflow-script-kills', 'races/workflow-races', 'sandbox/webtask-limits'].map(
    (name) => `test/long/${name}.test.ts`,
  ),
  // Loops that keep the cores busy, as a text; resources that may be open by right.
  'test/runner/leaks.ts',
  'test/runner/repeat.ts',
  'test/support/database/events-store.ts',
  'test/support/processes/mortal-worker.ts',
  'test/support/stages/workflow-stage.ts',
]

test('no other test file waits with its own loop', () => {
  const loops = [
    /for \(;;\)(?! yield)|while \(true\)/,
    /while \(!?\(*await\b/,
    /while \((?:performance|Date)\.now/,
    /while \([^\n]*\)\s*(?:await delay|await new Promise|await setImmediate)/,
    /for \(const end = |for \([^\n]*; await delay/,
  ]
  const files = globSync(['test/**/*.ts', 'src/**/*.test.ts']).filter(
    (file) => !/^test\/support\/wait(?:\.test)?\.ts$/.test(file) && !others.includes(file),
  )
  const found = files.filter((file) => loops.some((loop) => loop.test(readFileSync(file, 'utf8'))))
  assert.ok(files.length > 100)
  assert.deepEqual(found, [], 'use eventually of test/support/wait.ts')
})
