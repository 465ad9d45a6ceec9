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
import { loadSegmentAudience, type SegmentAudience } from '../segments/members/segment-audience.ts'
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
class TrialRollback extends Error {}

/** The faults of a refusal, whatever says them. */
function extractFaults({ detail, errors, extras }: Problem): ProblemFault[] {
  if (errors) return errors
  const flaws = (extras['flaws'] ?? []) as { path?: string; message?: string; severity?: string }[]
  const faults = flaws.flatMap(({ path = '', message = '', severity }) =>
    severity === 'error' ? [{ pointer: path, detail: message }] : [],
  )
  return faults.length > 0 ? faults : [{ pointer: '', detail }]
}

/** Every conflict says in `errors` what speaks against the object. */
async function enrichConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error
    const { kind, detail, extras } = error
    throw new Problem(409, kind, detail, { errors: extractFaults(error), extras, cause: error })
  }
}

/** Throws what would be thrown if the object was sent now. */
async function assertSendable(
  approvable: Approvable,
  context: ApprovalContext,
  key: ApprovableKey,
  by: { rights: readonly AccessRight[]; approved: ActionApproval },
): Promise<void> {
  const trial = inSavepoint(context.db, async (tx) => {
    await approvable.perform({ ...context, db: tx }, key, { ...by, comment: null })
    throw new TrialRollback()
  })
  await enrichConflict(trial).catch((error) => {
    if (!(error instanceof TrialRollback)) throw error
  })
}

/** The version of an object under an approval, and what it is approved as. */
async function readApprovableVersion(tx: Db, { account, id }: ApprovalKey, { parts, segments }: ApprovableDescription) {
  const criteria = await lockSegmentCriteria(tx, account, segments)
  const actionApproval: ActionApproval = {
    approval: id,
    content: hashContentParts(parts.content ?? null),
    criteria: hashContentParts(criteria),
  }
  return { version: fingerprintJson({ parts, criteria }), approved: actionApproval }
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

/** The operations of an object, and its key. Throws notFound for an id that cannot be one. */
function findApprovable(account: AccountId, { type, id }: Pick<ApprovalBody, 'type' | 'id'>) {
  const approvable = approvablesByKind[type]
  const objectNumber = approvable.readId(String(id))
  if (objectNumber === undefined) throw notFoundProblem(type, String(id))
  return { approvable, key: { account, id: objectNumber } }
}

/**
 * Throws what the validation or activation of an object would throw now: notFound, gone, or conflict with all that speaks against it.
 * Nothing changes.
 */
export async function assertReleasable(
  context: ApprovalContext,
  account: AccountId,
  object: Pick<ApprovalBody, 'type' | 'id'>,
  rights: readonly AccessRight[],
): Promise<void> {
  const { approvable, key } = findApprovable(account, object)
  await inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    const described = await approvable.lock(txContext, key)
    const trialKey = { account, id: createUuidV7(context.clock.now()) }
    const { approved } = await readApprovableVersion(tx, trialKey, described)
    await assertSendable(approvable, txContext, key, { rights, approved })
  })
  await approvable.assertCompiles?.(context, key)
}

/**
 * Asks for the approval of an object as it is now. Throws notFound, gone, and conflict: `approval-waiting`, or with all that
 * speaks against the object.
 */
export function requestApproval(
  context: ApprovalContext,
  account: AccountId,
  { type, id: objectId, comment }: ApprovalBody,
  by: Actor,
): Promise<StoredApproval> {
  const { approvable, key } = findApprovable(account, { type, id: objectId })
  return inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    const described = await approvable.lock(txContext, key)
    await assertNoPendingApproval(tx, account, { kind: type, object: key.id })
    const audience = await countAudience(txContext, account, described.audience)
    const now = context.clock.now()
    const id = createUuidV7(now)
    const { version, approved } = await readApprovableVersion(tx, { account, id }, described)
    await assertSendable(approvable, txContext, key, { rights: accessRights, approved })
    await insertPendingApproval(tx, {
      id,
      account,
      kind: type,
      object: key.id,
      name: described.name,
      version,
      audience,
      comment: comment ?? null,
      asked_by: by,
      asked_at: new Date(now),
    })
    return loadApproval(tx, { account, id })
  })
}

