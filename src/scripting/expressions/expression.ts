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

/** Names that all expressions of a run can use. */
export const RUN_EXPRESSION_ROOTS: ReadonlySet<string> = new Set([
  'contact',
  'data',
  'variables',
  'state',
  'event',
  'stamp',
  'last',
  'run',
  'environment',
  'account',
  'now',
])

/** Characters of an expression, or of the JSON of a literal. */
export const MAX_EXPRESSION_LENGTH = 32 * 1024

const TYPES_WITHOUT_SCRIPT: readonly ExpressionType[] = ['literal', 'path', 'template']

/** Returns true if a value replaces an expression: it is a literal. */
function isBareLiteral(rawValue: unknown): boolean {
  return (
    rawValue === null || typeof rawValue === 'string' || typeof rawValue === 'number' || typeof rawValue === 'boolean'
  )
}

function locateExpressionPart(place: DefinitionLocation, name: string): DefinitionLocation {
  return { ...place, pointer: `${place.pointer}/${name}` }
}

function parseLiteral(value: unknown, place: DefinitionLocation): DefinitionExpression {
  const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
  if (length > MAX_EXPRESSION_LENGTH)
    return addStructureFault(place, `has ${length} characters; at most ${MAX_EXPRESSION_LENGTH} are allowed`)
  return { type: 'literal', value: value ?? null }
}

/** Reads an expression. Bare values become literals; anything else must be `{type, value}`. */
export function parseExpression(
  rawValue: unknown,
  place: DefinitionLocation,
  allowed: readonly ExpressionType[],
): DefinitionExpression {
  if (isBareLiteral(rawValue)) return parseLiteral(rawValue, place)
  if (!isJsonObject(rawValue))
    return addStructureFault(place, 'must be a string, number, boolean, null, or an expression: {type, value}')
  const { type, value } = rawValue
  const expressionType = allowed.find((allowedType) => allowedType === type)
  if (expressionType === undefined)
    return addStructureFault(locateExpressionPart(place, 'type'), `must be one of ${allowed.join(', ')}`)
  if (expressionType === 'literal') return parseLiteral(value, locateExpressionPart(place, 'value'))
  if (typeof value !== 'string') return addStructureFault(locateExpressionPart(place, 'value'), 'must be a string')
  if (value.length > MAX_EXPRESSION_LENGTH)
    return addStructureFault(
      locateExpressionPart(place, 'value'),
      `has ${value.length} characters; at most ${MAX_EXPRESSION_LENGTH} are allowed`,
    )
  return { type: expressionType, value }
}

/** Options of an expression shape that differ from the default: any type of expression, in the scope of a run. */
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
    result,
    roots,
    allowed: plain ? TYPES_WITHOUT_SCRIPT : expressionTypes,
    ...(most !== undefined && { most }),
    ...(pattern && { pattern }),
  }
  return {
    read: (rawValue, place) => parseExpression(rawValue, place, position.allowed),
    visit: (value, path, visitor) => visitor.expression?.(value, path, position),
  }
}
