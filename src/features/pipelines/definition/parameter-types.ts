import { isJsonObject } from '../../../lib/objects.ts'
import { parseInstant } from '../../../lib/time/period.ts'

export const parameterTypes = ['string', 'number', 'boolean', 'date', 'list', 'object'] as const
export type ParameterType = (typeof parameterTypes)[number]

const PARAMETER_TYPE_RULES: Record<ParameterType, { words: string; takes(value: unknown): boolean }> = {
  string: { words: 'must be a string', takes: (value) => typeof value === 'string' },
  number: { words: 'must be a number', takes: (value) => typeof value === 'number' },
  boolean: { words: 'must be true or false', takes: (value) => typeof value === 'boolean' },
  date: { words: 'must be a date (ISO 8601)', takes: (value) => parseInstant(value) !== undefined },
  list: { words: 'must be an array', takes: Array.isArray },
  object: { words: 'must be an object', takes: isJsonObject },
}

/** Texts that the database does not take: NUL, and halves of surrogate pairs. */
const UNSTORABLE_TEXT_PATTERN = /[\0\p{Cs}]/u

/** True if the database can store all texts of a value. */
export function isStorableText(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE_TEXT_PATTERN.test(value)
  if (Array.isArray(value)) return value.every(isStorableText)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorableText(member))
}

/** Reads the value of an argument, which is not null: dates become those that the service writes, all else stays as it is. */
export function parseArgument(type: ParameterType, value: unknown): { value: unknown } | { misfit: string } {
  const { words, takes } = PARAMETER_TYPE_RULES[type]
  if (!takes(value)) return { misfit: words }
  if (!isStorableText(value)) return { misfit: 'contains characters that cannot be stored' }
  return { value: type === 'date' ? new Date(parseInstant(value)!).toISOString() : value }
}
