import type { HostFunction } from './functions.ts'
import type { ExpressionResult, LogLine, ProgramFlaw, ScriptError, SourceModule, SourceText } from './types.ts'

/** What a thread is asked to do. All JSON travels as text. */
export type Work =
  | {
      type: 'run'
      account: number
      source: string
      imports: readonly SourceModule[]
      initializers: readonly SourceModule[]
      /** The arguments of the default export. */
      input: string
      /** A JSON object. */
      globals: string
      seed: string
      functions: [name: string, HostFunction][]
      contactIds: readonly string[]
      cpuMs: number
      /** It is called for each of some rounds: each asks for the next, and has so much CPU. */
      inRounds: boolean
      /** Lines of its log are posted as they come, too. */
      isFollowed: boolean
    }
  /** `globals` of an expression is a place in those of the work. */
  | { type: 'evaluate'; expressions: readonly WorkExpression[]; globals: readonly string[]; cpuMs: number }
  | { type: 'check'; source: string | null; imports: readonly SourceModule[]; initializers: readonly SourceModule[] }
  | { type: 'parse'; texts: readonly SourceText[] }

export interface WorkExpression {
  text: string
  globals: number
  seed: string
}

export type ToThread =
  | { type: 'work'; work: Work }
  | { type: 'answers'; answers: CallAnswer[] }
  /** The run that waits is given up. */
  | { type: 'stop' }

export interface CallAnswer {
  number: number
  outcome: '+' | '-' | '!'
  text: string
}

export interface CallRequest {
  number: number
  name: string
  args: string
}

export interface WriteRequest {
  name: string
  args: string
  answer: string
}

/** What became of a run, in JSON texts. */
export type RunOutcome =
  | { type: 'success'; value: string; logs: LogLine[]; writes: WriteRequest[]; cpuMs: number }
  | { type: 'error'; error: ScriptError; logs: LogLine[]; cpuMs: number }

export type ExpressionOutcome = Exclude<ExpressionResult, { type: 'success' }> | { type: 'success'; value: string }

export type FromThread =
  | { type: 'ready' }
  /** The run waits for these calls of the host, and gives up its turn. `cpuMs`: of all its turns, or those of a round. */
  | { type: 'waits'; calls: CallRequest[]; cpuMs: number }
  /** A line of the log of a run that is followed. */
  | { type: 'log'; line: LogLine }
  /** One expression of several is done. */
  | { type: 'expression'; outcome: ExpressionOutcome; cpuMs: number }
  | { type: 'checked'; flaws: ProgramFlaw[] }
  | { type: 'parsed'; flaws: (Omit<ProgramFlaw, 'part' | 'name'> | null)[] }
  /** The work is over. `spoilt`: the engine ran out of memory or was aborted, and the thread must not be used again. */
  | { type: 'done'; spoilt: boolean; outcome?: RunOutcome }
