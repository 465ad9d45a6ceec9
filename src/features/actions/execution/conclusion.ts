import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import type { LastActionValidation } from '../resource/action-progress-schemas.ts'
import type { ActionTestRequest, StoredAction } from '../resource/action-repository.ts'
import type { ActionState } from '../resource/state-tables.ts'

/** Errors and findings that are kept, of each. */
const MAX_STORED_FLAWS = 100

/** Progress of a test or a validation: the members that differ from the stored ones. */
export interface ValidationTransition {
  /** State that the action must have. */
  from: ActionState
  to: ActionState
  validation: Partial<LastActionValidation>
  test?: Partial<ActionTestRequest>
  changes?: { version?: number; versions?: ReturnType<typeof toJsonbText> | null; sending?: number }
}

export function truncateFlaws(flaws: readonly ReportedFlaw[]): ReportedFlaw[] {
  return flaws
    .slice(0, MAX_STORED_FLAWS)
    .map(({ type, message, part, position }) => ({ type, message, part, position }))
}

/**
 * Changes the state of an action, unless it was deleted, changed its state or was validated again since the attempt that `action` was read
 * in. In that case nothing changes and the function returns false.
 */
export async function applyValidationTransition(
  db: Db,
  action: StoredAction,
  { from, to, validation, test, changes }: ValidationTransition,
): Promise<boolean> {
  const { last_validation: lastValidation } = action
  const now = {
    ...lastValidation,
    ...validation,
    ...(lastValidation?.test && { test: { ...lastValidation.test, ...test } }),
  }
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
