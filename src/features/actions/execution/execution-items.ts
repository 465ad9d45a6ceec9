import type { SendingChannelName } from '../../../channels/channel-traits.ts'
import type { StoredAttachment } from '../../../channels/email/attachments.ts'
import type { MessageRequest, MessageStamp } from '../../../channels/message.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import type { SendOrigin } from '../../../lib/sources.ts'
import { parseMailAddress } from '../../../lib/text/mail-address.ts'
import { MAX_MESSAGE_WAIT_MS } from '../../../sending/claim/queue-messages.ts'
import type { OnDemandSource, SendRequest } from '../../../sending/plan/request-sends.ts'
import { type FoundContact, toFootprint } from '../../contacts/records/find.ts'
import type { RcsRoute } from '../../events/record/record.ts'
import { type AttachmentSources, parseAttachments } from '../content/attachments.ts'
import { buildTemplateKey } from '../content/override-versions.ts'
import type { StoredActionSettings } from '../resource/action-repository.ts'
import type { AddressedItem, ItemContacts } from './item-contacts.ts'
import type { ActionExecutionResult, RequestedItem } from './item-schemas.ts'

/** Bytes of `data` of one item, as JSON. */
const MAX_ITEM_DATA_BYTES = 256 * 1024

/** Context shared by the items of one request. */
export interface ExecutionBatch {
  account: AccountId
  channel: SendingChannelName
  kind: 'message' | 'test'
  sending: number | OnDemandSource
  /** Address that receives all messages instead of the contacts' own addresses; null if there is none. */
  address: string | null
  action: { id: number; settings: StoredActionSettings }
  version: number
  /** Versions of the templates that items bring, by their key. */
  templates: ReadonlyMap<string, number>
  /** The `set` of stamps that name none. */
  set: string
  /** Milliseconds. */
  now: number
  /** Contacts that get no copies. */
  excluded: ReadonlySet<number>
  /** Places that attachments may be fetched from. */
  places: AttachmentSources
  /** Route of a rich message, recorded with its execution; absent for other channels. */
  routeOf?: ((recipient: FoundContact) => RcsRoute) | undefined
}

/** A message to be requested, with the contact it goes to. */
export interface PreparedExecutionItem {
  type: 'message'
  contact: FoundContact
  send: SendRequest
}

/** Result of an item. An error belongs to this item alone, and does not prevent the others from being sent. */
export type ItemPreparationResult = Extract<ActionExecutionResult, { type: 'error' }> | PreparedExecutionItem

/** The stamp of an item; `newId` is for one that names none. */
function buildItemStamp(
  { stamp }: RequestedItem,
  newId: string,
  { set: defaultSet, now }: ExecutionBatch,
): MessageStamp {
  const parseStampId = (id: string | null | undefined) => (id == null ? undefined : parseUuid(id))
  const id = parseStampId(stamp?.id) ?? newId
  return {
    id,
    thread: parseStampId(stamp?.thread) ?? id,
    set: parseStampId(stamp?.set) ?? defaultSet,
    time: stamp?.time ?? now,
  }
}

/** An object without its members that are null or undefined; undefined when none is left. */
function omitNullMembers<T extends object>(object: T | null | undefined) {
  const members = Object.entries(object ?? {}).filter(([, value]) => value != null)
  return members.length === 0 ? undefined : (Object.fromEntries(members) as { [K in keyof T]: NonNullable<T[K]> })
}

/** Part of an item that its message stores. */
function buildMessageRequest(
  item: RequestedItem,
  itemContacts: ItemContacts,
  attachments: StoredAttachment[],
): MessageRequest {
  const { data, variables, blocks, headers, subject, content, important } = item
  const fromHeader = omitNullMembers(headers?.from)
  return {
    ...omitNullMembers({ data, blocks, subject, important }),
    ...(variables && { variables: Object.fromEntries(variables.map(({ key, value }) => [key, value])) }),
    ...(itemContacts.related && { related: itemContacts.related.id }),
    ...((fromHeader || headers?.reply) && {
      headers: { ...(fromHeader && { from: fromHeader }), ...(headers?.reply && { reply: headers.reply }) },
    }),
    ...(content && content.type !== 'template' && { content: { ...omitNullMembers(content), type: 'inline' } }),
    ...(attachments.length > 0 && { attachments }),
  }
}

