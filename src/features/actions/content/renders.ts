import type { ActionChannelModule, MessagePreviewFailure } from '../../../channels/channel.ts'
import { getActionChannel } from '../../../channels/channel-traits.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { MessageRequest, MessageStamp } from '../../../channels/message.ts'
import { toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { maskJsonDocument, type PersonalFields } from '../../../lib/text/masking.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import type { SenderAccount } from '../../../sending/prepare/prepared-message.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign, type TemplateCampaign } from '../../campaign-groups/oldest.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { maskContact } from '../../contacts/records/masked.ts'
import type { ContentSource } from '../../rendering/content.ts'
import { PREVIEW_DISPLAY_BITS, type RenderInput, type RenderOutcome } from '../../rendering/render.ts'
import { type ActionItemsRequest, requireOverridableContent } from '../execution/executions.ts'
import {
  findItemContacts,
  findItemRecipient,
  type ItemContacts,
  requireValidItems,
} from '../execution/item-contacts.ts'
import type { ActionRenderItem, ActionRenderResult } from '../execution/item-schemas.ts'
import { type ActionRef, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { requireChannelMembers } from '../resource/foreign-members.ts'
import { decideActionTransition, requireSameChannel } from '../resource/states.ts'
import { type ActionTemplateValues, buildUnsentLinks, buildUnsentScope } from './content-scopes.ts'
import { type ActionContentSnapshot, proofPrefix, snapshotActionContent } from './draft-content.ts'

/** Renders asked of the pool at once: a long list must not crowd out other requests. */
const MAX_PARALLEL_RENDERS = 20

const FLAW_PARTS = [undefined, 'html', 'text', 'amp'] as const

type RenderContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** Context shared by the items of one request. */
interface PreviewBatch {
  context: RenderContext
  action: StoredAction
  draft: ActionContentSnapshot
  source: ContentSource
  owner: Pick<SenderAccount, 'valuesOf' | 'rules'>
  campaign: TemplateCampaign | null
  channel: ActionChannelModule
  /** Requests of the action's sent messages, by their stamps. */
  sent: ReadonlyMap<string, MessageRequest>
  /** Personal fields to mask. Values are masked before anything is rendered from them, and links belong to no contact and no message. */
  personal: PersonalFields | null
}

/** The requests of sent messages of an action, by their stamps. */
async function loadSentRequests(
  db: Db,
  { account, id }: StoredAction,
  items: readonly ActionRenderItem[],
): Promise<Map<string, MessageRequest>> {
  const stamps = items.flatMap(({ context }) => parseUuid(context?.id ?? '') ?? [])
  if (stamps.length === 0) return new Map()
  const sentMessages = [...(await findMessages(db, account, stamps))]
  const actionMessages = sentMessages.filter(([, { outcome, source }]) => outcome !== null && source === id)
  return new Map(actionMessages.map(([stamp, { request }]) => [stamp, request]))
}

function buildPreviewStamp({ stamp }: ActionRenderItem, now: number): MessageStamp {
  const id = parseUuid(stamp?.id ?? '') ?? createUuidV7(now)
  return {
    id,
    thread: parseUuid(stamp?.thread ?? '') ?? id,
    set: parseUuid(stamp?.set ?? '') ?? id,
    time: stamp?.time ?? now,
  }
}

/** Template values of an item; values that the item omits come from the message it refers to. */
function buildTemplateValues(
  item: ActionRenderItem,
  { recipient, related }: ItemContacts,
  storedRequest: MessageRequest,
  { context, owner, campaign, personal }: PreviewBatch,
): ActionTemplateValues {
  const variables = item.variables && Object.fromEntries(item.variables.map(({ key, value }) => [key, value]))
  return {
    contact: recipient ? owner.valuesOf(recipient) : null,
    related: related ? owner.valuesOf(related) : null,
    data: item.data ?? storedRequest.data ?? {},
    variables: variables ?? storedRequest.variables ?? {},
    blocks: item.blocks ?? storedRequest.blocks ?? [],
    event: storedRequest.event,
    campaign,
    stamp: buildPreviewStamp(personal ? {} : item, context.clock.now()),
  }
}

/**
 * Link display mode. Silent links require frozen content as their base. Without it (the action was edited since, or the item has its own
 * content), they are shown as their targets.
 */
function resolveLinkDisplay({ context, content }: ActionRenderItem, { version }: StoredAction): number {
  const display = context?.display ?? 0
  return version === null || content != null ? display & ~PREVIEW_DISPLAY_BITS.tracking : display
}

function buildRenderInput(
  item: ActionRenderItem,
  values: ActionTemplateValues,
  contact: FoundContact | null | undefined,
  { context, action, draft, owner, channel, personal }: PreviewBatch,
): RenderInput {
  const display = resolveLinkDisplay(item, action)
  const part = FLAW_PARTS[item.context?.render ?? 0]
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
function resolveItemSource({ content }: ActionRenderItem, { source, channel, draft }: PreviewBatch): ContentSource {
  if (content?.type !== 'template') return source
  const { html = null, text = null, amp = null } = content
  const replacedContent = channel.authoring.replaced(draft.source.content, { html, text, amp })
  return toContentSource({ ...draft.source, content: replacedContent })
}

/** Preview of a message of any channel, or the reason why there is none. Both families report their own part of an error in the content. */
export type MessagePreview =
  | Exclude<ReturnType<ActionChannelModule['authoring']['preview']>, MessagePreviewFailure>
  | { type: 'error'; value: Exclude<ErrorValue<ActionRenderResult>, { type: 'render' }> | RenderFault }

type ErrorValue<Result> = Extract<Result, { type: 'error' }> extends { value: infer Value } ? Value : never

/** Fault that prevents a content from being rendered. `pointer` is the place in the action to correct. */
interface RenderFault {
  type: 'render'
  message: string
  position: { part: string; line: number; column: number } | null
  pointer: string
}

function toRenderFailure({ message, part, position }: Extract<RenderOutcome, { outcome: 'failed' }>): MessagePreview {
  const fault = { message, position: position && { part, ...position }, pointer: `/${part}` }
  return { type: 'error', value: { type: 'render', ...fault } }
}

/** Those of an item as they may be seen. */
function maskItemContacts(
  { recipient, related, ...others }: ItemContacts,
  personal: PersonalFields | null,
): ItemContacts {
  return {
    ...others,
    recipient: recipient && maskContact(recipient, personal),
    related: related && maskContact(related, personal),
  }
}

/** Masked request of a sent message. */
function maskRequest(request: MessageRequest | undefined, personal: PersonalFields | null): MessageRequest | undefined {
  return request && personal ? (maskJsonDocument(request, personal) as MessageRequest) : request
}

async function renderItem(
  item: ActionRenderItem,
  itemContacts: ItemContacts,
  preview: PreviewBatch,
): Promise<MessagePreview> {
  const { action, draft, context, sent: sentItemRequests, personal } = preview
  const maskedContacts = maskItemContacts(itemContacts, personal)
  const recipient = findItemRecipient(item)
  if (recipient && !maskedContacts.recipient)
    return { type: 'error', value: { type: 'recipient not found', recipient } }
  if (item.related && !maskedContacts.related)
    return { type: 'error', value: { type: 'related not found', related: item.related } }
  const storedRequest =
    item.context?.id == null ? {} : maskRequest(sentItemRequests.get(parseUuid(item.context.id) ?? ''), personal)
  if (!storedRequest) return { type: 'error', value: { type: 'message not found' } }
  const values = buildTemplateValues(item, maskedContacts, storedRequest, preview)
  const rendered = await context.renders.render(
    resolveItemSource(item, preview),
    buildRenderInput(item, values, maskedContacts.recipient, preview),
  )
  if (rendered.outcome === 'cancelled')
    return { type: 'error', value: { type: 'cancelled', message: rendered.message } }
  if (rendered.outcome === 'failed') return toRenderFailure(rendered)
  const address = maskedContacts.recipient?.fields[String(action.settings.field)]
  const previewRecipient = item.context?.recipient ?? String(address ?? '')
  const channelPreview = preview.channel.authoring.preview({
    source: draft.source,
    settings: action.settings,
    recipient: previewRecipient,
    headers: item.headers,
    stamp: values.stamp.id,
    rendered,
  })
  if (!('failure' in channelPreview)) return channelPreview
  const { failure: message, pointer = '' } = channelPreview
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
  const preview: PreviewBatch = {
    context,
    action,
    draft,
    channel,
    personal,
    source: toContentSource(draft.source),
    owner: await openSenderCache(db, clock).account(account),
    campaign: await findOldestCampaign(db, account, id),
    sent: await loadSentRequests(db, action, items),
  }
  const contactsByItem = await findItemContacts(db, account, items)
  const results: MessagePreview[] = []
  for (let batchStart = 0; batchStart < items.length; batchStart += MAX_PARALLEL_RENDERS) {
    const batchItems = items.slice(batchStart, batchStart + MAX_PARALLEL_RENDERS)
    results.push(
      ...(await Promise.all(
        batchItems.map((item, index) => renderItem(item, contactsByItem[batchStart + index]!, preview)),
      )),
    )
  }
  return results
}

/** A message as operations on mails and texts show it. */
function toRenderResult(messagePreview: MessagePreview): ActionRenderResult {
  if (messagePreview.type === 'success') {
    if ('agent' in messagePreview) throw new Error('a rich message has its own render operations')
    return messagePreview
  }
  const { value } = messagePreview
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
    channel: requestedChannel,
    personal = null,
  }: ActionItemsRequest<ActionRenderItem> & { personal?: PersonalFields | null },
): Promise<ActionRenderResult[]> {
  const action = await loadAction(context.db, ref)
  decideActionTransition('render', action)
  requireSameChannel(getActionChannel(action.type), requestedChannel)
  requireChannelMembers(getActionChannel(action.type), items, isList)
  requireValidItems(items, isList, false)
  requireOverridableContent(items, action.settings)
  return (await renderItemPreviews(context, action, items, personal)).map(toRenderResult)
}
