import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import type { ActionTestRequest, StoredAction } from '../resource/action-repository.ts'
import type { LastActionValidation } from '../resource/action-schemas.ts'
import type { ActionState } from '../resource/state-tables.ts'

/** Errors and findings that are kept, of each. */
const MAX_FLAWS = 100

/** How a test or a validation went on: what differs from what was known of it. */
export interface ValidationTransition {
  /** Where the action must stand for it. */
  from: ActionState
  to: ActionState
  validation: Partial<LastActionValidation>
  test?: Partial<ActionTestRequest>
  changes?: { version?: number; versions?: ReturnType<typeof toJsonbText> | null; sending?: number }
}

export function truncateFlaws(flaws: readonly ReportedFlaw[]): ReportedFlaw[] {
  return flaws.slice(0, MAX_FLAWS).map(({ type, message, part, position }) => ({ type, message, part, position }))
}

/**
 * Moves an action on, unless it was deleted, moved or asked anew since the attempt that `action` was read in; then
 * nothing is changed and the answer is false.
 */
export async function applyValidationTransition(
  db: Db,
  action: StoredAction,
  { from, to, validation, test, changes }: ValidationTransition,
): Promise<boolean> {
  const { last_validation: last } = action
  const now = { ...last, ...validation, ...(last?.test && { test: { ...last.test, ...test } }) }
  const { numUpdatedRows } = await db
    .updateTable('actions')
    .set({ state: to, last_validation: toJsonbText(now), ...changes })
    .where('id', '=', action.id)
    .where('attempt', '=', action.attempt)
    .where('state', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
