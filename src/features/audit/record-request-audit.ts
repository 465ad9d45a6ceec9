import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { diffAuditSnapshots } from './changes.ts'
import { readIdentityFields } from './identity-fields.ts'
import { type AuditChanges, type NewAuditEntry, recordAudit, SYSTEM_ACTOR } from './record-audit.ts'

/** Something done over HTTP, or refused: as http/resource/audit-requests.ts gives it. */
export interface AuditedRequest extends Pick<NewAuditEntry, 'account' | 'origin' | 'operation' | 'object' | 'problem'> {
  actor: Actor | null
  before: object | null
  after: object | null
  given: unknown
  said: object | null
}

async function diffRequest(tx: Db, account: AccountId | null, act: AuditedRequest): Promise<AuditChanges> {
  const { before, after, given: requestBody, said: statedChanges } = act
  if (before === null && after === null && statedChanges === null) return {}
  const identity = account === null ? [] : await readIdentityFields(tx, account)
  return {
    ...diffAuditSnapshots({ before, after, given: requestBody }, identity),
    ...diffAuditSnapshots({ before: null, after: statedChanges }, identity),
  }
}

/** Records an act with what it changed, in its transaction. Who came with an address alone is the system. */
export async function recordRequestAudit(tx: Db, act: AuditedRequest, at: Date): Promise<void> {
  const { account, actor, origin, operation, object, problem } = act
  await recordAudit(tx, {
    account,
    at,
    actor: actor ?? SYSTEM_ACTOR,
    origin,
    operation,
    object,
    changes: problem === undefined ? await diffRequest(tx, account, act) : {},
    ...(problem !== undefined && { problem }),
  })
}
