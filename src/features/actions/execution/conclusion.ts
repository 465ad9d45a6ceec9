import { type Db, json } from '../../../database/connection/connect.ts'
import type { FlawShown } from '../../rendering/flaw-schemas.ts'
import type { StoredAction, TestRequest } from '../resource/action-repository.ts'
import type { LastValidation } from '../resource/action-schemas.ts'
import type { State } from '../resource/state-tables.ts'

/** Errors and findings that are kept, of each. */
const MAX_FLAWS = 100

/** How a test or a validation went on: what differs from what was known of it. */
export interface Progress {
  /** Where the action must stand for it. */
  from: State
  to: State
  validation: Partial<LastValidation>
  test?: Partial<TestRequest>
  changes?: { version?: number; versions?: ReturnType<typeof json> | null; sending?: number }
}

export function cut(flaws: readonly FlawShown[]): FlawShown[] {
  return flaws.slice(0, MAX_FLAWS).map(({ type, message, part, position }) => ({ type, message, part, position }))
}

/**
 * Moves an action on, unless it was deleted, moved or asked anew since the attempt that `action` was read in; then
 * nothing is changed and the answer is false.
 */
export async function conclude(
  db: Db,
  action: StoredAction,
  { from, to, validation, test, changes }: Progress,
): Promise<boolean> {
  const { last_validation: last } = action
  const now = { ...last, ...validation, ...(last?.test && { test: { ...last.test, ...test } }) }
  const { numUpdatedRows } = await db
    .updateTable('actions')
    .set({ state: to, last_validation: json(now), ...changes })
    .where('id', '=', action.id)
    .where('attempt', '=', action.attempt)
    .where('state', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
