import type { ServiceContext } from '../../../context.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { PersonalFields } from '../../../lib/text/masking.ts'
import { type ContactLookup, findContacts } from '../../contacts/records/find.ts'
import { parsePossiblePhone } from '../../rcs-profiles/phone.ts'
import { loadRcsProfile } from '../../rcs-profiles/profiles.ts'
import { PREVIEW_DISPLAY_BITS } from '../../rendering/render.ts'
import { type MessagePreview, renderItemPreviews } from '../content/renders.ts'
import { requireOverridableContent } from '../execution/executions.ts'
import { type ActionRef, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { extractRcsOverrides, requireValidRcsItems } from './items.ts'
import type { RcsRenderItem, RcsRenderResult } from './rcs-item-schemas.ts'

type RenderContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** An action of which a message can be made, whether it may be sent or not. */
export type RcsActionWithContent = StoredAction & {
  content: { content: NonNullable<StoredAction['content']['content']> }
}

/** Applies a request's overrides to the content of an action. Throws a conflict if the result has no content. */
export function applyRcsOverrides(
  action: StoredAction,
  renderItem: Pick<RcsRenderItem, 'content' | 'fallback'>,
): RcsActionWithContent {
  const overrides = extractRcsOverrides(renderItem)
  const content = overrides?.content ?? action.content.content
  if (!content) throw conflictProblem('content-missing', `The RCS action ${action.id} has no content: set content.`)
  const fallback = overrides?.fallback === undefined ? action.content.fallback : overrides.fallback
  // A content that is not stored has no version, in which its links would be found.
  const version = overrides ? null : action.version
  return { ...action, content: { content, fallback: fallback ?? null }, version }
}

/** Phone used instead of the contact's, parsed like the national numbers of the profile; an invalid number remains unchanged. */
async function resolvePreviewPhone(
  { db }: RenderContext,
  { account, settings }: StoredAction,
  { context }: RcsRenderItem,
): Promise<string | undefined> {
  const rawPhone = context?.recipient
  if (rawPhone == null || settings.profile == null) return rawPhone ?? undefined
  const { country } = await loadRcsProfile(db, account, settings.profile)
  return parsePossiblePhone(rawPhone, country) ?? rawPhone
}

function toRcsResult(preview: MessagePreview): RcsRenderResult {
  if (preview.type === 'success') {
    if (!('agent' in preview)) throw new Error('an email or SMS is not a rich message')
    return { ...preview, agent: preview.agent === '' ? null : preview.agent }
  }
  const { value } = preview
  if (value.type === 'message not found') throw new Error('no message was named')
  if (value.type !== 'render') return { type: 'error', value }
  const { message, pointer } = value
  return { type: 'error', value: { type: 'render', message, pointer } }
}

/**
 * Shows the message of an RCS action as one contact would get it. Nothing is sent or stored; its links lead on and count
 * nothing. Throws 404, 400, and conflict without content. `personal`: what is masked.
 */
export async function renderRcsAction(
  context: RenderContext,
  ref: ActionRef,
  item: RcsRenderItem,
  personal: PersonalFields | null = null,
): Promise<RcsRenderResult> {
  const action = await loadAction(context.db, ref)
  decideActionTransition('render', action)
  requireValidRcsItems([item], action.settings, false)
  const overrides = extractRcsOverrides(item)
  requireOverridableContent([overrides ? { brought: overrides } : {}], action.settings)
  const renderedAction = applyRcsOverrides(action, item)
  const recipient = await resolvePreviewPhone(context, action, item)
  const { content: _, fallback: __, ...otherMembers } = item
  const renderRequest = {
    ...otherMembers,
    context: { display: PREVIEW_DISPLAY_BITS.tracking, ...(recipient !== undefined && { recipient }) },
  }
  const [result] = await renderItemPreviews(context, renderedAction, [renderRequest], personal)
  return toRcsResult(result!)
}

/** Like `renderRcsAction`, for a contact named in a URL. Throws notFound if it does not exist. */
export async function renderRcsForContact(
  context: RenderContext,
  ref: ActionRef,
  sought: ContactLookup,
  personal: PersonalFields | null = null,
): Promise<RcsRenderResult> {
  const action = await loadAction(context.db, ref)
  decideActionTransition('render', action)
  const [contact] = await findContacts(context.db, ref.account, [sought])
  if (!contact) throw notFoundProblem('target', sought.type === 'footprint' ? sought.id : String(sought.value))
  return renderRcsAction(context, ref, { recipient: { type: 'id', value: formatContactId(contact.id) } }, personal)
}