interface CopyAddress {
  address: string
  as: 'cc' | 'bcc'
  contact: number | null
}

/** The copies that have somewhere to go; unknown and excluded contacts, empty and broken addresses are left out. */
function listCopyAddresses(
  { copies }: RequestedItem,
  itemContacts: ItemContacts,
  { action, excluded }: ExecutionBatch,
): CopyAddress[] {
  return (copies ?? []).flatMap((copy, index) => {
    const contact = itemContacts.copies[index]
    const value = copy.type === 'address' ? copy.value.trim() : contact?.fields[String(action.settings.field)]
    const address = typeof value === 'string' ? parseMailAddress(value) : undefined
    return address === undefined || (contact && excluded.has(contact.id))
      ? []
      : [{ address, as: copy.as ?? 'cc', contact: contact?.id ?? null }]
  })
}

/** Error of one item in an otherwise valid request; `undefined` if there is none. */
function findItemError(
  { related, data }: AddressedItem,
  itemContacts: ItemContacts,
): Extract<ItemPreparationResult, { type: 'error' }> | undefined {
  if (related && !itemContacts.related) return { type: 'error', value: { type: 'related not found', related } }
  if (data != null && Buffer.byteLength(JSON.stringify(data)) > MAX_ITEM_DATA_BYTES) {
    return { type: 'error', value: { type: 'data', message: 'data must have at most 256 KiB as JSON' } }
  }
  return undefined
}

/** Requester of a send, and the places reserved for its message from the beginning. */
export interface SendRequester extends Pick<SendRequest, 'depth' | 'reservations'> {
  origin: SendOrigin
}

/** An item with the contacts it names, and the id of its stamp when it brings none. */
export interface ResolvedExecutionItem {
  item: AddressedItem
  named: ItemContacts
  newId: string
  /** Absent: a request. */
  asker?: SendRequester | undefined
}

function buildSendRequest(
  { item, named: itemContacts, newId, asker }: ResolvedExecutionItem,
  recipient: FoundContact,
  request: MessageRequest,
  batch: ExecutionBatch,
): SendRequest {
  const { account, channel, kind, sending, address, action, templates, now, routeOf } = batch
  const isProof = kind === 'test'
  const addresses = listCopyAddresses(item, itemContacts, batch)
  const ccAddresses = addresses.filter(({ as }) => as === 'cc').map(({ address }) => address)
  const sendRequest = { ...request, ...(ccAddresses.length > 0 && { cc: ccAddresses }) }
  const { origin = { type: 'api' }, ...requesterFields } = asker ?? {}
  return {
    ...requesterFields,
    account,
    lane: isProof || item.urgent || action.settings.priority ? outboxLanes.urgent : outboxLanes.transactional,
    channel,
    kind,
    sending,
    version: templates.get(buildTemplateKey(item) ?? '') ?? batch.version,
    contact: recipient.id,
    address,
    stamp: buildItemStamp(item, newId, batch),
    request: sendRequest,
    notBefore: new Date(now),
    expiresAt: new Date(now + (item.waitMs ?? MAX_MESSAGE_WAIT_MS)),
    copies: addresses.map(({ address, contact }) => ({
      address,
      request: { ...sendRequest, ...(contact !== null && { copyTo: contact }) },
    })),
    execution: isProof
      ? null
      : {
          footprint: toFootprint(recipient),
          field: action.settings.field,
          origin,
          ...(routeOf && { rcs: routeOf(recipient) }),
        },
  }
}

/** Builds the message of one item, or returns the reason why it cannot. */
export function prepareExecutionItem(
  resolvedItem: ResolvedExecutionItem,
  batch: ExecutionBatch,
): ItemPreparationResult {
  const { item, named: itemContacts } = resolvedItem
  const { recipient } = itemContacts
  if (!recipient) return { type: 'error', value: { type: 'recipient not found', recipient: item.recipient } }
  const error = findItemError(item, itemContacts)
  if (error) return error
  const parsedAttachments = parseAttachments(item.attachments ?? [], batch.places)
  if ('message' in parsedAttachments) return { type: 'error', value: parsedAttachments }
  const send = buildSendRequest(
    resolvedItem,
    recipient,
    buildMessageRequest(item, itemContacts, parsedAttachments.attachments),
    batch,
  )
  return { type: 'message', contact: recipient, send }
}
