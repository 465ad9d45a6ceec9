import type { ScriptCapability } from './functions.ts'

/** A named text that is imported, or run before the script. */
export interface SourceModule {
  name: string
  source: string
  /**
   * Modules that it can import, as pairs of the name in its text and the name of a module. If absent, all modules are available by their
   * own names.
   */
  imports?: readonly (readonly [requested: string, module: string])[]
  /** Only modules can import it that name it in their `imports`. */
  isInner?: boolean
}

/** A script: an ES module whose default export is a function. Nothing but `imports` can be imported. */
export interface ScriptProgram {
  source: string
  imports?: readonly SourceModule[]
  /** Run in order before the script; what they set globally is there for it. */
  initializers?: readonly SourceModule[]
}

/** From 1, in the author's text. */
export interface ScriptPosition {
  line: number
  column: number
}

export type ScriptErrorType = 'script' | 'timeout' | 'memory' | 'result' | 'capability' | 'busy'

/** End of a run that returned no value. */
export interface ScriptError {
  type: ScriptErrorType
  message: string
  /** Exceeded limit of an error of type `timeout`. */
  limit?: 'cpu' | 'wall' | 'budget'
  position?: ScriptPosition
  /** Stack that includes only the author's own texts. */
  stack?: string
}

export type SandboxLogLevel = 'info' | 'warn' | 'error'

/** A line of a run's log. `at`: milliseconds after its start. */
export interface SandboxLogLine {
  level: SandboxLogLevel
  at: number
  text: string
}

/** A write that a script asked for; its caller applies all of them, in this order, in one transaction. */
export interface CollectedScriptWrite {
  /** As scripts call it: `targets.update`. */
  name: string
  args: unknown[]
  /** Answer that the script received: the id of a contact or a stamp that must be the stored one; otherwise null. */
  answer: unknown
}

/** A function of the host that a script called and waits for. */
export interface ScriptHostCall {
  name: string
  args: unknown[]
  /** From 1, counted over all calls of the run, as in `run:node:visit:n`. */
  number: number
}

/** Host that answers reads and http. A thrown `ScriptHostError` reaches the script with its message; any other error only as a failure. */
export interface ScriptHost {
  call(call: ScriptHostCall, signal: AbortSignal): Promise<unknown>
}

/** An error that the script may see. `capability` makes it an error of that type unless the script catches it. */
export class ScriptHostError extends Error {
  readonly type: 'script' | 'capability'
  constructor(message: string, type: 'script' | 'capability' = 'script') {
    super(message)
    this.type = type
  }
}

/** Context of every run. */
export interface SandboxRunContext {
  /** Account whose share of the pool it uses; never shown to the script. */
  account: number
  /** Identifies the run: what is random in it follows from this, so that a repeated run makes the same ids. */
  seed: string
  /** Constants under their names, such as `environment`. JSON. */
  globals?: Readonly<Record<string, unknown>>
  /** Ends the run: what waits or computes is answered with `timeout`, `budget`. */
  signal?: AbortSignal
  /** A run of the account waits for it. */
  isNested?: boolean
}

export interface SandboxRunOptions extends SandboxRunContext {
  input: unknown
  capabilities?: readonly ScriptCapability[]
  /** Needed as soon as a capability with reads or http is given. */
  host?: ScriptHost
  /** Ids for contacts that the script makes, in the order in which they are handed out. */
  contactIds?: readonly string[]
  cpuMs: number
  /** Limit of all its waits for the host together. */
  wallMs: number
  /** Told of each line of the log while the script runs; the result has all of them. */
  onLog?: (line: SandboxLogLine) => void
}

export type SandboxRunResult =
  | { type: 'success'; value: unknown; logs: SandboxLogLine[]; writes: CollectedScriptWrite[]; cpuMs: number }
  | { type: 'error'; error: ScriptError; logs: SandboxLogLine[]; cpuMs: number }

export type SandboxExpressionResult = { type: 'success'; value: unknown } | { type: 'error'; error: ScriptError }

/** An expression with its own constants. */
export interface ExpressionWithGlobals extends Pick<SandboxRunContext, 'seed' | 'globals'> {
  source: string
  /** Receives its processor time, in milliseconds. */
  onSpent?(cpuMs: number): void
}

/** A text to be parsed: a module, the function of a filter or one expression. */
export interface SandboxSourceText {
  kind: 'script' | 'module' | 'function' | 'expression'
  source: string
}

/** A fault of a program. `name`: the import or initializer, null for the script itself. */
export interface ProgramFlaw {
  type: 'syntax' | 'missing-export' | 'unknown-reference' | 'recursion' | 'limit'
  part: 'script' | 'import' | 'initializer'
  name: string | null
  message: string
  position?: ScriptPosition
}
