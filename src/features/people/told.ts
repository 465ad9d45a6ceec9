import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { hashAuditAddress } from '../audit/address-hash.ts'
import { type AuditChanges, type AuditObject, recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'

/** A user's request, as the audit records it. */
export interface SignInAuditRequest {
  origin: { address: string }
  act: { operation: string; request: string }
}

/** An action by which a user authenticates. */
interface AuditedAct {
  person: { id: string; name: string }
  /** By default the person. */
  object?: AuditObject
  account?: AccountId
  changes?: AuditChanges
  /** The kind of problem that kept a part of it from being done. */
  problem?: string
}

/** Writes an audit row about a person without a session, in the transaction of the recorded action. */
export function recordUserAudit(
  tx: Db,
  { clock }: { clock: Clock },
  { origin, act }: SignInAuditRequest,
  { person, account, object, changes = {}, problem }: AuditedAct,
): Promise<void> {
  const { id, name } = person
  return recordAudit(tx, {
    account: account ?? null,
    at: new Date(clock.now()),
    actor: { type: 'person', id, name },
    origin: { address: origin.address, request: act.request },
    operation: act.operation,
    object: object ?? { type: 'person', id, name },
    changes,
    ...(problem !== undefined && { problem }),
  })
}

/** Tells a sign-in that was refused; `email`, whose it was meant to be, is kept as its keyed hash alone. */
export async function auditRefusedSignIn<T>(
  { db, clock, masterKeys }: { db: Db; clock: Clock; masterKeys: MasterKeys },
  { origin, act }: SignInAuditRequest,
  email: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Requests above the rate limit are refused unverified, in any number: they are not recorded.
    if (!(error instanceof Problem) || (error.status !== 401 && error.status !== 403)) throw error
    const { kind } = error
    await inTransaction(db, (tx) =>
      recordAudit(tx, {
        account: null,
        at: new Date(clock.now()),
        actor: SYSTEM_ACTOR,
        operation: act.operation,
        problem: kind,
        origin: { address: origin.address, request: act.request },
        object: { type: 'sign-in', id: email === undefined ? null : hashAuditAddress(masterKeys, email), name: null },
      }),
    )
    throw error
  }
}
