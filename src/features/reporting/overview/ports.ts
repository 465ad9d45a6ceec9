import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { PendingApprovalEntry } from './overview-schemas.ts'

/** Data that other features provide to the overview. */
export interface OverviewPorts {
  /** Approvals of an account that wait, newest first. */
  approvals(db: Db, account: AccountId): Promise<PendingApprovalEntry[]>
}
