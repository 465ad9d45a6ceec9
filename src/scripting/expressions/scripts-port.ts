/** A call of one of the filters that a definition brings. */
export interface ScriptFilterCall {
  /** Its source: "(input, a) => …". */
  source: string
  input: unknown
  arguments: readonly unknown[]
  /** Receives its processor time, in milliseconds. */
  onSpent?(cpuMs: number): void
}

/** Sandbox functions that expressions need. */
export interface ScriptEvaluator {
  /** The value of one JavaScript expression, with the names of the scope as constants. Rejects when it throws. */
  evaluate(source: string, scope: Readonly<Record<string, unknown>>): Promise<unknown>
  /** The value of a filter. */
  filter(call: ScriptFilterCall): Promise<unknown>
}
