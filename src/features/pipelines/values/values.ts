import { compareCodePoints, isSameText } from './texts.ts'

/** A row, and whatever is in one: JSON. */
export type PipelineRow = Readonly<Record<string, unknown>>

/** Kinds of values, in the order in which values of different kinds sort. Lists tie with each other, and so do objects. */
const KIND_RANKS = { boolean: 1, number: 2, string: 3, list: 4, object: 5 } as const

function getKindRank(value: unknown): number {
  if (Array.isArray(value)) return KIND_RANKS.list
  return KIND_RANKS[typeof value as 'boolean' | 'number' | 'string' | 'object']
}

/** Compares two values that are not null. */
export function compareRowValues(firstOperand: unknown, secondOperand: unknown): number {
  const rank = getKindRank(firstOperand)
  const difference = rank - getKindRank(secondOperand)
  if (difference !== 0 || rank >= KIND_RANKS.list) return difference
  return rank === KIND_RANKS.string
    ? compareCodePoints(firstOperand as string, secondOperand as string)
    : Number(firstOperand) - Number(secondOperand)
}

/** The text by which a value equals others: members of objects in one order. */
export function toEqualityText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(toEqualityText).join(',')}]`
  const members = Object.entries(value).toSorted(([firstName], [secondName]) => (firstName < secondName ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toEqualityText(member)}`).join(',')}}`
}

/** True if two values are equal; null equals nothing. */
export function isSameRowValue(firstOperand: unknown, secondOperand: unknown, isExact: boolean): boolean {
  if (firstOperand === null || secondOperand === null) return false
  if (typeof firstOperand === 'string' && typeof secondOperand === 'string')
    return isSameText(firstOperand, secondOperand, isExact)
  if (typeof firstOperand !== 'object' || typeof secondOperand !== 'object') return firstOperand === secondOperand
  return toEqualityText(firstOperand) === toEqualityText(secondOperand)
}

/** True if the value is empty. */
export function isEmptyRowValue(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
