import type { AccountId } from '../../../lib/account.ts'
import { openCursor, sealCursor } from '../../../lib/crypto/cursors.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import type { Place, Sorting } from './sorting.ts'
import type { Total } from './totals.ts'

/** Where a list goes on, and how long it was when it began: a list is counted once. */
export interface Continuation extends Place, Total {}

/** Whose list it is, and what its cursors are sealed with. */
export interface CursorOf {
  keys: MasterKeys
  account: AccountId
  sorting: Sorting
}

/** A cursor goes on in one account and one order. */
function listOf({ account, sorting: { by, descending } }: CursorOf): string {
  return `${account} contacts by ${by} ${descending ? 'desc' : 'asc'}`
}

/** The text of `next`. */
export function writeCursor(list: CursorOf, { key, id, total, exact }: Continuation): string {
  return sealCursor(list.keys, listOf(list), [key, id, total, exact])
}

/** Reads `after`. Throws 400 for what no page of a list in this order gave. */
export function readCursor(list: CursorOf, text: string): Continuation {
  const given = openCursor(list.keys, listOf(list), text)
  if (!Array.isArray(given)) throw badRequest('/after', 'is not the "next" of a page in this order')
  // Sealed, it is what was written.
  const [key, id, total, exact] = given as [string | null, number, number, boolean]
  return { key, id, total, exact }
}
