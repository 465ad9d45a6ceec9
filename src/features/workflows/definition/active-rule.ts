import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { loadWorkflow } from '../stored.ts'

/** Who changes an active workflow, or a part of it. */
export const activeWorkflowRule = {
  what: 'an active workflow',
  asksApproval: true,
  isLive: async (db: Db, account: AccountId, id: number): Promise<boolean> =>
    (await loadWorkflow(db, { account, id })).state === 1,
}
