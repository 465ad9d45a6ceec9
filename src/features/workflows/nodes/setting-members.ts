import {
  type ExpressionResultType,
  type ExpressionShapeOptions,
  expressionShape,
} from '../../../scripting/expressions/expression.ts'
import { listShape, mapShape, objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import { numberShape, textShape, timeZoneShape } from '../../../scripting/schemas/values.ts'

const MAX_NAMES = 1000

/** A member that may hold an expression. */
export const optionalExpression = (result: ExpressionResultType, options?: ExpressionShapeOptions) =>
  optionalMember(expressionShape(result, options))

/** A member that must hold an expression. */
export const requiredExpression = (result: ExpressionResultType, options?: ExpressionShapeOptions) =>
  requiredMember(expressionShape(result, options))

/** Expressions by names. */
export const expressionMapShape = optionalMember(mapShape(expressionShape('any'), { most: MAX_NAMES }))

/** Texts by names, such as headers. */
export const textMapShape = optionalMember(mapShape(expressionShape('any'), { most: 100 }))

/** Variables of a message. */
export const messageVariablesShape = optionalMember(
  listShape(
    objectShape({ key: requiredMember(textShape({ least: 1, most: 255 })), value: requiredExpression('any') }),
    { most: MAX_NAMES },
  ),
)

/** Days of the week: 1 is Monday. */
export const weekdaysShape = listShape(numberShape(1, 7), { least: 1, most: 7 })

/** The time zone of a clock; it can be that of the contact. */
export const timeZoneMember = optionalMember(timeZoneShape({ ofContact: true }))
