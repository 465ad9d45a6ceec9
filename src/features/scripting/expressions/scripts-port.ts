import type { FlawPosition } from '../flaws.ts'

/** What a script does not parse with. */
export interface ScriptFault {
  message: string
  position?: FlawPosition
}

/** A call of one of the filters that a definition brings. */
export interface FilterCall {
  /** Its source: "(input, a) => …". */
  source: string
  input: unknown
  arguments: readonly unknown[]
}

/** What expressions need of the sandbox. */
export interface ScriptPort {
  /** The value of one JavaScript expression, with the names of the scope as constants. Rejects when it throws. */
  evaluate(source: string, scope: Readonly<Record<string, unknown>>): Promise<unknown>
  /** The value of a filter. */
  filter(call: FilterCall): Promise<unknown>
  /** For each expression, why it does not parse; nothing is run. */
  check(sources: readonly string[]): Promise<(ScriptFault | undefined)[]>
  /** The same for modules; `missing-export`: one without a default export. */
  checkModules(sources: readonly string[]): Promise<((ScriptFault & { missingExport?: boolean }) | undefined)[]>
}
