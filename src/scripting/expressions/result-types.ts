import { isJsonObject } from '../../lib/objects.ts'
import { parseInstant } from '../../lib/time/period.ts'
import type { DefinitionExpression, ExpressionConstraints, ExpressionResultType } from './expression-types.ts'

const IDENTIFICATIONS = ['id', 'unicity', 'hash', 'footprint']

/** Whether a value is of the type that a position asks for, and how that is said. */
const types: Record<ExpressionResultType, { words: string; takes(value: unknown): boolean }> = {
  any: { words: 'any value', takes: () => true },
  condition: {
    words: 'true or false',
    takes: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  },
  string: { words: 'a text', takes: (value) => typeof value === 'string' },
  number: { words: 'a number', takes: (value) => typeof value === 'number' },
  boolean: { words: 'true or false', takes: (value) => typeof value === 'boolean' },
  date: { words: 'a date', takes: (value) => parseInstant(value) !== undefined },
  object: { words: 'an object', takes: isJsonObject },
  list: { words: 'an array', takes: Array.isArray },
  identification: {
    words: 'an identification of a contact: {type, value}',
    takes: (value) => isJsonObject(value) && IDENTIFICATIONS.includes(String(value['type'])),
  },
}

/** Results that a text can be. */
const OF_TEXT: readonly ExpressionResultType[] = ['any', 'condition', 'string', 'date']

/** Why a value does not fit a position; undefined when it does. Null stands for no value and fits. */
export function findValueMismatch(
  value: unknown,
  { result, most, pattern }: ExpressionConstraints,
): string | undefined {
  if (value === null) return undefined
  const { words, takes } = types[result]
  if (!takes(value)) return `This must be ${words}.`
  if (typeof value !== 'string') return undefined
  if (most !== undefined && value.length > most) return `This has more than ${most} characters.`
  if (pattern && !pattern.test(value)) return `This must be of the form ${pattern.source}.`
  return undefined
}

/** Why an expression cannot give what its position asks for, whatever the values. */
export function findExpressionMismatch(
  { type, value }: DefinitionExpression,
  position: ExpressionConstraints,
): string | undefined {
  if (type === 'literal') return findValueMismatch(value, position)
  if (type === 'template' && !OF_TEXT.includes(position.result))
    return `A template gives a text; this must be ${types[position.result].words}.`
  return undefined
}
