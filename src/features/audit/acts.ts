import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { changesOf } from './changes.ts'
import { identityFields } from './identity-fields.ts'
import { type AuditEntry, type Changes, recordAudit, SYSTEM } from './record.ts'

/** Something done over HTTP, or refused: as http/audit.ts gives it. */
export interface RequestedAct extends Pick<AuditEntry, 'account' | 'origin' | 'operation' | 'object' | 'problem'> {
  actor: Actor | null
  before: object | null
  after: object | null
  given: unknown
  said: object | null
}

async function changesOfAct(tx: Db, account: AccountId | null, act: RequestedAct): Promise<Changes> {
  const { before, after, given, said } = act
  if (before === null && after === null && said === null) return {}
  const identity = account === null ? [] : await identityFields(tx, account)
  return { ...changesOf({ before, after, given }, identity), ...changesOf({ before: null, after: said }, identity) }
}

/** Records an act with what it changed, in its transaction. Who came with an address alone is the system. */
export async function recordAct(tx: Db, act: RequestedAct, at: Date): Promise<void> {
  const { account, actor, origin, operation, object, problem } = act
  await recordAudit(tx, {
    ...{ account, at, actor: actor ?? SYSTEM, origin, operation, object },
    changes: problem === undefined ? await changesOfAct(tx, account, act) : {},
    ...(problem !== undefined && { problem }),
  })
}
