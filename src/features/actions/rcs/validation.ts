import { families } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inAttempt } from '../../../database/locks/attempts.ts'
import { badRequest, conflict, Problem } from '../../../lib/errors/problem.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { type CompiledContent, compileContents, flawsOf, freezeContents } from '../content/content-versions.ts'
import { draftsOf } from '../content/draft-content.ts'
import { missingParts } from '../resource/action-presenter.ts'
import {
  type ActionRef,
  type Approved,
  loadAction,
  lockAction,
  type StoredAction,
} from '../resource/action-repository.ts'
import { decide } from '../resource/states.ts'
import { areContentsApproved, CONTENT_CHANGED } from '../validation/approved.ts'
import { consentReasons, type Reason, startOf, topicReasons } from '../validation/readiness.ts'
import { validateOutright } from '../validation/validation.ts'
import { profileReasons } from './profile-reasons.ts'
import type { RcsValidationBody } from './rcs-action-schemas.ts'

type ValidationContext = Pick<Context, 'db' | 'config' | 'clock' | 'renders'>

/** The contents of an action as they were compiled, before anything is locked. */
type Compiled = readonly CompiledContent[]

/** What an action lacks, by its members. */
function incompleteReasons(action: StoredAction): Reason[] {
  return missingParts(action).map((path) => ({
    kind: 'incomplete',
    pointer: `/${path.replaceAll('.', '/')}`,
    words: `${path} is missing.`,
  }))
}

async function compileOf(context: ValidationContext, action: StoredAction): Promise<Compiled | undefined> {
  if (action.deleted_at !== null || !action.content.content || action.settings.profile == null) return undefined
  return compileContents(context, await draftsOf(context, action, null))
}

function compileReasons(compiled: Compiled | undefined): Reason[] {
  return flawsOf(compiled ?? []).errors.map(({ type, message, part, position }) => ({
    kind: type,
    pointer: part === null ? '' : `/${part}`,
    words: position ? `${message} (line ${position.line}, column ${position.column})` : message,
  }))
}

/** That a content is not the one that was approved. */
function approvalReasons(compiled: Compiled | undefined, approved: Approved | null): Reason[] {
  if (!compiled || areContentsApproved(approved, compiled)) return []
  const { type, message } = CONTENT_CHANGED
  return [{ kind: type, pointer: '', words: message }]
}

/** Throws 409 with an entry for each reason; that of the table first, where it is not what is missing. */
function refuse(action: StoredAction, reasons: readonly Reason[]): void {
  const isIncomplete = action.state === 10 && action.deleted_at === null
  if (!isIncomplete) decide('validateAtOnce', action)
  if (reasons.length === 0) return
  const { title, showId } = families.rcs
  throw new Problem(
    409,
    isIncomplete ? 'action-incomplete' : 'action-not-ready',
    `The ${title} ${showId(action.id)} cannot be validated: ${reasons.map(({ words }) => words).join(' ')}`,
    { errors: reasons.map(({ pointer, words }) => ({ pointer, detail: words })) },
  )
}

interface Freezing extends Pick<RcsValidationBody, 'comments'> {
  compiled: Compiled | undefined
  approved: Approved | null
  now: Date
}

/** Moves an action from 20 to 50 as it was compiled; false when it was changed since. */
async function freeze(tx: Db, before: StoredAction, { compiled, comments, approved, now }: Freezing): Promise<boolean> {
  const { account, id } = before
  const action = await lockAction(tx, { family: families.rcs, account, id })
  const isSame = action.attempt === before.attempt && action.updated_at.getTime() === before.updated_at.getTime()
  if (!isSame || action.state !== before.state) return false
  const sending = compiled?.[0]?.draft.sending ?? (await readSendingSettings(tx, account))
  const { reasons, scheduler } = await startOf(tx, action, now)
  refuse(action, [
    ...incompleteReasons(action),
    ...(await profileReasons(tx, action)),
    ...compileReasons(compiled),
    ...approvalReasons(compiled, approved),
    ...reasons,
    ...consentReasons(action, sending),
    ...(await topicReasons(tx, action)),
  ])
  if (!compiled) throw new Error(`RCS action ${id} is complete and has no content`)
  const frozen = await freezeContents(tx, action, compiled, { sourceKind: families.rcs.sourceKind, now })
  const { findings } = flawsOf(compiled)
  await validateOutright(tx, action, { ...frozen, scheduler, findings, comments: comments ?? null, approved }, now)
  return true
}

/** Tries of a validation whose action is changed while it is compiled. */
const TRIES = 5

/**
 * Validates an RCS action: its content is compiled and frozen, and a campaign whose start has come begins. Throws 400 for
 * a test, 404, 410, and 409 with one entry of `errors` a reason; then nothing changes.
 */
export async function validateRcsAction(
  context: ValidationContext,
  ref: ActionRef,
  { fortest, comments, approved = null }: RcsValidationBody & { approved?: Approved | null },
): Promise<void> {
  const { db, clock } = context
  for (let tried = 0; tried < TRIES; tried++) {
    const action = await loadAction(db, ref)
    if (fortest) {
      decide('read', action)
      throw badRequest('/fortest', 'is not tested: POST /proof sends proofs')
    }
    const compiled = await compileOf(context, action)
    const now = new Date(clock.now())
    const freezing = (tx: Db) => freeze(tx, action, { compiled, comments, approved, now })
    if (await inAttempt(db, async (tx) => (await freezing(tx)) || undefined)) return
  }
  throw conflict('action-state', 'The action is being changed by other requests: try again.')
}
