import { isObject } from '../../lib/objects.ts'
import { fault, type Place, type Shape } from '../schemas/shape.ts'
import {
  type Expression,
  type ExpressionPosition,
  type ExpressionType,
  expressionTypes,
  type ResultType,
} from './expression-types.ts'

export type { Expression, ExpressionPosition, ExpressionType, ResultType } from './expression-types.ts'

/** What all expressions of a run can name. */
export const RUN_ROOTS: ReadonlySet<string> = new Set([
  ...['contact', 'data', 'variables', 'state', 'event', 'stamp', 'last', 'run', 'environment', 'account', 'now'],
])

/** Characters of an expression, or of the JSON of a literal. */
export const MAX_LENGTH = 32 * 1024

const WITHOUT_SCRIPT: readonly ExpressionType[] = ['literal', 'path', 'template']

/** What is read in place of an expression: it is a literal. */
function isBare(given: unknown): boolean {
  return given === null || typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
}

function at(place: Place, name: string): Place {
  return { ...place, pointer: `${place.pointer}/${name}` }
}

function readLiteral(value: unknown, place: Place): Expression {
  const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
  if (length > MAX_LENGTH) return fault(place, `has ${length} characters: at most ${MAX_LENGTH} are possible`)
  return { type: 'literal', value: value ?? null }
}

/** Reads an expression. Bare values become literals; anything else must be `{type, value}`. */
export function readExpression(given: unknown, place: Place, allowed: readonly ExpressionType[]): Expression {
  if (isBare(given)) return readLiteral(given, place)
  if (!isObject(given)) return fault(place, 'must be a string, number, boolean, null, or an expression: {type, value}')
  const { type, value } = given
  const known = allowed.find((one) => one === type)
  if (known === undefined) return fault(at(place, 'type'), `must be one of ${allowed.join(', ')}`)
  if (known === 'literal') return readLiteral(value, at(place, 'value'))
  if (typeof value !== 'string') return fault(at(place, 'value'), 'must be a string')
  if (value.length > MAX_LENGTH)
    return fault(at(place, 'value'), `has ${value.length} characters: at most ${MAX_LENGTH} are possible`)
  return { type: known, value }
}

/** How an expression is described where it differs from the usual: any type of expression, in the scope of a run. */
export interface ExpressionOptions {
  roots?: ReadonlySet<string>
  /** Scripts are not accepted. */
  plain?: boolean
  most?: number
  pattern?: RegExp
}

/** An expression that must give such a value. */
export function expression(result: ResultType, options: ExpressionOptions = {}): Shape<Expression> {
  const { roots = RUN_ROOTS, plain = false, most, pattern } = options
  const position: ExpressionPosition = {
    ...{ result, roots, allowed: plain ? WITHOUT_SCRIPT : expressionTypes },
    ...(most !== undefined && { most }),
    ...(pattern && { pattern }),
  }
  return {
    read: (given, place) => readExpression(given, place, position.allowed),
    visit: (value, path, visitor) => visitor.expression?.(value, path, position),
  }
}
