import { isJsonObject } from '../objects.ts'

/** A text without what PostgreSQL takes for no text: NUL, and halves of surrogate pairs, for which U+FFFD stands. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** A value of JSON in whose texts and names nothing is left that cannot be stored. */
export function toStorableJson(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(toStorableJson)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toStorableText(name), toStorableJson(member)]),
  )
}
