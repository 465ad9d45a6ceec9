import type { Db } from '../../../database/connection/connect.ts'
import type { LockedObject } from '../../../lib/account.ts'
import type { StoredWorkflow } from '../workflow-repository.ts'

/** Rule for changes of an active workflow or one of its parts. */
export const activeWorkflowRule = {
  what: 'an active workflow',
  asksApproval: true,
  isLive: (_tx: Db, { stored }: LockedObject<number, StoredWorkflow>): boolean => stored.state === 1,
}
