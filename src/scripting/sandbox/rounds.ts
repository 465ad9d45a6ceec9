import { endedError, scriptFault } from './faults.ts'
import { limits } from './limits.ts'
import type { CallAnswer, CallRequest, RunOutcome } from './messages.ts'
import { crossingText, NotCrossing } from './realm/json.ts'
import { sizeFault, workOf } from './running.ts'
import type { Ended, Submit, Task } from './task.ts'
import type { Program, RunOptions, ScriptError } from './types.ts'

/** Scripts that are called for one round after the other, in one runtime. */
export interface Rounds {
  /**
   * What one of the scripts gives for rows and what it is told of them. Rejects with `RoundEnded` when it fails: there are no rounds afterwards;
   * with `RoundTooLarge` when the rows are too large to be given at once.
   */
  round(script: number, rows: unknown, context: unknown): Promise<unknown>
  /** No round follows. May be called twice. */
  end(): Promise<void>
}

/** The script has failed. */
export class RoundEnded extends Error {
  readonly error: ScriptError
  constructor(error: ScriptError) {
    super(error.message)
    this.error = error
  }
}

/** What a round is to be given is too large. */
export class RoundTooLarge extends Error {}

/** What has a script called in rounds: each has the CPU of the options, all together their time. */
export type RoundsOptions = Pick<
  RunOptions,
  'account' | 'seed' | 'globals' | 'signal' | 'isNested' | 'cpuMs' | 'wallMs'
> &
  Pick<Task, 'onSpent'>

interface Turn {
  call: CallRequest
  reply(answer: CallAnswer): void
}

/** The scripts are modules that do not know each other. */
const nameOf = (script: number): string => `cursor ${script}`

function programOf(scripts: readonly string[]): Program {
  return { source: '', imports: scripts.map((source, nth) => ({ name: nameOf(nth), source, isInner: true })) }
}

/** Opens scripts in the pool. They wait there until they are given a round. */
export function openRoundsIn(submit: Submit, scripts: readonly string[], options: RoundsOptions): Rounds {
  const program = programOf(scripts)
  const fault = sizeFault(program)
  let outcome: RunOutcome | undefined
  let next = Promise.withResolvers<Turn>()
  // Whoever asks for a round is told; without one there is nobody to be told.
  next.promise.catch(() => undefined)

  async function run(): Promise<Ended> {
    if (fault) throw new RoundEnded(scriptFault(fault))
    const { account, cpuMs, wallMs, signal, isNested = false, onSpent } = options
    const work = { ...workOf(program, { ...options, input: null }), inRounds: true }
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
      const error = isOwn && outcome?.type === 'error' ? outcome.error : endedError(isOwn ? 'budget' : ended)
      next.reject(new RoundEnded(error))
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
    return crossingText(value, limits.inputBytes)
  } catch (error) {
    if (error instanceof NotCrossing) throw new RoundTooLarge(error.message)
    throw error
  }
}
