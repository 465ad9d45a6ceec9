import { type ExpressionOptions, expression, type ResultType } from '../../../scripting/expressions/expression.ts'
import { list, map, object, optional, required } from '../../../scripting/schemas/objects.ts'
import { text } from '../../../scripting/schemas/values.ts'

const MAX_NAMES = 1000

/** A member that may hold an expression. */
export const optionalValue = (result: ResultType, options?: ExpressionOptions) => optional(expression(result, options))

/** A member that must hold an expression. */
export const requiredValue = (result: ResultType, options?: ExpressionOptions) => required(expression(result, options))

/** Expressions by names. */
export const valuesByName = optional(map(expression('any'), { most: MAX_NAMES }))

/** Texts by names, such as headers. */
export const textsByName = optional(map(expression('any'), { most: 100 }))

/** Variables of a message. */
export const variables = optional(
  list(object({ key: required(text({ least: 1, most: 255 })), value: requiredValue('any') }), { most: MAX_NAMES }),
)
