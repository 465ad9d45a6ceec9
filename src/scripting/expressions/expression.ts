import { isJsonObject } from '../../lib/objects.ts'
import { addStructureFault, type DefinitionLocation, type DefinitionShape } from '../schemas/shape.ts'
import {
  type DefinitionExpression,
  type ExpressionConstraints,
  type ExpressionResultType,
  type ExpressionType,
  expressionTypes,
} from './expression-types.ts'

export type {
  DefinitionExpression,
  ExpressionConstraints,
  ExpressionResultType,
  ExpressionType,
} from './expression-types.ts'

/** What all expressions of a run can name. */
export const RUN_EXPRESSION_ROOTS: ReadonlySet<string> = new Set([
  ...['contact', 'data', 'variables', 'state', 'event', 'stamp', 'last', 'run', 'environment', 'account', 'now'],
])

/** Characters of an expression, or of the JSON of a literal. */
export const MAX_EXPRESSION_LENGTH = 32 * 1024

const WITHOUT_SCRIPT: readonly ExpressionType[] = ['literal', 'path', 'template']

/** What is read in place of an expression: it is a literal. */
function isBare(given: unknown): boolean {
  return given === null || typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
}

function at(place: DefinitionLocation, name: string): DefinitionLocation {
  return { ...place, pointer: `${place.pointer}/${name}` }
}

function readLiteral(value: unknown, place: DefinitionLocation): DefinitionExpression {
  const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
  if (length > MAX_EXPRESSION_LENGTH)
    return addStructureFault(place, `has ${length} characters: at most ${MAX_EXPRESSION_LENGTH} are possible`)
  return { type: 'literal', value: value ?? null }
}

/** Reads an expression. Bare values become literals; anything else must be `{type, value}`. */
export function parseExpression(
  given: unknown,
  place: DefinitionLocation,
  allowed: readonly ExpressionType[],
): DefinitionExpression {
  if (isBare(given)) return readLiteral(given, place)
  if (!isJsonObject(given))
    return addStructureFault(place, 'must be a string, number, boolean, null, or an expression: {type, value}')
  const { type, value } = given
  const known = allowed.find((one) => one === type)
  if (known === undefined) return addStructureFault(at(place, 'type'), `must be one of ${allowed.join(', ')}`)
  if (known === 'literal') return readLiteral(value, at(place, 'value'))
  if (typeof value !== 'string') return addStructureFault(at(place, 'value'), 'must be a string')
  if (value.length > MAX_EXPRESSION_LENGTH)
    return addStructureFault(
      at(place, 'value'),
      `has ${value.length} characters: at most ${MAX_EXPRESSION_LENGTH} are possible`,
    )
  return { type: known, value }
}

/** How an expression is described where it differs from the usual: any type of expression, in the scope of a run. */
export interface ExpressionShapeOptions {
  roots?: ReadonlySet<string>
  /** Scripts are not accepted. */
  plain?: boolean
  most?: number
  pattern?: RegExp
}

/** An expression that must give such a value. */
export function expressionShape(
  result: ExpressionResultType,
  options: ExpressionShapeOptions = {},
): DefinitionShape<DefinitionExpression> {
  const { roots = RUN_EXPRESSION_ROOTS, plain = false, most, pattern } = options
  const position: ExpressionConstraints = {
    ...{ result, roots, allowed: plain ? WITHOUT_SCRIPT : expressionTypes },
    ...(most !== undefined && { most }),
    ...(pattern && { pattern }),
  }
  return {
    read: (given, place) => parseExpression(given, place, position.allowed),
    visit: (value, path, visitor) => visitor.expression?.(value, path, position),
  }
}
