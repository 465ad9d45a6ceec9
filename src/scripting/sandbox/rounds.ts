import { createScriptError, toWorkEndError } from './faults.ts'
import { sandboxLimits } from './limits.ts'
import type { HostCallAnswer, HostCallRequest, SandboxRunOutcome } from './messages.ts'
import { JsonTransferError, toTransferableJson } from './realm/json.ts'
import { createRunWork, findProgramSizeFault } from './running.ts'
import type { SandboxTask, SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import type { SandboxRunOptions, ScriptError, ScriptProgram } from './types.ts'

/** Scripts that are called for one round after the other, in one runtime. */
export interface ScriptRounds {
  /**
   * What one of the scripts gives for rows and what it is told of them. Rejects with `ScriptRoundFailure` when it fails: there are no rounds afterwards;
   * with `ScriptRoundTooLarge` when the rows are too large to be given at once.
   */
  round(script: number, rows: unknown, context: unknown): Promise<unknown>
  /** No round follows. May be called twice. */
  end(): Promise<void>
}

/** The script has failed. */
export class ScriptRoundFailure extends Error {
  readonly error: ScriptError
  constructor(error: ScriptError) {
    super(error.message)
    this.error = error
  }
}

/** What a round is to be given is too large. */
export class ScriptRoundTooLarge extends Error {}

/** What has a script called in rounds: each has the CPU of the options, all together their time. */
export type ScriptRoundsOptions = Pick<
  SandboxRunOptions,
  'account' | 'seed' | 'globals' | 'signal' | 'isNested' | 'cpuMs' | 'wallMs'
> &
  Pick<SandboxTask, 'onSpent'>

interface Turn {
  call: HostCallRequest
  reply(answer: HostCallAnswer): void
}

/** The scripts are modules that do not know each other. */
const nameOf = (script: number): string => `cursor ${script}`

function programOf(scripts: readonly string[]): ScriptProgram {
  return { source: '', imports: scripts.map((source, nth) => ({ name: nameOf(nth), source, isInner: true })) }
}

/** Opens scripts in the pool. They wait there until they are given a round. */
export function openScriptRoundsInPool(
  submit: SubmitSandboxTask,
  scripts: readonly string[],
  options: ScriptRoundsOptions,
): ScriptRounds {
  const program = programOf(scripts)
  const fault = findProgramSizeFault(program)
  let outcome: SandboxRunOutcome | undefined
  let next = Promise.withResolvers<Turn>()
  // Whoever asks for a round is told; without one there is nobody to be told.
  next.promise.catch(() => undefined)

  async function run(): Promise<SandboxWorkEnd> {
    if (fault) throw new ScriptRoundFailure(createScriptError(fault))
    const { account, cpuMs, wallMs, signal, isNested = false, onSpent } = options
    const work = { ...createRunWork(program, { ...options, input: null }), inRounds: true }
    return submit({
      ...{ account, cpuMs, wallMs, signal, isNested, work, ...(onSpent && { onSpent }) },
      onMessage: (message) => {
        if (message.type === 'done') outcome = message.outcome
      },
      onCalls: ([call], reply) => next.resolve({ call: call!, reply }),
    })
  }

  const running = run().then(
    (ended) => {
      const isOwn = (ended === 'done' || ended === 'spoilt') && outcome !== undefined
      const error = isOwn && outcome?.type === 'error' ? outcome.error : toWorkEndError(isOwn ? 'budget' : ended)
      next.reject(new ScriptRoundFailure(error))
    },
    (error) => next.reject(error),
  )

  return {
    async round(script, rows, context) {
      const text = textOf({ file: `import:${nameOf(script)}`, rows, context })
      const { call, reply } = await next.promise
      next = Promise.withResolvers<Turn>()
      next.promise.catch(() => undefined)
      reply({ number: call.number, outcome: '+', text })
      return JSON.parse((await next.promise).call.args)
    },
    async end() {
      const turn = await next.promise.catch(() => undefined)
      turn?.reply({ number: turn.call.number, outcome: '+', text: 'null' })
      await running
    },
  }
}

function textOf(value: unknown): string {
  try {
    return toTransferableJson(value, sandboxLimits.inputBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new ScriptRoundTooLarge(error.message)
    throw error
  }
}
