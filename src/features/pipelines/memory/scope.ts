import type { CompileContext, CompiledExpression } from '../../../scripting/expressions/compile.ts'
import { compileExpression } from '../../../scripting/expressions/compile.ts'
import { evaluateExpressionSync, needsSandbox } from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import { computeTextPosition, flattenLiquidErrors } from '../../rendering/flaws.ts'
import type { ArgumentValues } from '../execution/arguments.ts'
import { ExecutionFailure } from '../execution/failures.ts'
import type { PipelineRow } from '../values/values.ts'

/** What expressions in memory are evaluated with. */
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

const position = { result: 'any', roots: new Set(['row', 'other', 'arguments', 'now']), allowed: [] } as const

function compiledOf(expression: DefinitionExpression, { compiling }: MemoryScope): CompiledExpression {
  const { compiled } = compileExpression(expression, '', position, compiling)
  if (!compiled) throw new ExecutionFailure({ type: 'script', message: 'An expression does not compile.' })
  return compiled
}

/** What a template throws, as it is answered. */
export function toTemplateFailure(error: unknown, text: string): ExecutionFailure {
  const [first] = flattenLiquidErrors(error)
  const message = first instanceof Error ? first.message : String(first)
  const begin = first instanceof Error && 'token' in first ? (first.token as { begin?: number }).begin : undefined
  return new ExecutionFailure({
    ...{ type: 'template', message: message.slice(0, 1000) },
    ...(begin !== undefined && { position: computeTextPosition(text, begin) }),
  })
}

/** Compiles an expression that stands below one root, such as `row`. */
export function compileRowExpression(expression: DefinitionExpression, scope: MemoryScope, root = 'row'): RowEvaluator {
  if (expression.type === 'literal') return (rows) => rows.map(() => expression.value)
  const compiled = compiledOf(expression, scope)
  const { arguments: given, now, present, scripts } = scope
  const valuesOf = (row: PipelineRow) => ({ [root]: row, arguments: given, now })
  if (needsSandbox(compiled) && compiled.type === 'script')
    return (rows) => Promise.all(rows.map((row) => scripts.evaluate(compiled.source, valuesOf(row))))
  const ofOne = (row: PipelineRow) =>
    evaluateExpressionSync(compiled, { values: valuesOf(row), zone: present.zone, now: present.now })
  if (compiled.type !== 'template') return (rows) => rows.map(ofOne)
  const rendered = (row: PipelineRow): unknown => {
    scope.requireTime()
    try {
      return ofOne(row)
    } catch (error) {
      throw toTemplateFailure(error, String(expression.value))
    }
  }
  return (rows) => rows.map(rendered)
}

/** The value of an expression that sees no row. */
export async function evaluateOutsideRows(expression: DefinitionExpression, scope: MemoryScope): Promise<unknown> {
  const [value] = await compileRowExpression(expression, scope)([{}])
  return value ?? null
}
