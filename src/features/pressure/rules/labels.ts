import type { AccountId, Actor } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'

const MAX_LENGTH = 100
const CONTROL = /\p{Cc}/u

/** A label as it is stored: trimmed, NFC. Throws 400 when it is absent, blank, too long or holds control characters. */
export function parsePressureLabel(given: string | undefined, pointer = '/label'): string {
  const label = (given ?? '').trim().normalize('NFC')
  if (label === '') throw badRequestProblem(pointer, 'is required and must not be blank')
  if (CONTROL.test(label)) throw badRequestProblem(pointer, 'must not hold control characters')
  if ([...label].length > MAX_LENGTH) throw badRequestProblem(pointer, `must have at most ${MAX_LENGTH} characters`)
  return label
}

/** Who makes a change, and when. */
export interface PressureChangeAuthor {
  account: AccountId
  /** A person or a key. */
  actor: Actor
  now: Date
}

/** What rows of topics and rules have in common. */
export interface AuthoredPressureRow {
  created_at: Date
  updated_at: Date
  created_by: string
  modified_by: string
  creator: Actor | null
  modifier: Actor | null
}

/** When and by whom something was made and changed, as it is answered. */
export function formatAuthorship({
  created_at,
  updated_at,
  created_by,
  modified_by,
  creator,
  modifier,
}: AuthoredPressureRow) {
  return {
    stamp: { creation: created_at.toISOString(), modification: updated_at.toISOString() },
    createdBy: created_by,
    modifiedBy: modified_by,
    who: { creation: creator, modification: modifier },
  }
}
