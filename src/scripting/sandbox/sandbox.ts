import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { createSandboxChecks, type SandboxChecks } from './checking.ts'
import { evaluateAllInPool, evaluateEachInPool } from './evaluating.ts'
import { computeAccountShare } from './lanes.ts'
import { createSandboxPool } from './pool.ts'
import { openScriptRoundsInPool, type ScriptRounds, type ScriptRoundsOptions } from './rounds.ts'
import { runProgramInPool } from './running.ts'
import type { SubmitSandboxTask } from './task.ts'
import type {
  ExpressionWithGlobals,
  SandboxExpressionResult,
  SandboxRunContext,
  SandboxRunOptions,
  SandboxRunResult,
  ScriptProgram,
} from './types.ts'

export interface SandboxOptions {
  /** Number of scripts that compute at a time. */
  cores: number
  /** Number of threads per core; most of them wait for the host. */
  threadsPerCore: number
  /** Told what no author may see: why a function of the host failed. */
  report?: (error: unknown) => void
}

/** Runs what authors write, in threads of its own: nothing of it can hold up or reach the service. */
export interface Sandbox extends SandboxChecks {
  /** Runs of one account that there are at a time; others wait. */
  atOnce: number
  /** Runs a script. Its writes are not done yet: the caller applies them after a success. */
  run(program: ScriptProgram, options: SandboxRunOptions): Promise<SandboxRunResult>
  /** Opens scripts, modules as of a program, that are called for one round after the other. */
  openRounds(scripts: readonly string[], options: ScriptRoundsOptions): ScriptRounds
  /** Evaluates expressions, each in a context of its own, with the same constants. Results in their order. */
  evaluate(expressions: readonly string[], context: SandboxRunContext): Promise<SandboxExpressionResult[]>
  /** Evaluates expressions of one account, each in a context of its own with its own constants. Results in their order. */
  evaluateEach(
    expressions: readonly ExpressionWithGlobals[],
    context: Pick<SandboxRunContext, 'account' | 'signal' | 'isNested'>,
  ): Promise<SandboxExpressionResult[]>
  /** Ends the threads; what runs or waits is answered with `busy`. */
  close(): Promise<void>
}

async function compileEngine(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  return WebAssembly.compile(await readFile(path))
}

/** The engine is compiled with the first work; threads start when there is work for them. */
export function createSandbox({ cores, threadsPerCore, report = () => {} }: SandboxOptions): Sandbox {
  const threads = Math.max(2, cores * threadsPerCore)
  const openPool = loadOnce(async () => createSandboxPool({ engine: await compileEngine(), cores, threads }))
  const pool: SubmitSandboxTask = async (task) => (await openPool()).submit(task)
  return {
    ...createSandboxChecks(pool),
    atOnce: computeAccountShare({ cores, threads }).threads,
    run: (program, options) => runProgramInPool(pool, program, { ...options, report }),
    openRounds: (scripts, options) => openScriptRoundsInPool(pool, scripts, options),
    evaluate: (expressions, context) => evaluateAllInPool(pool, expressions, context),
    evaluateEach: (expressions, context) => evaluateEachInPool(pool, expressions, context),
    close: async () => (await openPool.begun())?.close(),
  }
}
