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
   * Calls one of the scripts with rows and a context. Rejects with `ScriptRoundFailure` if it fails: no rounds follow. Rejects with
   * `ScriptRoundTooLarge` if the rows are too large to be passed at once.
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

/** Error for an input of a round that is too large. */
export class ScriptRoundTooLarge extends Error {}

/** Options of scripts that are called in rounds. Each script has the CPU limit of the options; all of them share the time limit. */
export type ScriptRoundsOptions = Pick<
  SandboxRunOptions,
  'account' | 'seed' | 'globals' | 'signal' | 'isNested' | 'cpuMs' | 'wallMs'
> &
  Pick<SandboxTask, 'onSpent'>

interface RoundTurn {
  call: HostCallRequest
  reply(answer: HostCallAnswer): void
}

/** The scripts are modules that do not know each other. */
const formatScriptName = (script: number): string => `cursor ${script}`

function buildRoundsProgram(scripts: readonly string[]): ScriptProgram {
  return { source: '', imports: scripts.map((source, nth) => ({ name: formatScriptName(nth), source, isInner: true })) }
}

/** Opens scripts in the pool. They wait there until they are given a round. */
export function openScriptRoundsInPool(
  submit: SubmitSandboxTask,
  scripts: readonly string[],
  options: ScriptRoundsOptions,
): ScriptRounds {
  const program = buildRoundsProgram(scripts)
  const fault = findProgramSizeFault(program)
  let runOutcome: SandboxRunOutcome | undefined
  let nextTurn = Promise.withResolvers<RoundTurn>()
  // A caller of a round receives the rejection; without a caller, the rejection must be handled here.
  nextTurn.promise.catch(() => undefined)

  async function runRounds(): Promise<SandboxWorkEnd> {
    if (fault) throw new ScriptRoundFailure(createScriptError(fault))
    const { account, cpuMs, wallMs, signal, isNested = false, onSpent } = options
    const runWork = { ...createRunWork(program, { ...options, input: null }), inRounds: true }
    return submit({
      account,
      cpuMs,
      wallMs,
      signal,
      isNested,
      work: runWork,
      ...(onSpent && { onSpent }),
      onMessage: (message) => {
        if (message.type === 'done') runOutcome = message.outcome
      },
      onCalls: ([call], reply) => nextTurn.resolve({ call: call!, reply }),
    })
  }

  const runPromise = runRounds().then(
    (workEnd) => {
      const hasOutcome = (workEnd === 'done' || workEnd === 'spoilt') && runOutcome !== undefined
      const error =
        hasOutcome && runOutcome?.type === 'error' ? runOutcome.error : toWorkEndError(hasOutcome ? 'budget' : workEnd)
      nextTurn.reject(new ScriptRoundFailure(error))
    },
    (error) => nextTurn.reject(error),
  )

  return {
    async round(script, rows, context) {
      const text = toRoundText({ file: `import:${formatScriptName(script)}`, rows, context })
      const { call, reply } = await nextTurn.promise
      nextTurn = Promise.withResolvers<RoundTurn>()
      nextTurn.promise.catch(() => undefined)
      reply({ number: call.number, outcome: '+', text })
      return JSON.parse((await nextTurn.promise).call.args)
    },
    async end() {
      const openTurn = await nextTurn.promise.catch(() => undefined)
      openTurn?.reply({ number: openTurn.call.number, outcome: '+', text: 'null' })
      await runPromise
    },
  }
}

function toRoundText(value: unknown): string {
  try {
    return toTransferableJson(value, sandboxLimits.inputBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new ScriptRoundTooLarge(error.message)
    throw error
  }
}
