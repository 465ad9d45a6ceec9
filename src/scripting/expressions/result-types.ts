import { isJsonObject } from '../../lib/objects.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import { parseInstant } from '../../lib/time/period.ts'
import type { DefinitionExpression, ExpressionConstraints, ExpressionResultType } from './expression-types.ts'

const IDENTIFICATION_TYPES = ['id', 'unicity', 'hash', 'footprint']

/** Checks whether a value has the type that a position requires, with the wording of that requirement. */
const resultTypes: Record<ExpressionResultType, { words: string; takes(value: unknown): boolean }> = {
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
    takes: (value) => isJsonObject(value) && IDENTIFICATION_TYPES.includes(String(value['type'])),
  },
}

/** Results that a text can be. */
const TEXT_RESULTS: readonly ExpressionResultType[] = ['any', 'condition', 'string', 'date']

/** Why a value does not fit a position; undefined when it does. Null stands for no value and fits. */
export function findValueMismatch(
  value: unknown,
  { result, most, pattern }: ExpressionConstraints,
): string | undefined {
  if (value === null) return undefined
  const { words, takes } = resultTypes[result]
  if (!takes(value)) return `This must be ${words}.`
  if (typeof value !== 'string') return undefined
  if (most !== undefined && value.length > most) return `This has more than ${formatCount(most, 'character')}.`
  if (pattern && !pattern.test(value)) return `This must match ${pattern.source}.`
  return undefined
}

/** Why an expression cannot give what its position asks for, whatever the values. */
export function findExpressionMismatch(
  { type, value }: DefinitionExpression,
  position: ExpressionConstraints,
): string | undefined {
  if (type === 'literal') return findValueMismatch(value, position)
  if (type === 'template' && !TEXT_RESULTS.includes(position.result))
    return `A template returns a text; this must be ${resultTypes[position.result].words}.`
  return undefined
}
