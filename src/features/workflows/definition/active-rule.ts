import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { loadWorkflow } from '../stored.ts'

/** Rule for changes of an active workflow or one of its parts. */
export const activeWorkflowRule = {
  what: 'an active workflow',
  asksApproval: true,
  isLive: async (db: Db, account: AccountId, id: number): Promise<boolean> =>
    (await loadWorkflow(db, { account, id })).state === 1,
}
