import type { AccountId } from '../../../lib/account.ts'
import { sealListCursor, unsealListCursor } from '../../../lib/crypto/cursors.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { ContactListPosition, ContactSorting } from './sorting.ts'
import type { ContactTotal } from './totals.ts'

/** Continuation of a list, and the total at its beginning: a list is counted once. */
export interface ContactListContinuation extends ContactListPosition, ContactTotal {}

/** The list to which cursors belong, and the keys that seal them. */
export interface ContactCursorContext {
  keys: MasterKeys
  account: AccountId
  sorting: ContactSorting
}

/** A cursor goes on in one account and one order. */
function buildCursorSubject({ account, sorting: { by, descending } }: ContactCursorContext): string {
  return `${account} contacts by ${by} ${descending ? 'desc' : 'asc'}`
}

/** The text of `next`. */
export function formatContactCursor(
  list: ContactCursorContext,
  { key, id, total, exact }: ContactListContinuation,
): string {
  return sealListCursor(list.keys, buildCursorSubject(list), [key, id, total, exact])
}

/** Reads `after`. Throws 400 for what no page of a list in this order gave. */
export function parseContactCursor(list: ContactCursorContext, text: string): ContactListContinuation {
  const cursorValues = unsealListCursor(list.keys, buildCursorSubject(list), text)
  if (!Array.isArray(cursorValues)) throw badRequestProblem('/after', 'is not the "next" value of a page in this order')
  // Sealed, it is what was written.
  const [key, id, total, exact] = cursorValues as [string | null, number, number, boolean]
  return { key, id, total, exact }
}
