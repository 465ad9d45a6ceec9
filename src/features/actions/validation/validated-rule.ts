import type { ActionFamily } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { loadAction } from '../resource/action-repository.ts'

/** A change takes the validation of an action back, and a deletion what waits of it: that is for those who may send. */
export function createValidatedRule(family: ActionFamily) {
  return {
    what: `a validated ${family.title}`,
    asksApproval: false,
    async isLive(db: Db, account: AccountId, id: number): Promise<boolean> {
      const { state, deleted_at } = await loadAction(db, { family, account, id })
      return deleted_at === null && (state === 50 || state === 55)
    },
  }
}
