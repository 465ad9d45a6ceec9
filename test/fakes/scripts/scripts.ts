import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createSandbox, type Sandbox } from '../../../src/scripting/sandbox/sandbox.ts'
import type { SandboxRunOptions, SandboxRunResult, ScriptProgram } from '../../../src/scripting/sandbox/types.ts'
import { type Attack, scriptOf } from './attacks.ts'
import { assertHostUnchanged } from './host-shape.ts'

/** How tests run scripts. */
export interface ScriptStage {
  sandbox: Sandbox
  options: SandboxRunOptions
  /** A module whose function has these statements. */
  body(statements: string): string
  run(source: string, more?: Partial<SandboxRunOptions>, rest?: Partial<ScriptProgram>): Promise<SandboxRunResult>
  /** What became of a script: its value, or the type of its error. */
  endOf(source: string, more?: Partial<SandboxRunOptions>, rest?: Partial<ScriptProgram>): Promise<unknown>
  /** An attack ends as it may, and does no harm. */
  assertHarmless(attack: Attack, account?: number): Promise<void>
  /** Another account's script succeeds, and the prototypes of the service are as they were. */
  assertUnharmed(): Promise<void>
}

/** A sandbox for the tests of a file. */
export function scriptStage(): ScriptStage {
  const sandbox = createSandbox({ cores: 2, threadsPerCore: 4 })
  after(() => sandbox.close())
  const options: SandboxRunOptions = { account: 1, seed: 'run', input: null, cpuMs: 200, wallMs: 60_000 }
  const run: ScriptStage['run'] = (source, more = {}, rest = {}) =>
    sandbox.run({ source, ...rest }, { ...options, ...more })
  const endOf: ScriptStage['endOf'] = async (source, more, rest) => {
    const result = await run(source, more, rest)
    return result.type === 'success' ? result.value : `${result.error.type} ${result.error.limit ?? ''}`.trim()
  }
  async function assertUnharmed(): Promise<void> {
    assert.equal(await endOf('export default () => 1', { account: 2 }), 1)
    assertHostUnchanged()
  }
  return {
    sandbox,
    options,
    body: scriptOf,
    run,
    endOf,
    async assertHarmless({ statements, ends }, account = 1) {
      const result = await run(scriptOf(statements), { account })
      const end = result.type === 'success' ? 'success' : result.error.type
      assert.ok(ends.includes(end), `${end}: ${result.type === 'error' && result.error.message}`)
      await assertUnharmed()
    },
    assertUnharmed,
  }
}