/** The person who decides, with their access rights. */
export interface ApprovalDecider {
  actor: Actor & { id: string }
  rights: readonly AccessRight[]
}

function assertUndecided({ state }: StoredApproval): void {
  if (state !== 'waiting')
    throw conflictProblem('approval-decided', `This approval is no longer waiting: it is ${state}.`)
}

/** Throws 403 for who asked, and for who may not send any more. */
async function assertMayDecide(
  tx: Db,
  { account, asked_by: requester }: StoredApproval,
  { actor }: ApprovalDecider,
): Promise<void> {
  if (requester.type === 'person' && requester.id === actor.id)
    throw new Problem(403, 'approval-own', 'You cannot decide on your own request. Another user must decide.')
  if (await hasLockedSendRight(tx, account, actor.id)) return
  throw new Problem(403, 'right-missing', 'You no longer have the right to send in this account.')
}

/** Locks an object and returns its description; null if the object has been deleted since. */
async function lockIfPresent(
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

/** Outcome of a decision: the attempt to complete. With `isStale`, nothing was decided. */
type DecisionOutcome = { isStale: true } | { isStale: false; attempt: number | null }

async function decideInTransaction(
  context: ApprovalContext,
  key: ApprovalKey,
  { decision, comment }: ApprovalDecisionBody,
  by: ApprovalDecider,
): Promise<DecisionOutcome> {
  const { db: tx, clock } = context
  const { kind, object } = await loadApproval(tx, key)
  const approvable = approvablesByKind[kind]
  const objectKey = { account: key.account, id: object }
  // The object is locked before its approval, as by those who ask.
  const described = await lockIfPresent(approvable, context, objectKey)
  const approval = await lockApproval(tx, key)
  assertUndecided(approval)
  await assertMayDecide(tx, approval, by)
  const currentVersion = described && (await readApprovableVersion(tx, key, described))
  if (!currentVersion || !approval.version.equals(currentVersion.version)) {
    await markApprovalStale(tx, key)
    return { isStale: true }
  }
  const decisionRecord = { by: by.actor, at: new Date(clock.now()), comment: comment ?? null }
  if (decision === 'refuse') {
    await storeApprovalDecision(tx, key, { ...decisionRecord, state: 'refused', attempt: null })
    return { isStale: false, attempt: null }
  }
  const performOptions = { rights: by.rights, comment: comment ?? approval.comment, approved: currentVersion.approved }
  const attempt = await enrichConflict(approvable.perform(context, objectKey, performOptions))
  await storeApprovalDecision(tx, key, { ...decisionRecord, state: 'approved', attempt })
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
  const decisionOutcome = await inTransaction(context.db, (tx) =>
    decideInTransaction({ ...context, db: tx }, key, body, by),
  )
  if (decisionOutcome.isStale)
    throw conflictProblem(
      'approval-stale',
      'The object has changed since the approval was requested. Review it and ask for a new approval request.',
    )
  const { kind, object } = await loadApproval(context.db, key)
  const { committed } = approvablesByKind[kind]
  if (body.decision === 'approve')
    await committed?.(context, { account: key.account, id: object }, decisionOutcome.attempt)
  return loadApproval(context.db, key)
}

/** Takes a request back. Throws notFound, 403 for others than who asked, conflict `approval-decided`. */
export function withdrawApproval(db: Db, key: ApprovalKey, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const approval = await lockApproval(tx, key)
    const { type, id } = approval.asked_by
    if (type !== by.type || id !== by.id)
      throw new Problem(403, 'approval-of-another', 'Only the user who requested the approval can withdraw it.')
    assertUndecided(approval)
    await deleteApproval(tx, key)
  })
}
