import { sql } from 'kysely'
import { type Db, inSavepoint, inTransaction } from '../../database/connection/connect.ts'
import { type AccessRight, type AccountId, type Actor, accessRights } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { fingerprintJson } from '../../lib/fingerprint.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { ActionApproval } from '../actions/resource/action-repository.ts'
import { hashContentParts } from '../actions/validation/approved.ts'
import { hasLockedSendRight } from '../people/members/colleagues.ts'
import { lockSegmentCriteria } from '../segments/criteria/criteria-held.ts'
import { loadSegmentAudience, type SegmentAudience } from '../segments/members/audience.ts'
import type { Approvable, ApprovableDescription, ApprovableKey, ApprovalContext } from './approvable.ts'
import type { ApprovalBody, ApprovalDecisionBody } from './approval-schemas.ts'
import { approvablesByKind } from './kinds.ts'
import {
  type ApprovalKey,
  assertNoPendingApproval,
  deleteApproval,
  insertPendingApproval,
  loadApproval,
  lockApproval,
  markApprovalStale,
  type StoredApproval,
  storeApprovalDecision,
} from './stored.ts'

/** Ends a trial: what was done in it is undone. */
class Undone extends Error {}

/** The faults of a refusal, whatever says them. */
function faultsOf({ detail, errors, extras }: Problem): ProblemFault[] {
  if (errors) return errors
  const flaws = (extras['flaws'] ?? []) as { path?: string; message?: string; severity?: string }[]
  const faults = flaws.flatMap(({ path = '', message = '', severity }) =>
    severity === 'error' ? [{ pointer: path, detail: message }] : [],
  )
  return faults.length > 0 ? faults : [{ pointer: '', detail }]
}

/** Every conflict says in `errors` what speaks against the object. */
async function withErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    const { kind, detail, extras } = error
    throw new Problem(409, kind, detail, { errors: faultsOf(error), extras, cause: error })
  }
}

/** Throws what would be thrown if the object was sent now. */
async function tryOut(
  approvable: Approvable,
  context: ApprovalContext,
  key: ApprovableKey,
  approved: ActionApproval,
): Promise<void> {
  const trial = inSavepoint(context.db, async (tx) => {
    await approvable.perform({ ...context, db: tx }, key, { rights: accessRights, comment: null, approved })
    throw new Undone()
  })
  await withErrors(trial).catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
}

/** The version of an object under an approval, and what it is approved as. */
async function versionOf(tx: Db, { account, id }: ApprovalKey, { parts, segments }: ApprovableDescription) {
  const criteria = await lockSegmentCriteria(tx, account, segments)
  const approved: ActionApproval = {
    approval: id,
    content: hashContentParts(parts.content ?? null),
    criteria: hashContentParts(criteria),
  }
  return { version: fingerprintJson({ parts, criteria }), approved }
}

