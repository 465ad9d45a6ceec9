import type { CompiledExpression } from './compile.ts'
import { readValueAtPath } from './paths.ts'
import type { ScriptEvaluator } from './scripts-port.ts'
import { renderFilteredTemplate, renderScriptTemplate, type TemplateValues } from './templates.ts'

export type { TemplateValues } from './templates.ts'

/** Returns true if an expression needs the sandbox. All others are evaluated at once. */
export function needsSandbox(compiled: CompiledExpression): boolean {
  return compiled.type === 'script' || (compiled.type === 'template' && compiled.isFiltered)
}

/**
 * The value of an expression that needs no sandbox. Throws what a template throws; paths give null for what is missing.
 * Throws for one that does need it.
 */
export function evaluateExpressionSync(compiled: CompiledExpression, scope: TemplateValues): unknown {
  if (compiled.type === 'literal') return compiled.value
  if (compiled.type === 'path') return readValueAtPath(scope.values, compiled.steps)
  if (compiled.type === 'template' && !compiled.isFiltered) return renderScriptTemplate(compiled, scope)
  throw new Error('The expression needs the sandbox.')
}

/** The value of any expression. Rejects when a template or a script fails. */
export async function evaluateExpression(
  compiled: CompiledExpression,
  scope: TemplateValues,
  scripts: ScriptEvaluator,
): Promise<unknown> {
  if (!needsSandbox(compiled)) return evaluateExpressionSync(compiled, scope)
  if (compiled.type === 'script') return scripts.evaluate(compiled.source, scope.values)
  if (compiled.type === 'template') return renderFilteredTemplate(compiled, scope, (call) => scripts.filter(call))
  throw new Error('Nothing else needs the sandbox.')
}

/** Returns true if a condition holds: for `true` and the text "true". */
export function isConditionTrue(value: unknown): boolean {
  return value === true || value === 'true'
}
