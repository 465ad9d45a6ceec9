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

const MAX_MEMBER_NAMES = 200
const MAX_NAME_LENGTH = 255

/** Roots that expressions outside of rows can use. */
export const CALL_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['arguments', 'now'])
/** Roots that expressions of cursors can use. */
export const ROW_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['row', 'arguments', 'now'])
/** Roots that the right side of a join can use. */
export const JOIN_EXPRESSION_ROOTS: ReadonlySet<string> = new Set(['other', 'arguments', 'now'])
const ARGUMENT_ROOTS: ReadonlySet<string> = new Set(['arguments'])

/** An expression on a row. */
export const rowExpressionShape = (result: ExpressionResultType = 'any', options: ExpressionShapeOptions = {}) =>
  expressionShape(result, { roots: ROW_EXPRESSION_ROOTS, ...options })

/** A name that members of rows get. */
export const memberNameShape: DefinitionShape<string> = {
  read(rawName, place) {
    if (typeof rawName !== 'string' || rawName === '') return addStructureFault(place, 'must be a name')
    if (rawName.length > MAX_NAME_LENGTH)
      return addStructureFault(place, `has ${rawName.length} characters; at most ${MAX_NAME_LENGTH} are allowed`)
    return rawName === '__proto__' || rawName === 'constructor'
      ? addStructureFault(place, 'is a reserved name')
      : rawName
  },
}

/** Values by names of members. */
export function namedMembersShape<T>(value: DefinitionShape<T>): DefinitionShape<Record<string, T>> {
  const membersShape = mapShape(value, { most: MAX_MEMBER_NAMES })
  return {
    ...membersShape,
    read(rawName, place) {
      if (isJsonObject(rawName))
        for (const name of Object.keys(rawName)) memberNameShape.read(name, locateMember(place, name))
      return membersShape.read(rawName, place)
    },
  }
}

const argumentConstraints: ExpressionConstraints = { result: 'any', roots: ARGUMENT_ROOTS, allowed: ['path'] }

/** A value that may be that of an argument: `{"type": "path", "value": "arguments.x"}`. */
export function valueOrArgumentShape<T>(shape: DefinitionShape<T>): DefinitionShape<T | DefinitionExpression> {
  return {
    read(rawName, place) {
      if (!isJsonObject(rawName) || (rawName['type'] !== 'path' && rawName['type'] !== 'literal'))
        return shape.read(rawName, place)
      if (rawName['type'] === 'path') return parseExpression(rawName, place, ['path'])
      return shape.read(rawName['value'], locateMember(place, 'value'))
    },
    visit(value, path, visitor) {
      if (isArgumentPath(value)) visitor.expression?.(value, path, argumentConstraints)
      else shape.visit?.(value as T, path, visitor)
    },
  }
}

/** True if the value is the path of an argument. */
export function isArgumentPath(value: unknown): value is DefinitionExpression & { type: 'path' } {
  return isJsonObject(value) && value['type'] === 'path'
}
