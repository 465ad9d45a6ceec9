import type { CompileContext, CompiledExpression } from '../../../scripting/expressions/compile.ts'
import { compileExpression } from '../../../scripting/expressions/compile.ts'
import { evaluateExpressionSync, needsSandbox } from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import { computeTextPosition, flattenLiquidErrors } from '../../rendering/flaws.ts'
import type { ArgumentValues } from '../execution/arguments.ts'
import { ExecutionFailure } from '../execution/failures.ts'
import type { PipelineRow } from '../values/values.ts'

/** Scope in which expressions are evaluated in memory. */
export interface MemoryScope {
  compiling: CompileContext
  scripts: ScriptEvaluator
  arguments: ArgumentValues
  /** As rows have it; and in milliseconds, with the account's zone. */
  now: string
  present: { now: number; zone: string }
  /** Throws ExecutionFailure when the time of the execution is over. */
  requireTime(): void
}

/** The values of an expression for rows, in their order. */
export type RowEvaluator = (rows: readonly PipelineRow[]) => readonly unknown[] | Promise<readonly unknown[]>

const memoryConstraints = { result: 'any', roots: new Set(['row', 'other', 'arguments', 'now']), allowed: [] } as const

function requireCompiled(expression: DefinitionExpression, { compiling }: MemoryScope): CompiledExpression {
  const { compiled } = compileExpression(expression, '', memoryConstraints, compiling)
  if (!compiled) throw new ExecutionFailure({ type: 'script', message: 'An expression does not compile.' })
  return compiled
}

/** Execution failure for an error thrown by a template. */
export function toTemplateFailure(error: unknown, text: string): ExecutionFailure {
  const [firstError] = flattenLiquidErrors(error)
  const message = firstError instanceof Error ? firstError.message : String(firstError)
  const errorOffset =
    firstError instanceof Error && 'token' in firstError ? (firstError.token as { begin?: number }).begin : undefined
  return new ExecutionFailure({
    type: 'template',
    message: message.slice(0, 1000),
    ...(errorOffset !== undefined && { position: computeTextPosition(text, errorOffset) }),
  })
}

/** Compiles an expression that stands below one root, such as `row`. */
export function compileRowExpression(expression: DefinitionExpression, scope: MemoryScope, root = 'row'): RowEvaluator {
  if (expression.type === 'literal') return (rows) => rows.map(() => expression.value)
  const compiled = requireCompiled(expression, scope)
  const { arguments: argumentValues, now, present, scripts } = scope
  const valuesOf = (row: PipelineRow) => ({ [root]: row, arguments: argumentValues, now })
  if (needsSandbox(compiled) && compiled.type === 'script')
    return (rows) => Promise.all(rows.map((row) => scripts.evaluate(compiled.source, valuesOf(row))))
  const evaluateRow = (row: PipelineRow) =>
    evaluateExpressionSync(compiled, { values: valuesOf(row), zone: present.zone, now: present.now })
  if (compiled.type !== 'template') return (rows) => rows.map(evaluateRow)
  const renderRow = (row: PipelineRow): unknown => {
    scope.requireTime()
    try {
      return evaluateRow(row)
    } catch (error) {
      throw toTemplateFailure(error, String(expression.value))
    }
  }
  return (rows) => rows.map(renderRow)
}

/** The value of an expression that sees no row. */
export async function evaluateOutsideRows(expression: DefinitionExpression, scope: MemoryScope): Promise<unknown> {
  const [value] = await compileRowExpression(expression, scope)([{}])
  return value ?? null
}
