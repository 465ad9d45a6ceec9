import { setImmediate } from 'node:timers/promises'
import {
  computeTextPosition,
  describeSyntaxError,
  findErrorOffset,
  flattenLiquidErrors,
} from '../../features/rendering/flaws.ts'
import type { LiquidEngine } from '../../features/rendering/templates/liquid.ts'
import { findTemplateUses } from '../../features/rendering/templates/paths.ts'
import { createFlaw, type DefinitionFlaw, type FlawPosition } from '../flaws.ts'
import type { DefinitionExpression, ExpressionConstraints } from './expression-types.ts'
import { type ContactFieldName, findPathFlaw } from './known-names.ts'
import { PathSyntaxError, parseExpressionPath } from './paths.ts'
import { findExpressionMismatch } from './result-types.ts'
import { type CompiledTemplate, createTemplateEngine, type TemplateFilter } from './templates.ts'

/** An expression as it is evaluated. */
export type CompiledExpression =
  | { type: 'literal'; value: unknown }
  | { type: 'path'; steps: readonly string[] }
  | ({ type: 'template' } & CompiledTemplate)
  | { type: 'script'; source: string }

/** Context of compiling the expressions of a definition. */
export interface CompileContext {
  engine: LiquidEngine
  /** Names of the filters that the definition brings. */
  ownFilters: ReadonlySet<string>
  fields: readonly ContactFieldName[]
}

/**
 * Creates the context of compiling the expressions of one definition. `culture` (BCP 47) determines the format of dates and numbers in
 * templates.
 */
export function createCompileContext(
  culture: string,
  filters: readonly TemplateFilter[],
  fields: readonly ContactFieldName[],
): CompileContext {
  return {
    engine: createTemplateEngine(culture, filters),
    ownFilters: new Set(filters.map(({ name }) => name)),
    fields,
  }
}

/** Result of a compilation; empty if there are syntax errors. The caller has scripts parsed in the sandbox. */
export interface CompileResult {
  compiled: CompiledExpression | undefined
  flaws: DefinitionFlaw[]
}

/** Locates a piece of a text; lines and columns start at 1. */
export function locateTextRange(text: string, offset: number, length: number): FlawPosition {
  return { ...computeTextPosition(text, offset), length }
}

function compilePath(
  value: string,
  path: string,
  position: ExpressionConstraints,
  fields: readonly ContactFieldName[],
): CompileResult {
  try {
    const steps = parseExpressionPath(value)
    const pathFlaw = findPathFlaw(steps, position.roots, fields) ?? position.faultOf?.(steps)
    const positionDetails = {
      position: locateTextRange(value, value.length - value.trimStart().length, value.trim().length),
    }
    return {
      compiled: { type: 'path', steps },
      flaws: pathFlaw ? [createFlaw(pathFlaw.type, path, pathFlaw.message, positionDetails)] : [],
    }
  } catch (error) {
    if (!(error instanceof PathSyntaxError)) throw error
    const positionDetails = { position: locateTextRange(value, error.offset, Math.max(1, value.length - error.offset)) }
    return { compiled: undefined, flaws: [createFlaw('syntax', path, error.message, positionDetails)] }
  }
}

function createSyntaxFlaw(error: unknown, text: string, path: string): DefinitionFlaw {
  const { type, message } = describeSyntaxError(error)
  const offset = findErrorOffset(error)
  const tokenEnd = error instanceof Error && 'token' in error ? (error.token as { end?: number }).end : undefined
  const positionDetails =
    offset === undefined ? {} : { position: locateTextRange(text, offset, Math.max(1, (tokenEnd ?? offset) - offset)) }
  const kind = type === 'unknown-filter' || type === 'limit' ? type : 'syntax'
  return createFlaw(kind, path, message, positionDetails)
}

/** A template; names that are not known may be given at the time, so they are warnings. */
function compileTemplate(
  value: string,
  path: string,
  position: ExpressionConstraints,
  { engine, ownFilters, fields }: CompileContext,
): CompileResult {
  let template: CompiledTemplate
  try {
    template = { engine, nodes: engine.parse(value), isFiltered: false }
  } catch (error) {
    return {
      compiled: undefined,
      flaws: flattenLiquidErrors(error).map((syntaxError) => createSyntaxFlaw(syntaxError, value, path)),
    }
  }
  const templateUses = findTemplateUses(template.nodes)
  const flaws = templateUses.paths.flatMap(({ names, start }) => {
    const [root] = names
    if (root === undefined || templateUses.locals.has(root)) return []
    const pathFlaw = findPathFlaw(names, position.roots, fields, true) ?? position.faultOf?.(names)
    if (!pathFlaw) return []
    const severity = pathFlaw.type === 'unknown-variable' ? 'warning' : 'error'
    const length = names.filter((name) => name !== undefined).join('.').length
    return [
      createFlaw(pathFlaw.type, path, pathFlaw.message, { position: locateTextRange(value, start, length), severity }),
    ]
  })
  const isFiltered = templateUses.filters.some(({ name }) => ownFilters.has(name))
  return { compiled: { type: 'template', ...template, isFiltered }, flaws }
}

/** Compiles an expression and says what is wrong with it; `path` points to it. Nothing is run. */
export function compileExpression(
  { type, value }: DefinitionExpression,
  path: string,
  position: ExpressionConstraints,
  compiling: CompileContext,
): CompileResult {
  const mismatch = findExpressionMismatch({ type, value } as DefinitionExpression, position)
  const mismatches = mismatch === undefined ? [] : [createFlaw('type-mismatch', path, mismatch)]
  const textPath = `${path}/value`
  if (type === 'literal') return { compiled: { type, value }, flaws: mismatches }
  const text = value as string
  if (type === 'script') {
    const emptyTextFlaws = text.trim() === '' ? [createFlaw('syntax', textPath, 'The script is empty.')] : []
    return { compiled: { type, source: text }, flaws: emptyTextFlaws }
  }
  const { compiled, flaws } =
    type === 'path'
      ? compilePath(text, textPath, position, compiling.fields)
      : compileTemplate(text, textPath, position, compiling)
  return { compiled, flaws: [...mismatches, ...flaws] }
}

/** An expression of a definition, and the pointer to it. */
export interface LocatedExpression {
  expression: DefinitionExpression
  path: string
  position: ExpressionConstraints
}

/** So long templates are parsed without letting anything else run, in milliseconds. */
const COMPILE_SLICE_MS = 10

/** Compiles every expression of a definition, for what is wrong with it. */
export async function findExpressionFlaws(
  expressions: readonly LocatedExpression[],
  compiling: CompileContext,
): Promise<DefinitionFlaw[]> {
  const flaws: DefinitionFlaw[] = []
  let sliceStart = performance.now()
  for (const { expression, path, position } of expressions) {
    flaws.push(...compileExpression(expression, path, position, compiling).flaws)
    if (performance.now() - sliceStart < COMPILE_SLICE_MS) continue
    await setImmediate()
    sliceStart = performance.now()
  }
  return flaws
}
