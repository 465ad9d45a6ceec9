import { setImmediate } from 'node:timers/promises'
import { describeSyntax, flatten, offsetOf, positionAt } from '../../features/rendering/flaws.ts'
import type { Engine } from '../../features/rendering/templates/liquid.ts'
import { usesOf } from '../../features/rendering/templates/paths.ts'
import { type Flaw, type FlawPosition, flaw } from '../flaws.ts'
import type { Expression, ExpressionPosition } from './expression-types.ts'
import { type FieldName, faultOfPath } from './known-names.ts'
import { PathFault, parsePath } from './paths.ts'
import { mismatchOf } from './result-types.ts'
import { type CompiledTemplate, engineOf, type OwnFilter } from './templates.ts'

/** An expression as it is evaluated. */
export type Compiled =
  | { type: 'literal'; value: unknown }
  | { type: 'path'; steps: readonly string[] }
  | ({ type: 'template' } & CompiledTemplate)
  | { type: 'script'; source: string }

/** What expressions of a definition are compiled with. */
export interface Compiling {
  engine: Engine
  /** Names of the filters that the definition brings. */
  ownFilters: ReadonlySet<string>
  fields: readonly FieldName[]
}

/** What the expressions of one definition are compiled with. `culture` (BCP 47): dates and numbers of templates follow it. */
export function openCompiling(culture: string, filters: readonly OwnFilter[], fields: readonly FieldName[]): Compiling {
  return { engine: engineOf(culture, filters), ownFilters: new Set(filters.map(({ name }) => name)), fields }
}

/** What has been compiled: nothing when there are errors of syntax. Scripts are parsed in the sandbox, by who asks for it. */
export interface Outcome {
  compiled: Compiled | undefined
  flaws: Flaw[]
}

/** Where a piece of a text is, from 1. */
export function positionOf(text: string, offset: number, length: number): FlawPosition {
  return { ...positionAt(text, offset), length }
}

function compilePath(value: string, path: string, position: ExpressionPosition, fields: readonly FieldName[]): Outcome {
  try {
    const steps = parsePath(value)
    const wrong = faultOfPath(steps, position.roots, fields) ?? position.faultOf?.(steps)
    const place = { position: positionOf(value, value.length - value.trimStart().length, value.trim().length) }
    return { compiled: { type: 'path', steps }, flaws: wrong ? [flaw(wrong.type, path, wrong.message, place)] : [] }
  } catch (error) {
    if (!(error instanceof PathFault)) throw error
    const place = { position: positionOf(value, error.offset, Math.max(1, value.length - error.offset)) }
    return { compiled: undefined, flaws: [flaw('syntax', path, error.message, place)] }
  }
}

function syntaxFlaw(error: unknown, text: string, path: string): Flaw {
  const { type, message } = describeSyntax(error)
  const offset = offsetOf(error)
  const end = error instanceof Error && 'token' in error ? (error.token as { end?: number }).end : undefined
  const place =
    offset === undefined ? {} : { position: positionOf(text, offset, Math.max(1, (end ?? offset) - offset)) }
  const kind = type === 'unknown-filter' || type === 'limit' ? type : 'syntax'
  return flaw(kind, path, message, place)
}

/** A template; names that are not known may be given at the time, so they are warnings. */
function compileTemplate(
  value: string,
  path: string,
  position: ExpressionPosition,
  { engine, ownFilters, fields }: Compiling,
): Outcome {
  let template: CompiledTemplate
  try {
    template = { engine, nodes: engine.parse(value), isFiltered: false }
  } catch (error) {
    return { compiled: undefined, flaws: flatten(error).map((one) => syntaxFlaw(one, value, path)) }
  }
  const uses = usesOf(template.nodes)
  const flaws = uses.paths.flatMap(({ names, start }) => {
    const [root] = names
    if (root === undefined || uses.locals.has(root)) return []
    const wrong = faultOfPath(names, position.roots, fields, true) ?? position.faultOf?.(names)
    if (!wrong) return []
    const severity = wrong.type === 'unknown-variable' ? 'warning' : 'error'
    const length = names.filter((name) => name !== undefined).join('.').length
    return [flaw(wrong.type, path, wrong.message, { position: positionOf(value, start, length), severity })]
  })
  const isFiltered = uses.filters.some(({ name }) => ownFilters.has(name))
  return { compiled: { type: 'template', ...template, isFiltered }, flaws }
}

/** Compiles an expression and says what is wrong with it; `path` points to it. Nothing is run. */
export function compileExpression(
  { type, value }: Expression,
  path: string,
  position: ExpressionPosition,
  compiling: Compiling,
): Outcome {
  const mismatch = mismatchOf({ type, value } as Expression, position)
  const mismatches = mismatch === undefined ? [] : [flaw('type-mismatch', path, mismatch)]
  const textPath = `${path}/value`
  if (type === 'literal') return { compiled: { type, value }, flaws: mismatches }
  const text = value as string
  if (type === 'script') {
    const empty = text.trim() === '' ? [flaw('syntax', textPath, 'The script is empty.')] : []
    return { compiled: { type, source: text }, flaws: empty }
  }
  const { compiled, flaws } =
    type === 'path'
      ? compilePath(text, textPath, position, compiling.fields)
      : compileTemplate(text, textPath, position, compiling)
  return { compiled, flaws: [...mismatches, ...flaws] }
}

/** An expression of a definition, and the pointer to it. */
export interface PlacedExpression {
  expression: Expression
  path: string
  position: ExpressionPosition
}

/** So long templates are parsed without letting anything else run, in milliseconds. */
const SLICE_MS = 10

/** Compiles every expression of a definition, for what is wrong with it. */
export async function flawsOfExpressions(
  expressions: readonly PlacedExpression[],
  compiling: Compiling,
): Promise<Flaw[]> {
  const flaws: Flaw[] = []
  let since = performance.now()
  for (const { expression, path, position } of expressions) {
    flaws.push(...compileExpression(expression, path, position, compiling).flaws)
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return flaws
}
