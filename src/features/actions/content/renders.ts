import type { ActionChannelModule, MessagePreviewFailure } from '../../../channels/channel.ts'
import { getActionChannel } from '../../../channels/facts.ts'
import type { MessageRequest, MessageStamp } from '../../../channels/message.ts'
import { loadActionChannel } from '../../../channels/registry.ts'
import { toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { maskJsonDocument, type PersonalFields } from '../../../lib/text/masking.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import type { SenderAccount } from '../../../sending/prepare/prepared-message.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign, type TemplateCampaign } from '../../campaigns/oldest.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { maskContact } from '../../contacts/records/masked.ts'
import type { ContentSource } from '../../rendering/content.ts'
import { PREVIEW_DISPLAY_BITS, type RenderInput, type RenderOutcome } from '../../rendering/render.ts'
import { type ActionItemsRequest, requireOverridableContent } from '../execution/executions.ts'
import type { ActionRenderItem, ActionRenderResult } from '../execution/item-schemas.ts'
import { findItemContacts, findItemRecipient, type ItemContacts, requireValidItems } from '../execution/recipients.ts'
import { type ActionRef, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { requireChannelMembers } from '../resource/foreign-members.ts'
import { decideActionTransition, requireSameChannel } from '../resource/states.ts'
import { type ActionTemplateValues, buildUnsentLinks, buildUnsentScope } from './content-scopes.ts'
import { type ActionContentSnapshot, proofPrefix, snapshotActionContent } from './draft-content.ts'

/** Renders asked of the pool at once: a long list must not crowd out other requests. */
const AT_ONCE = 20

const parts = [undefined, 'html', 'text', 'amp'] as const

type RenderContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** What the items of one request share. */
interface Preview {
  context: RenderContext
  action: StoredAction
  draft: ActionContentSnapshot
  source: ContentSource
  owner: Pick<SenderAccount, 'valuesOf' | 'rules'>
  campaign: TemplateCampaign | null
  channel: ActionChannelModule
  /** What sent messages of the action were given, by their stamps. */
  sent: ReadonlyMap<string, MessageRequest>
  /** What is masked: values are so before anything is made of them, and links are of no contact and no message. */
  personal: PersonalFields | null
}

/** The requests of sent messages of an action, by their stamps. */
async function sentRequests(
  db: Db,
  { account, id }: StoredAction,
  items: readonly ActionRenderItem[],
): Promise<Map<string, MessageRequest>> {
  const stamps = items.flatMap(({ context }) => parseUuid(context?.id ?? '') ?? [])
  if (stamps.length === 0) return new Map()
  const found = [...(await findMessages(db, account, stamps))]
  const own = found.filter(([, { outcome, source }]) => outcome !== null && source === id)
  return new Map(own.map(([stamp, { request }]) => [stamp, request]))
}

function stampOf({ stamp }: ActionRenderItem, now: number): MessageStamp {
  const id = parseUuid(stamp?.id ?? '') ?? createUuidV7(now)
  return {
    id,
    thread: parseUuid(stamp?.thread ?? '') ?? id,
    set: parseUuid(stamp?.set ?? '') ?? id,
    time: stamp?.time ?? now,
  }
}

/** What an item gives to the template; what it does not give comes from the message it refers to. */
function valuesOf(
  item: ActionRenderItem,
  { recipient, related }: ItemContacts,
  stored: MessageRequest,
  { context, owner, campaign, personal }: Preview,
): ActionTemplateValues {
  const variables = item.variables && Object.fromEntries(item.variables.map(({ key, value }) => [key, value]))
  return {
    contact: recipient ? owner.valuesOf(recipient) : null,
    related: related ? owner.valuesOf(related) : null,
    data: item.data ?? stored.data ?? {},
    variables: variables ?? stored.variables ?? {},
    blocks: item.blocks ?? stored.blocks ?? [],
    campaign,
    stamp: stampOf(personal ? {} : item, context.clock.now()),
  }
}

/**
 * How links are shown. Silent links need a frozen content to lead on: where there is none - the action was edited since,
 * or the item brings its own - they are shown as their targets.
 */
function displayOf({ context, content }: ActionRenderItem, { version }: StoredAction): number {
  const display = context?.display ?? 0
  return version === null || content != null ? display & ~PREVIEW_DISPLAY_BITS.tracking : display
}

function inputOf(
  item: ActionRenderItem,
  values: ActionTemplateValues,
  contact: FoundContact | null | undefined,
  { context, action, draft, owner, channel, personal }: Preview,
): RenderInput {
  const display = displayOf(item, action)
  const part = parts[item.context?.render ?? 0]
  const { account, version } = action
  const isInline = item.content != null && item.content.type !== 'template'
  return {
    mode: 'preview',
    display,
    scope: buildUnsentScope(draft.source, values, context.clock.now()),
    links: buildUnsentLinks(draft.source, values, {
      key: context.tokens.signing(account),
      account,
      version,
      contact: personal ? null : (contact?.id ?? null),
    }),
    zone: resolveRecipientZone(owner.rules, contact, draft.source.settings),
    pixel: true,
    strict: false,
    ...(part && { part }),
    ...((display & PREVIEW_DISPLAY_BITS.proof) !== 0 && {
      prefix: proofPrefix(action.type, draft.sending),
      banner: 'Test',
    }),
    ...(item.subject != null && { headers: { subject: item.subject } }),
    ...(isInline && {
      inline: channel.inlineParts({
        html: item.content?.html ?? '',
        text: item.content?.text ?? '',
        amp: item.content?.amp ?? '',
      }),
    }),
  }
}

/** The content an item is rendered from: the action's, or the template it brings. */
function sourceOf({ content }: ActionRenderItem, { source, channel, draft }: Preview): ContentSource {
  if (content?.type !== 'template') return source
  const { html = null, text = null, amp = null } = content
  const replaced = channel.authoring.replaced(draft.source.content, { html, text, amp })
  return toContentSource({ ...draft.source, content: replaced })
}

/** A message as it would be, of any channel, or why there is none. Of an error in the content both families tell their own part. */
export type MessagePreview =
  | Exclude<ReturnType<ActionChannelModule['authoring']['preview']>, MessagePreviewFailure>
  | { type: 'error'; value: Exclude<ErrorOf<ActionRenderResult>, { type: 'render' }> | RenderFault }

type ErrorOf<Result> = Extract<Result, { type: 'error' }> extends { value: infer Value } ? Value : never

/** What keeps a content from being rendered. `pointer`: to what is to be changed, in the action. */
interface RenderFault {
  type: 'render'
  message: string
  position: { part: string; line: number; column: number } | null
  pointer: string
}

function failed({ message, part, position }: Extract<RenderOutcome, { outcome: 'failed' }>): MessagePreview {
  const fault = { message, position: position && { part, ...position }, pointer: `/${part}` }
  return { type: 'error', value: { type: 'render', ...fault } }
}

/** Those of an item as they may be seen. */
function maskedNamed({ recipient, related, ...others }: ItemContacts, personal: PersonalFields | null): ItemContacts {
  return {
    ...others,
    recipient: recipient && maskContact(recipient, personal),
    related: related && maskContact(related, personal),
  }
}

/** What a sent message was given, as it may be seen. */
function maskedRequest(
  request: MessageRequest | undefined,
  personal: PersonalFields | null,
): MessageRequest | undefined {
  return request && personal ? (maskJsonDocument(request, personal) as MessageRequest) : request
}

async function renderItem(item: ActionRenderItem, found: ItemContacts, preview: Preview): Promise<MessagePreview> {
  const { action, draft, context, sent, personal } = preview
  const named = maskedNamed(found, personal)
  const recipient = findItemRecipient(item)
  if (recipient && !named.recipient) return { type: 'error', value: { type: 'recipient not found', recipient } }
  if (item.related && !named.related)
    return { type: 'error', value: { type: 'related not found', related: item.related } }
  const stored = item.context?.id == null ? {} : maskedRequest(sent.get(parseUuid(item.context.id) ?? ''), personal)
  if (!stored) return { type: 'error', value: { type: 'message not found' } }
  const values = valuesOf(item, named, stored, preview)
  const rendered = await context.renders.render(
    sourceOf(item, preview),
    inputOf(item, values, named.recipient, preview),
  )
  if (rendered.outcome === 'cancelled')
    return { type: 'error', value: { type: 'cancelled', message: rendered.message } }
  if (rendered.outcome === 'failed') return failed(rendered)
  const address = named.recipient?.fields[String(action.settings.field)]
  const shown = item.context?.recipient ?? String(address ?? '')
  const made = preview.channel.authoring.preview({
    source: draft.source,
    settings: action.settings,
    recipient: shown,
    headers: item.headers,
    stamp: values.stamp.id,
    rendered,
  })
  if (!('failure' in made)) return made
  const { failure: message, pointer = '' } = made
  return { type: 'error', value: { type: 'render', message, position: null, pointer } }
}

/**
 * Shows messages of an action as they would be, in the order of the items; its content must be there. Nothing is sent,
 * stored or counted. Throws 503 when too many renders wait. `personal`: what is masked.
 */
export async function renderItemPreviews(
  context: RenderContext,
  action: StoredAction,
  items: readonly ActionRenderItem[],
  personal: PersonalFields | null = null,
): Promise<MessagePreview[]> {
  const { db, clock } = context
  const { account, id } = action
  const draft = await snapshotActionContent(context, action, null)
  const channel = await loadActionChannel(draft.source.channel)
  const preview: Preview = {
    ...{ context, action, draft, channel, personal },
    source: toContentSource(draft.source),
    owner: await openSenderCache(db, clock).account(account),
    campaign: await findOldestCampaign(db, account, id),
    sent: await sentRequests(db, action, items),
  }
  const named = await findItemContacts(db, account, items)
  const results: MessagePreview[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const some = items.slice(start, start + AT_ONCE)
    results.push(...(await Promise.all(some.map((item, index) => renderItem(item, named[start + index]!, preview)))))
  }
  return results
}

/** A message as operations on mails and texts show it. */
function resultOf(shown: MessagePreview): ActionRenderResult {
  if (shown.type === 'success') {
    if ('agent' in shown) throw new Error('a rich message is shown by operations of its own')
    return shown
  }
  const { value } = shown
  if (value.type !== 'render') return { type: 'error', value }
  const { pointer: _, ...fault } = value
  return { type: 'error', value: fault }
}

/**
 * Shows messages of an email or SMS action as they would be, in the order of the items. Nothing is sent, stored or
 * counted. Throws notFound, 415, 400, conflict for an override that the action does not allow, 503 when too many wait.
 */
export async function renderAction(
  context: RenderContext,
  ref: ActionRef,
  {
    items,
    isList,
    channel: asked,
    personal = null,
  }: ActionItemsRequest<ActionRenderItem> & { personal?: PersonalFields | null },
): Promise<ActionRenderResult[]> {
  const action = await loadAction(context.db, ref)
  decideActionTransition('render', action)
  requireSameChannel(getActionChannel(action.type), asked)
  requireChannelMembers(getActionChannel(action.type), items, isList)
  requireValidItems(items, isList, false)
  requireOverridableContent(items, action.settings)
  return (await renderItemPreviews(context, action, items, personal)).map(resultOf)
}
