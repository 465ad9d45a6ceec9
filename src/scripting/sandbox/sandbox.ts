import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Checks, checksOf } from './checking.ts'
import { evaluateEachIn, evaluateIn } from './evaluating.ts'
import { shareOf } from './lanes.ts'
import { createPool, type Pool } from './pool.ts'
import { openRoundsIn, type Rounds, type RoundsOptions } from './rounds.ts'
import { runIn } from './running.ts'
import type { Submit } from './task.ts'
import type { ExpressionResult, GivenExpression, Program, RunContext, RunOptions, RunResult } from './types.ts'

export interface SandboxOptions {
  /** How many scripts compute at a time. */
  cores: number
  /** How many there are for each core; most of them wait for the host. */
  threadsPerCore: number
  /** Told what no author may see: why a function of the host failed. */
  report?: (error: unknown) => void
}

/** Runs what authors write, in threads of its own: nothing of it can hold up or reach the service. */
export interface Sandbox extends Checks {
  /** Runs of one account that there are at a time; others wait. */
  atOnce: number
  /** Runs a script. Its writes are not done yet: the caller applies them after a success. */
  run(program: Program, options: RunOptions): Promise<RunResult>
  /** Opens scripts, modules as of a program, that are called for one round after the other. */
  openRounds(scripts: readonly string[], options: RoundsOptions): Rounds
  /** Evaluates expressions, each in a context of its own, with the same constants. Results in their order. */
  evaluate(expressions: readonly string[], context: RunContext): Promise<ExpressionResult[]>
  /** Evaluates expressions of one account, each in a context of its own with its own constants. Results in their order. */
  evaluateEach(
    expressions: readonly GivenExpression[],
    context: Pick<RunContext, 'account' | 'signal' | 'isNested'>,
  ): Promise<ExpressionResult[]>
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
  let opened: Promise<Pool> | undefined
  const pool: Submit = async (task) => {
    opened ??= compileEngine().then((engine) => createPool({ engine, cores, threads }))
    return (await opened).submit(task)
  }
  return {
    ...checksOf(pool),
    atOnce: shareOf({ cores, threads }).threads,
    run: (program, options) => runIn(pool, program, { ...options, report }),
    openRounds: (scripts, options) => openRoundsIn(pool, scripts, options),
    evaluate: (expressions, context) => evaluateIn(pool, expressions, context),
    evaluateEach: (expressions, context) => evaluateEachIn(pool, expressions, context),
    close: async () => (await opened)?.close(),
  }
}
