import { isJsonObject } from '../../../lib/objects.ts'
import {
  type ExpressionShapeOptions,
  expressionShape,
  parseExpression,
} from '../../../scripting/expressions/expression.ts'
import type {
  DefinitionExpression,
  ExpressionConstraints,
  ExpressionResultType,
} from '../../../scripting/expressions/expression-types.ts'
import { locateMember, mapShape } from '../../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionShape } from '../../../scripting/schemas/shape.ts'

const MAX_NAMES = 200
const MAX_NAME_LENGTH = 255

/** What expressions outside of rows can name. */
export const CALL_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['arguments', 'now'])
/** What expressions of cursors can name. */
export const ROW_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['row', 'arguments', 'now'])
/** What the right side of a join can name. */
export const JOIN_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['other', 'arguments', 'now'])
const ARGUMENT_ROOTS: ReadonlySet<string> = new Set(['arguments'])

/** An expression on a row. */
export const rowExpressionShape = (result: ExpressionResultType = 'any', options: ExpressionShapeOptions = {}) =>
  expressionShape(result, { roots: ROW_EXPRESSION_ROOTS, ...options })

/** A name that members of rows get. */
export const memberNameShape: DefinitionShape<string> = {
  read(given, place) {
    if (typeof given !== 'string' || given === '') return addStructureFault(place, 'must be a name')
    if (given.length > MAX_NAME_LENGTH)
      return addStructureFault(place, `has ${given.length} characters: at most ${MAX_NAME_LENGTH} are possible`)
    return given === '__proto__' || given === 'constructor' ? addStructureFault(place, 'cannot be this name') : given
  },
}

/** Values by names of members. */
export function namedMembersShape<T>(value: DefinitionShape<T>): DefinitionShape<Record<string, T>> {
  const shape = mapShape(value, { most: MAX_NAMES })
  return {
    ...shape,
    read(given, place) {
      if (isJsonObject(given))
        for (const name of Object.keys(given)) memberNameShape.read(name, locateMember(place, name))
      return shape.read(given, place)
    },
  }
}

const position: ExpressionConstraints = { result: 'any', roots: ARGUMENT_ROOTS, allowed: ['path'] }

/** A value that may be that of an argument: `{"type": "path", "value": "arguments.x"}`. */
export function valueOrArgumentShape<T>(shape: DefinitionShape<T>): DefinitionShape<T | DefinitionExpression> {
  return {
    read(given, place) {
      if (!isJsonObject(given) || (given['type'] !== 'path' && given['type'] !== 'literal'))
        return shape.read(given, place)
      if (given['type'] === 'path') return parseExpression(given, place, ['path'])
      return shape.read(given['value'], locateMember(place, 'value'))
    },
    visit(value, path, visitor) {
      if (isArgumentPath(value)) visitor.expression?.(value, path, position)
      else shape.visit?.(value as T, path, visitor)
    },
  }
}

/** Whether a value is that of an argument. */
export function isArgumentPath(value: unknown): value is DefinitionExpression & { type: 'path' } {
  return isJsonObject(value) && value['type'] === 'path'
}
