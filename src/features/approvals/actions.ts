import { actionFamilies } from '../../channels/action-families.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { collectContentFlaws, compileActionContents } from '../actions/content/content-versions.ts'
import { snapshotVersionContents } from '../actions/content/draft-content.ts'
import { validateRcsAction } from '../actions/rcs/validation.ts'
import { type ActionRef, loadAction, lockAction, type StoredAction } from '../actions/resource/action-repository.ts'
import { decideActionTransition } from '../actions/resource/states.ts'
import { pickContentParts } from '../actions/validation/approved.ts'
import { requestProductionValidation, waitForValidation } from '../actions/validation/validation.ts'
import type { Approvable, ApprovableDescription, ApprovalContext } from './approvable.ts'

/** The client-defined properties of an action. Its start is computed during validation. */
function extractActionDefinition({
  name,
  description,
  folder,
  category,
  settings,
  content,
  scheduler,
  segments,
}: StoredAction) {
  const { startsAt: ignoredStart, ...timing } = scheduler ?? {}
  return { name, description, folder, category, settings, content, timing, segments }
}

async function lockActionForApproval(context: ApprovalContext, ref: ActionRef): Promise<ApprovableDescription> {
  const action = await lockAction(context.db, ref)
  if (action.deleted_at !== null) decideActionTransition('duplicate', action)
  const { name, scheduler, segments } = action
  const isComplete = ref.family !== actionFamilies.rcs || action.content.content != null
  const contentParts = isComplete ? pickContentParts(await snapshotVersionContents(context, action, null)) : null
  return {
    name,
    parts: { definition: extractActionDefinition(action), content: contentParts },
    audience: scheduler === null ? null : segments,
    segments: [...segments.selected, ...segments.excluded],
  }
}

/** Throws conflict `action-not-ready` for an untested action whose content does not compile: a test compiles it. */
async function assertActionCompiles(context: ApprovalContext, ref: ActionRef): Promise<void> {
  const action = await loadAction(context.db, ref)
  if (action.state !== 20) return
  const contents = await compileActionContents(context, await snapshotVersionContents(context, action, null))
  const { errors } = collectContentFlaws(contents)
  const [firstError] = errors
  if (!firstError) return
  const faults = errors.map(({ part, message }) => ({ pointer: part === null ? '' : `/${part}`, detail: message }))
  const { title, showId } = ref.family
  const detail = `The ${title} ${showId(ref.id)} cannot be validated: ${firstError.message}`
  throw new Problem(409, 'action-not-ready', detail, { errors: faults })
}

/** Actions of mails and texts: what is approved is validated for production. */
export const approvableActions: Approvable = {
  readId: actionFamilies.action.readId,
  showId: actionFamilies.action.showId,
  lock: (context, key) => lockActionForApproval(context, { family: actionFamilies.action, ...key }),
  perform: (context, key, { comment: comments, approved }) =>
    requestProductionValidation(
      context,
      { family: actionFamilies.action, ...key, hasWaited: false },
      { comments, approved },
    ),
  assertCompiles: (context, key) => assertActionCompiles(context, { family: actionFamilies.action, ...key }),
  async committed(context, { account, id }, attempt) {
    if (attempt !== null) await waitForValidation(context, { account, action: id, attempt })
  },
}

/** RCS actions, whose validation compiles at once. */
export const approvableRcsActions: Approvable = {
  readId: actionFamilies.rcs.readId,
  showId: actionFamilies.rcs.showId,
  lock: (context, key) => lockActionForApproval(context, { family: actionFamilies.rcs, ...key }),
  async perform(context, key, { comment: comments, approved }) {
    await validateRcsAction(context, { family: actionFamilies.rcs, ...key }, { comments, approved })
    return null
  },
}