async function countAudience(
  { db, clock }: ApprovalContext,
  account: AccountId,
  audience: SegmentAudience | null,
): Promise<number | null> {
  if (audience === null) return null
  const members = await loadSegmentAudience(db, account, audience, clock.now())
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${members}) as audience`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Asks for the approval of an object as it is now. Throws notFound, gone, and conflict: `approval-waiting`, or with all that
 * speaks against the object.
 */
export function requestApproval(
  context: ApprovalContext,
  account: AccountId,
  { type, id: given, comment }: ApprovalBody,
  by: Actor,
): Promise<StoredApproval> {
  const approvable = approvablesByKind[type]
  const object = approvable.readId(String(given))
  if (object === undefined) throw notFoundProblem(type, String(given))
  const key = { account, id: object }
  return inTransaction(context.db, async (tx) => {
    const inside = { ...context, db: tx }
    const described = await approvable.lock(inside, key)
    await assertNoPendingApproval(tx, account, { kind: type, object })
    const audience = await countAudience(inside, account, described.audience)
    const now = context.clock.now()
    const id = createUuidV7(now)
    const { version, approved } = await versionOf(tx, { account, id }, described)
    await tryOut(approvable, inside, key, approved)
    await insertPendingApproval(tx, {
      ...{ id, account, kind: type, object, name: described.name, version, audience },
      ...{ comment: comment ?? null, asked_by: by, asked_at: new Date(now) },
    })
    return loadApproval(tx, { account, id })
  })
}

/** Who decides: a person, with what it may do. */
export interface ApprovalDecider {
  actor: Actor & { id: string }
  rights: readonly AccessRight[]
}

function refuseDecided({ state }: StoredApproval): void {
  if (state !== 'waiting') throw conflictProblem('approval-decided', `This approval waits no more: it is ${state}.`)
}

/** Throws 403 for who asked, and for who may not send any more. */
async function refuseDecider(
  tx: Db,
  { account, asked_by: asked }: StoredApproval,
  { actor }: ApprovalDecider,
): Promise<void> {
  if (asked.type === 'person' && asked.id === actor.id)
    throw new Problem(403, 'approval-own', 'Another person than the one who asked decides.')
  if (await hasLockedSendRight(tx, account, actor.id)) return
  throw new Problem(403, 'right-missing', 'You may not send in this account any more.')
}

/** What is locked of an object that may be gone since. */
async function describedNow(
  approvable: Approvable,
  context: ApprovalContext,
  key: ApprovableKey,
): Promise<ApprovableDescription | null> {
  try {
    return await approvable.lock(context, key)
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}

/** What came of a decision: the attempt that is to be completed; `stale`: nothing was decided. */
type Decided = { isStale: true } | { isStale: false; attempt: number | null }

async function decideIn(
  context: ApprovalContext,
  key: ApprovalKey,
  { decision, comment }: ApprovalDecisionBody,
  by: ApprovalDecider,
): Promise<Decided> {
  const { db: tx, clock } = context
  const { kind, object } = await loadApproval(tx, key)
  const approvable = approvablesByKind[kind]
  const place = { account: key.account, id: object }
  // The object is locked before its approval, as by those who ask.
  const described = await describedNow(approvable, context, place)
  const approval = await lockApproval(tx, key)
  refuseDecided(approval)
  await refuseDecider(tx, approval, by)
  const present = described && (await versionOf(tx, key, described))
  if (!present || !approval.version.equals(present.version)) {
    await markApprovalStale(tx, key)
    return { isStale: true }
  }
  const decided = { by: by.actor, at: new Date(clock.now()), comment: comment ?? null }
  if (decision === 'refuse') {
    await storeApprovalDecision(tx, key, { ...decided, state: 'refused', attempt: null })
    return { isStale: false, attempt: null }
  }
  const asked = { rights: by.rights, comment: comment ?? approval.comment, approved: present.approved }
  const attempt = await withErrors(approvable.perform(context, place, asked))
  await storeApprovalDecision(tx, key, { ...decided, state: 'approved', attempt })
  return { isStale: false, attempt }
}

/**
 * Decides on an approval; what is approved is done in the same transaction. Throws notFound, 403 for who asked or may not
 * send, and conflict: `approval-decided`, `approval-stale` when the object has changed, or with all that speaks against it
 * now; then it goes on waiting.
 */
export async function decideApproval(
  context: ApprovalContext,
  key: ApprovalKey,
  body: ApprovalDecisionBody,
  by: ApprovalDecider,
): Promise<StoredApproval> {
  const decided = await inTransaction(context.db, (tx) => decideIn({ ...context, db: tx }, key, body, by))
  if (decided.isStale)
    throw conflictProblem(
      'approval-stale',
      'It has changed since it was asked for: look at it, and have it asked for anew.',
    )
  const { kind, object } = await loadApproval(context.db, key)
  const { committed } = approvablesByKind[kind]
  if (body.decision === 'approve') await committed?.(context, { account: key.account, id: object }, decided.attempt)
  return loadApproval(context.db, key)
}

/** Takes a request back. Throws notFound, 403 for others than who asked, conflict `approval-decided`. */
export function withdrawApproval(db: Db, key: ApprovalKey, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const approval = await lockApproval(tx, key)
    const { type, id } = approval.asked_by
    if (type !== by.type || id !== by.id)
      throw new Problem(403, 'approval-of-another', 'Who asked for an approval takes it back.')
    refuseDecided(approval)
    await deleteApproval(tx, key)
  })
}
