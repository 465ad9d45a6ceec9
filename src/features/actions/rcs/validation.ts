import { actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inTentativeTransaction } from '../../../database/locks/tentative-transaction.ts'
import { badRequestProblem, conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import {
  type CompiledActionContent,
  collectContentFlaws,
  compileActionContents,
  storeContentVersions,
} from '../content/content-versions.ts'
import { snapshotVersionContents } from '../content/draft-content.ts'
import { findMissingParts } from '../resource/action-presenter.ts'
import {
  type ActionApproval,
  type ActionRef,
  loadAction,
  lockAction,
  type StoredAction,
} from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { CONTENT_CHANGED_FLAW, hasApprovedContents } from '../validation/approved.ts'
import {
  findConsentReasons,
  findTopicReasons,
  type ReadinessReason,
  resolveCampaignStart,
} from '../validation/readiness.ts'
import { validateImmediately } from '../validation/validation.ts'
import { findRcsProfileReasons } from './profile-reasons.ts'
import type { RcsValidationBody } from './rcs-action-schemas.ts'

type ValidationContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders'>

/** The contents of an action as they were compiled, before anything is locked. */
type CompiledContents = readonly CompiledActionContent[]

/** Missing parts of an action, by its members. */
function listMissingParts(action: StoredAction): ReadinessReason[] {
  return findMissingParts(action).map((path) => ({
    kind: 'incomplete',
    pointer: `/${path.replaceAll('.', '/')}`,
    words: `${path} is missing.`,
  }))
}

async function compileContents(
  context: ValidationContext,
  action: StoredAction,
): Promise<CompiledContents | undefined> {
  if (action.deleted_at !== null || !action.content.content || action.settings.profile == null) return undefined
  return compileActionContents(context, await snapshotVersionContents(context, action, null))
}

function listCompileReasons(compiled: CompiledContents | undefined): ReadinessReason[] {
  return collectContentFlaws(compiled ?? []).errors.map(({ type, message, part, position }) => ({
    kind: type,
    pointer: part === null ? '' : `/${part}`,
    words: position ? `${message} (line ${position.line}, column ${position.column})` : message,
  }))
}

/** That a content is not the one that was approved. */
function listApprovalReasons(
  compiled: CompiledContents | undefined,
  approved: ActionApproval | null,
): ReadinessReason[] {
  if (!compiled || hasApprovedContents(approved, compiled)) return []
  const { type, message } = CONTENT_CHANGED_FLAW
  return [{ kind: type, pointer: '', words: message }]
}

/** Throws 409 with an entry for each reason; that of the table first, where it is not what is missing. */
function requireNoReasons(action: StoredAction, reasons: readonly ReadinessReason[]): void {
  const isIncomplete = action.state === 10 && action.deleted_at === null
  if (!isIncomplete) decideActionTransition('validateAtOnce', action)
  if (reasons.length === 0) return
  const { title, showId } = actionFamilies.rcs
  throw new Problem(
    409,
    isIncomplete ? 'action-incomplete' : 'action-not-ready',
    `The ${title} ${showId(action.id)} cannot be validated: ${reasons.map(({ words }) => words).join(' ')}`,
    { errors: reasons.map(({ pointer, words }) => ({ pointer, detail: words })) },
  )
}

interface ValidationInput extends Pick<RcsValidationBody, 'comments'> {
  compiled: CompiledContents | undefined
  approved: ActionApproval | null
  now: Date
}

/** Moves an action from 20 to 50 as it was compiled; false when it was changed since. */
async function freezeAction(
  tx: Db,
  before: StoredAction,
  { compiled, comments, approved, now }: ValidationInput,
): Promise<boolean> {
  const { account, id } = before
  const action = await lockAction(tx, { family: actionFamilies.rcs, account, id })
  const isUnchanged = action.attempt === before.attempt && action.updated_at.getTime() === before.updated_at.getTime()
  if (!isUnchanged || action.state !== before.state) return false
  const sending = compiled?.[0]?.draft.sending ?? (await readSendingSettings(tx, account))
  const { reasons, scheduler } = await resolveCampaignStart(tx, action, now)
  requireNoReasons(action, [
    ...listMissingParts(action),
    ...(await findRcsProfileReasons(tx, action)),
    ...listCompileReasons(compiled),
    ...listApprovalReasons(compiled, approved),
    ...reasons,
    ...findConsentReasons(action, sending),
    ...(await findTopicReasons(tx, action)),
  ])
  if (!compiled) throw new Error(`RCS action ${id} is complete and has no content`)
  const storedVersions = await storeContentVersions(tx, action, compiled, {
    sourceKind: actionFamilies.rcs.sourceKind,
    now,
  })
  const { findings } = collectContentFlaws(compiled)
  await validateImmediately(
    tx,
    action,
    { ...storedVersions, scheduler, findings, comments: comments ?? null, approved },
    now,
  )
  return true
}

/** Tries of a validation whose action is changed while it is compiled. */
const MAX_VALIDATION_TRIES = 5

/**
 * Validates an RCS action: its content is compiled and frozen, and a campaign whose start has come begins. Throws 400 for
 * a test, 404, 410, and 409 with one entry of `errors` a reason; then nothing changes.
 */
export async function validateRcsAction(
  context: ValidationContext,
  ref: ActionRef,
  { fortest, comments, approved = null }: RcsValidationBody & { approved?: ActionApproval | null },
): Promise<void> {
  const { db, clock } = context
  for (let attemptCount = 0; attemptCount < MAX_VALIDATION_TRIES; attemptCount++) {
    const action = await loadAction(db, ref)
    if (fortest) {
      decideActionTransition('read', action)
      throw badRequestProblem('/fortest', 'is not allowed: send proofs with POST /proof')
    }
    const compiled = await compileContents(context, action)
    const now = new Date(clock.now())
    const freezeInTransaction = (tx: Db) => freezeAction(tx, action, { compiled, comments, approved, now })
    if (await inTentativeTransaction(db, async (tx) => (await freezeInTransaction(tx)) || undefined)) return
  }
  throw conflictProblem('action-state', 'The action is being changed by other requests. Try again.')
}
