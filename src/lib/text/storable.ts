import { isObject } from '../objects.ts'

/** A text without what PostgreSQL takes for no text: NUL, and halves of surrogate pairs, for which U+FFFD stands. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** A value of JSON in whose texts and names nothing is left that cannot be stored. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]))
}
