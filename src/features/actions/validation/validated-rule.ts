import type { ActionFamily } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { LockedObject } from '../../../lib/account.ts'
import type { StoredAction } from '../resource/action-repository.ts'

/** A change takes the validation of an action back, and a deletion what waits of it: that is for those who may send. */
export function createValidatedRule(family: ActionFamily) {
  return {
    what: `a validated ${family.title}`,
    asksApproval: false,
    isLive: (_tx: Db, { stored }: LockedObject<number, StoredAction>): boolean =>
      stored.deleted_at === null && (stored.state === 50 || stored.state === 55),
  }
}
