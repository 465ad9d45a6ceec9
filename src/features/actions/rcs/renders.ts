import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import type { Personal } from '../../../lib/text/masking.ts'
import { findContacts, type Sought } from '../../contacts/records/find.ts'
import { readPossible } from '../../rcs-profiles/phone.ts'
import { loadProfile } from '../../rcs-profiles/profiles.ts'
import { DISPLAY } from '../../rendering/render.ts'
import { type Shown, showItems } from '../content/renders.ts'
import { refuseOverrides } from '../execution/executions.ts'
import { type ActionRef, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { decide } from '../resource/states.ts'
import { broughtBy, refuseFaultyRcs } from './items.ts'
import type { RcsRenderItem, RcsRenderResult } from './rcs-item-schemas.ts'

type RenderContext = Pick<Context, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** An action of which a message can be made, whether it may be sent or not. */
export type WithContent = StoredAction & { content: { content: NonNullable<StoredAction['content']['content']> } }

/** An action with what a request brings in place of its content. Throws conflict when there is none. */
export function withContent(action: StoredAction, given: Pick<RcsRenderItem, 'content' | 'fallback'>): WithContent {
  const brought = broughtBy(given)
  const content = brought?.content ?? action.content.content
  if (!content) throw conflict('content-missing', `The RCS action ${action.id} has no content: set content.`)
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
  const { country } = await loadProfile(db, account, settings.profile)
  return readPossible(given, country) ?? given
}

function resultOf(shown: Shown): RcsRenderResult {
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
  personal: Personal | null = null,
): Promise<RcsRenderResult> {
  const action = await loadAction(context.db, ref)
  decide('render', action)
  refuseFaultyRcs([item], action.settings, false)
  const brought = broughtBy(item)
  refuseOverrides([brought ? { brought } : {}], action.settings)
  const shown = withContent(action, item)
  const recipient = await phoneOf(context, action, item)
  const { content: _, fallback: __, ...given } = item
  const asked = { ...given, context: { display: DISPLAY.tracking, ...(recipient !== undefined && { recipient }) } }
  const [result] = await showItems(context, shown, [asked], personal)
  return resultOf(result!)
}

/** As renderRcsAction, for a contact that is named in an address: notFound where there is none. */
export async function renderForContact(
  context: RenderContext,
  ref: ActionRef,
  sought: Sought,
  personal: Personal | null = null,
): Promise<RcsRenderResult> {
  const action = await loadAction(context.db, ref)
  decide('render', action)
  const [contact] = await findContacts(context.db, ref.account, [sought])
  if (!contact) throw notFound('target', sought.type === 'footprint' ? sought.id : String(sought.value))
  return renderRcsAction(context, ref, { recipient: { type: 'id', value: contactId(contact.id) } }, personal)
}
