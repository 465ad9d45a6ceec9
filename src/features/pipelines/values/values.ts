import { compareCodePoints, isSameText } from './texts.ts'

/** A row, and whatever is in one: JSON. */
export type PipelineRow = Readonly<Record<string, unknown>>

/** Kinds of values, in the order in which values of different kinds sort. Lists tie with each other, and so do objects. */
const ranks = { boolean: 1, number: 2, string: 3, list: 4, object: 5 } as const

function rankOf(value: unknown): number {
  if (Array.isArray(value)) return ranks.list
  return ranks[typeof value as 'boolean' | 'number' | 'string' | 'object']
}

/** Compares two values that are not null. */
export function compareRowValues(one: unknown, other: unknown): number {
  const rank = rankOf(one)
  const difference = rank - rankOf(other)
  if (difference !== 0 || rank >= ranks.list) return difference
  return rank === ranks.string ? compareCodePoints(one as string, other as string) : Number(one) - Number(other)
}

/** The text by which a value equals others: members of objects in one order. */
export function toEqualityText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(toEqualityText).join(',')}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toEqualityText(member)}`).join(',')}}`
}

/** Whether two values are the same; null is the same as nothing. */
export function isSameRowValue(one: unknown, other: unknown, isExact: boolean): boolean {
  if (one === null || other === null) return false
  if (typeof one === 'string' && typeof other === 'string') return isSameText(one, other, isExact)
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return toEqualityText(one) === toEqualityText(other)
}

/** Whether there is nothing in a value. */
export function isEmptyRowValue(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
