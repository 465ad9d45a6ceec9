import { badRequest } from '../../lib/problem.ts'
import type { Place, Sorting } from './sorting.ts'
import type { Total } from './totals.ts'

/** Where a list goes on, and how long it was when it began: a list is counted once. */
export interface Continuation extends Place, Total {}

/** What the order of a list is called within a cursor. */
function nameOf({ by, descending }: Sorting): string {
  return `${by} ${descending ? 'desc' : 'asc'}`
}

/** The text of `next`. */
export function writeCursor(sorting: Sorting, { key, id, total, exact }: Continuation): string {
  return Buffer.from(JSON.stringify([nameOf(sorting), key, id, total, exact])).toString('base64url')
}

function parsed(text: string): unknown[] {
  try {
    const given: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(given) ? given : []
  } catch {
    return []
  }
}

/** Whether a key can be one of the type that is sorted by: the database would refuse others. */
function fits({ type, by, field }: Sorting, key: unknown): key is string | null {
  if (key === null) return field !== undefined
  if (typeof key !== 'string' || key.length > 1000 || key.includes('\0')) return false
  if (by === 'id' || field?.type === 'singleSelectList') return /^\d{1,15}$/.test(key)
  if (field?.type === 'numeric') return /^-?\d{1,40}(\.\d{1,40})?$/.test(key)
  return field !== undefined || !Number.isNaN(Date.parse(key)) || type === undefined
}

/** Reads `after`. Throws 400 for what no page of a list in this order gave. */
export function readCursor(sorting: Sorting, text: string): Continuation {
  const [name, key, id, total, exact] = parsed(text)
  const isNumber = (given: unknown): given is number => typeof given === 'number' && Number.isSafeInteger(given)
  if (name === nameOf(sorting) && fits(sorting, key) && isNumber(id) && isNumber(total) && typeof exact === 'boolean')
    return { key, id, total, exact }
  throw badRequest('/after', 'is not the "next" of a page in this order')
}
