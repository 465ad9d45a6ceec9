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

/** An action with what a request brings in place of its content. Throws conflict when there is none. */
export function applyRcsOverrides(
  action: StoredAction,
  given: Pick<RcsRenderItem, 'content' | 'fallback'>,
): RcsActionWithContent {
  const brought = extractRcsOverrides(given)
  const content = brought?.content ?? action.content.content
  if (!content) throw conflictProblem('content-missing', `The RCS action ${action.id} has no content: set content.`)
  const fallback = brought?.fallback === undefined ? action.content.fallback : brought.fallback
  // A content that is not stored has no version, in which its links would be found.
  const version = brought ? null : action.version
  return { ...action, content: { content, fallback: fallback ?? null }, version }
}

/** A phone in place of the contact's, read as national numbers of the profile are; what is none stays as it is. */
async function phoneOf(
  { db }: RenderContext,
  { account, settings }: StoredAction,
  { context }: RcsRenderItem,
): Promise<string | undefined> {
  const given = context?.recipient
  if (given == null || settings.profile == null) return given ?? undefined
  const { country } = await loadRcsProfile(db, account, settings.profile)
  return parsePossiblePhone(given, country) ?? given
}

function resultOf(shown: MessagePreview): RcsRenderResult {
  if (shown.type === 'success') {
    if (!('agent' in shown)) throw new Error('a mail or a text is no rich message')
    return { ...shown, agent: shown.agent === '' ? null : shown.agent }
  }
  const { value } = shown
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
  const brought = extractRcsOverrides(item)
  requireOverridableContent([brought ? { brought } : {}], action.settings)
  const shown = applyRcsOverrides(action, item)
  const recipient = await phoneOf(context, action, item)
  const { content: _, fallback: __, ...given } = item
  const asked = {
    ...given,
    context: { display: PREVIEW_DISPLAY_BITS.tracking, ...(recipient !== undefined && { recipient }) },
  }
  const [result] = await renderItemPreviews(context, shown, [asked], personal)
  return resultOf(result!)
}

/** As renderRcsAction, for a contact that is named in an address: notFound where there is none. */
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
