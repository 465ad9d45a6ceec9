import { isObject } from '../../../lib/objects.ts'
import { type ExpressionOptions, expression, readExpression } from '../../../scripting/expressions/expression.ts'
import type { Expression, ExpressionPosition, ResultType } from '../../../scripting/expressions/expression-types.ts'
import { map, within } from '../../../scripting/schemas/objects.ts'
import { fault, type Shape } from '../../../scripting/schemas/shape.ts'

const MAX_NAMES = 200
const MAX_NAME_LENGTH = 255

/** What expressions outside of rows can name. */
export const CALL_ROOTS: ReadonlySet<string> = new Set(['arguments', 'now'])
/** What expressions of cursors can name. */
export const ROW_ROOTS: ReadonlySet<string> = new Set(['row', 'arguments', 'now'])
/** What the right side of a join can name. */
export const OTHER_ROOTS: ReadonlySet<string> = new Set(['other', 'arguments', 'now'])
const ARGUMENT_ROOTS: ReadonlySet<string> = new Set(['arguments'])

/** An expression on a row. */
export const ofRow = (result: ResultType = 'any', options: ExpressionOptions = {}) =>
  expression(result, { roots: ROW_ROOTS, ...options })

/** A name that members of rows get. */
export const memberName: Shape<string> = {
  read(given, place) {
    if (typeof given !== 'string' || given === '') return fault(place, 'must be a name')
    if (given.length > MAX_NAME_LENGTH)
      return fault(place, `has ${given.length} characters: at most ${MAX_NAME_LENGTH} are possible`)
    return given === '__proto__' || given === 'constructor' ? fault(place, 'cannot be this name') : given
  },
}

/** Values by names of members. */
export function named<T>(value: Shape<T>): Shape<Record<string, T>> {
  const shape = map(value, { most: MAX_NAMES })
  return {
    ...shape,
    read(given, place) {
      if (isObject(given)) for (const name of Object.keys(given)) memberName.read(name, within(place, name))
      return shape.read(given, place)
    },
  }
}

const position: ExpressionPosition = { result: 'any', roots: ARGUMENT_ROOTS, allowed: ['path'] }

/** A value that may be that of an argument: `{"type": "path", "value": "arguments.x"}`. */
export function orArgument<T>(shape: Shape<T>): Shape<T | Expression> {
  return {
    read(given, place) {
      if (!isObject(given) || (given['type'] !== 'path' && given['type'] !== 'literal')) return shape.read(given, place)
      if (given['type'] === 'path') return readExpression(given, place, ['path'])
      return shape.read(given['value'], within(place, 'value'))
    },
    visit(value, path, visitor) {
      if (isArgument(value)) visitor.expression?.(value, path, position)
      else shape.visit?.(value as T, path, visitor)
    },
  }
}

/** Whether a value is that of an argument. */
export function isArgument(value: unknown): value is Expression & { type: 'path' } {
  return isObject(value) && value['type'] === 'path'
}
