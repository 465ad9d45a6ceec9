import type { AccountId, Actor } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'

const MAX_LABEL_LENGTH = 100
const CONTROL_CHARACTER = /\p{Cc}/u

/** A label as it is stored: trimmed, NFC. Throws 400 when it is absent, blank, too long or holds control characters. */
export function parsePressureLabel(labelText: string | undefined, pointer = '/label'): string {
  const label = (labelText ?? '').trim().normalize('NFC')
  if (label === '') throw badRequestProblem(pointer, 'is required and must not be blank')
  if (CONTROL_CHARACTER.test(label)) throw badRequestProblem(pointer, 'must not contain control characters')
  if ([...label].length > MAX_LABEL_LENGTH)
    throw badRequestProblem(pointer, `must have at most ${MAX_LABEL_LENGTH} characters`)
  return label
}

/** The author and time of a change. */
export interface PressureChangeAuthor {
  account: AccountId
  /** A person or a key. */
  actor: Actor
  now: Date
}

/** Columns that rows of topics and rules share. */
export interface AuthoredPressureRow {
  created_at: Date
  updated_at: Date
  created_by: string
  modified_by: string
  creator: Actor | null
  modifier: Actor | null
}

/** Formats the authors and times of creation and change for responses. */
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
