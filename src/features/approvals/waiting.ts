import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { listApprovals, toApprovalResource } from './stored.ts'

/** The approvals of an account that wait, newest first, as the overview shows them. */
export async function listPendingApprovals(db: Db, account: AccountId) {
  const rows = await listApprovals(db, account, 'waiting', { after: undefined, limit: undefined })
  return rows.map(toApprovalResource).map(({ id, object, askedBy, askedAt, comment }) => ({
    id,
    type: object.type,
    object: object.id,
    name: object.name,
    askedBy: askedBy.name,
    date: askedAt,
    comment,
  }))
}
