import type { StoredAttachment } from '../../../channels/email/attachments.ts'
import type { SendingChannelName } from '../../../channels/facts.ts'
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
import type { ActionExecutionResult, RequestedItem } from './item-schemas.ts'
import type { AddressedItem, ItemContacts } from './recipients.ts'

/** Bytes of `data` of one item, as JSON. */
const MAX_DATA_BYTES = 256 * 1024

/** What the items of one request share. */
export interface ExecutionBatch {
  account: AccountId
  channel: SendingChannelName
  kind: 'message' | 'test'
  sending: number | OnDemandSource
  /** Where all messages go in place of the contacts' own addresses; null: nowhere else. */
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
  /** Where attachments may be fetched from. */
  places: AttachmentSources
  /** What executions of a rich message say of the way it goes; absent: it is none. */
  routeOf?: ((recipient: FoundContact) => RcsRoute) | undefined
}

/** A message to be requested, with the contact it goes to. */
export interface PreparedExecutionItem {
  type: 'message'
  contact: FoundContact
  send: SendRequest
}

/** What an item comes to; an error is the item's own, and keeps none of the others from being sent. */
export type ItemPreparationResult = Extract<ActionExecutionResult, { type: 'error' }> | PreparedExecutionItem

/** The stamp of an item; `newId` is for one that names none. */
function stampOf({ stamp }: RequestedItem, newId: string, { set, now }: ExecutionBatch): MessageStamp {
  const given = (id: string | null | undefined) => (id == null ? undefined : parseUuid(id))
  const id = given(stamp?.id) ?? newId
  return { id, thread: given(stamp?.thread) ?? id, set: given(stamp?.set) ?? set, time: stamp?.time ?? now }
}

/** An object without its members that are null or undefined; undefined when none is left. */
function filled<T extends object>(object: T | null | undefined) {
  const members = Object.entries(object ?? {}).filter(([, value]) => value != null)
  return members.length === 0 ? undefined : (Object.fromEntries(members) as { [K in keyof T]: NonNullable<T[K]> })
}

/** What a message keeps of its item. */
function requestOf(item: RequestedItem, named: ItemContacts, attachments: StoredAttachment[]): MessageRequest {
  const { data, variables, blocks, headers, subject, content, important } = item
  const from = filled(headers?.from)
  return {
    ...filled({ data, blocks, subject, important }),
    ...(variables && { variables: Object.fromEntries(variables.map(({ key, value }) => [key, value])) }),
    ...(named.related && { related: named.related.id }),
    ...((from || headers?.reply) && {
      headers: { ...(from && { from }), ...(headers?.reply && { reply: headers.reply }) },
    }),
    ...(content && content.type !== 'template' && { content: { ...filled(content), type: 'inline' } }),
    ...(attachments.length > 0 && { attachments }),
  }
}

interface CopyAddress {
  address: string
  as: 'cc' | 'bcc'
  contact: number | null
}

/** The copies that have somewhere to go; unknown and excluded contacts, empty and broken addresses are left out. */
function copyAddresses(
  { copies }: RequestedItem,
  named: ItemContacts,
  { action, excluded }: ExecutionBatch,
): CopyAddress[] {
  return (copies ?? []).flatMap((copy, index) => {
    const contact = named.copies[index]
    const value = copy.type === 'address' ? copy.value.trim() : contact?.fields[String(action.settings.field)]
    const address = typeof value === 'string' ? parseMailAddress(value) : undefined
    return address === undefined || (contact && excluded.has(contact.id))
      ? []
      : [{ address, as: copy.as ?? 'cc', contact: contact?.id ?? null }]
  })
}

/** What is wrong with one item though the request is sound; undefined when nothing is. */
function errorOf(
  { related, data }: AddressedItem,
  named: ItemContacts,
): Extract<ItemPreparationResult, { type: 'error' }> | undefined {
  if (related && !named.related) return { type: 'error', value: { type: 'related not found', related } }
  if (data != null && Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) {
    return { type: 'error', value: { type: 'data', message: 'data may have 256 KiB as JSON' } }
  }
  return undefined
}

/** Who asks for a send, and the places that its message holds from the beginning. */
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

function sendOf(
  { item, named, newId, asker }: ResolvedExecutionItem,
  recipient: FoundContact,
  request: MessageRequest,
  batch: ExecutionBatch,
): SendRequest {
  const { account, channel, kind, sending, address, action, templates, now, routeOf } = batch
  const isProof = kind === 'test'
  const addresses = copyAddresses(item, named, batch)
  const cc = addresses.filter(({ as }) => as === 'cc').map(({ address }) => address)
  const sent = { ...request, ...(cc.length > 0 && { cc }) }
  const { origin = { type: 'api' }, ...held } = asker ?? {}
  return {
    ...held,
    account,
    lane: isProof || item.urgent || action.settings.priority ? outboxLanes.urgent : outboxLanes.transactional,
    channel,
    kind,
    sending,
    version: templates.get(buildTemplateKey(item) ?? '') ?? batch.version,
    contact: recipient.id,
    address,
    stamp: stampOf(item, newId, batch),
    request: sent,
    notBefore: new Date(now),
    expiresAt: new Date(now + (item.waitMs ?? MAX_MESSAGE_WAIT_MS)),
    copies: addresses.map(({ address, contact }) => ({
      address,
      request: { ...sent, ...(contact !== null && { copyTo: contact }) },
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

/** Makes one item's message, or says why there is none. */
export function prepareExecutionItem(given: ResolvedExecutionItem, batch: ExecutionBatch): ItemPreparationResult {
  const { item, named } = given
  const { recipient } = named
  if (!recipient) return { type: 'error', value: { type: 'recipient not found', recipient: item.recipient } }
  const error = errorOf(item, named)
  if (error) return error
  const read = parseAttachments(item.attachments ?? [], batch.places)
  if ('message' in read) return { type: 'error', value: read }
  const send = sendOf(given, recipient, requestOf(item, named, read.attachments), batch)
  return { type: 'message', contact: recipient, send }
}
