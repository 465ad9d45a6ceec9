import type { HostFunction } from './functions.ts'
import type {
  ProgramFlaw,
  SandboxExpressionResult,
  SandboxLogLine,
  SandboxSourceText,
  ScriptError,
  SourceModule,
} from './types.ts'

/** Work of a thread. All JSON is passed as text. */
export type SandboxWork =
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
      /** Lines of its log are also posted as they are written. */
      isFollowed: boolean
    }
  /** `globals` of an expression is a place in those of the work. */
  | { type: 'evaluate'; expressions: readonly SandboxExpression[]; globals: readonly string[]; cpuMs: number }
  | { type: 'check'; source: string | null; imports: readonly SourceModule[]; initializers: readonly SourceModule[] }
  | { type: 'parse'; texts: readonly SandboxSourceText[] }

export interface SandboxExpression {
  text: string
  globals: number
  seed: string
}

export type ThreadCommand =
  | { type: 'work'; work: SandboxWork }
  | { type: 'answers'; answers: HostCallAnswer[] }
  /** The run that waits is given up. */
  | { type: 'stop' }

export interface HostCallAnswer {
  number: number
  outcome: '+' | '-' | '!'
  text: string
}

export interface HostCallRequest {
  number: number
  name: string
  args: string
}

export interface HostWriteRequest {
  name: string
  args: string
  answer: string
}

/** Outcome of a run, in JSON texts. */
export type SandboxRunOutcome =
  | { type: 'success'; value: string; logs: SandboxLogLine[]; writes: HostWriteRequest[]; cpuMs: number }
  | { type: 'error'; error: ScriptError; logs: SandboxLogLine[]; cpuMs: number }

export type SandboxExpressionOutcome =
  | Exclude<SandboxExpressionResult, { type: 'success' }>
  | { type: 'success'; value: string }

export type ThreadMessage =
  | { type: 'ready' }
  /** The run waits for these calls of the host, and gives up its turn. `cpuMs`: of all its turns, or those of a round. */
  | { type: 'waits'; calls: HostCallRequest[]; cpuMs: number }
  /** A line of the log of a run that is followed. */
  | { type: 'log'; line: SandboxLogLine }
  /** One expression of several is done. */
  | { type: 'expression'; outcome: SandboxExpressionOutcome; cpuMs: number }
  | { type: 'checked'; flaws: ProgramFlaw[] }
  | { type: 'parsed'; flaws: (Omit<ProgramFlaw, 'part' | 'name'> | null)[] }
  /** The work is over. `spoilt`: the engine ran out of memory or was aborted, and the thread must not be used again. */
  | { type: 'done'; spoilt: boolean; outcome?: SandboxRunOutcome }
