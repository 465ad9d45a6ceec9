import { families } from '../../channels/families.ts'
import { draftsOf } from '../actions/content/draft-content.ts'
import { validateRcsAction } from '../actions/rcs/validation.ts'
import { type ActionRef, lockAction, type StoredAction } from '../actions/resource/action-repository.ts'
import { decide } from '../actions/resource/states.ts'
import { contentParts } from '../actions/validation/approved.ts'
import { awaitCompletion, requestProduction } from '../actions/validation/validation.ts'
import type { Approvable, ApprovalContext, Described } from './approvable.ts'

/** What clients define of an action; its start is worked out by the validation. */
function definitionOf({ name, description, folder, category, settings, content, scheduler, segments }: StoredAction) {
  const { startsAt: _, ...timing } = scheduler ?? {}
  return { name, description, folder, category, settings, content, timing, segments }
}

async function lockAndDescribe(context: ApprovalContext, ref: ActionRef): Promise<Described> {
  const action = await lockAction(context.db, ref)
  if (action.deleted_at !== null) decide('duplicate', action)
  const { name, scheduler, segments } = action
  const isComplete = ref.family !== families.rcs || action.content.content != null
  const content = isComplete ? contentParts(await draftsOf(context, action, null)) : null
  return {
    name,
    parts: { definition: definitionOf(action), content },
    audience: scheduler === null ? null : segments,
    segments: [...segments.selected, ...segments.excluded],
  }
}

/** Actions of mails and texts: what is approved is validated for production. */
export const actions: Approvable = {
  readId: families.action.readId,
  showId: families.action.showId,
  lock: (context, key) => lockAndDescribe(context, { family: families.action, ...key }),
  perform: (context, key, { comment: comments, approved }) =>
    requestProduction(context, { family: families.action, ...key, hasWaited: false }, { comments, approved }),
  async committed(context, { account, id }, attempt) {
    if (attempt !== null) await awaitCompletion(context, { account, action: id, attempt })
  },
}

/** RCS actions, whose validation compiles at once. */
export const rcsActions: Approvable = {
  readId: families.rcs.readId,
  showId: families.rcs.showId,
  lock: (context, key) => lockAndDescribe(context, { family: families.rcs, ...key }),
  async perform(context, key, { comment: comments, approved }) {
    await validateRcsAction(context, { family: families.rcs, ...key }, { comments, approved })
    return null
  },
}
