import type { Compiled } from './compile.ts'
import { valueAt } from './paths.ts'
import type { ScriptPort } from './scripts-port.ts'
import { renderFiltered, renderTemplate, type Scope } from './templates.ts'

export type { Scope } from './templates.ts'

/** Whether an expression needs the sandbox; all others are evaluated at once. */
export function needsSandbox(compiled: Compiled): boolean {
  return compiled.type === 'script' || (compiled.type === 'template' && compiled.isFiltered)
}

/**
 * The value of an expression that needs no sandbox. Throws what a template throws; paths give null for what is missing.
 * Throws for one that does need it.
 */
export function evaluateAtOnce(compiled: Compiled, scope: Scope): unknown {
  if (compiled.type === 'literal') return compiled.value
  if (compiled.type === 'path') return valueAt(scope.values, compiled.steps)
  if (compiled.type === 'template' && !compiled.isFiltered) return renderTemplate(compiled, scope)
  throw new Error('The expression needs the sandbox.')
}

/** The value of any expression. Rejects when a template or a script fails. */
export async function evaluate(compiled: Compiled, scope: Scope, scripts: ScriptPort): Promise<unknown> {
  if (!needsSandbox(compiled)) return evaluateAtOnce(compiled, scope)
  if (compiled.type === 'script') return scripts.evaluate(compiled.source, scope.values)
  if (compiled.type === 'template') return renderFiltered(compiled, scope, (call) => scripts.filter(call))
  throw new Error('Nothing else needs the sandbox.')
}

/** Whether a condition holds: for `true` and the text "true". */
export function holds(value: unknown): boolean {
  return value === true || value === 'true'
}
