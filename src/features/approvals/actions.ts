import { actionFamilies } from '../../channels/action-families.ts'
import { snapshotVersionContents } from '../actions/content/draft-content.ts'
import { validateRcsAction } from '../actions/rcs/validation.ts'
import { type ActionRef, lockAction, type StoredAction } from '../actions/resource/action-repository.ts'
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
