import { createHmac, timingSafeEqual } from 'node:crypto'

type JsonMembers = Record<string, unknown>

/** A request to the webhook. `data`: the decoded octets that are signed; `undefined` if there are none. */
export type RcsWebhookRequest =
  | { kind: 'handshake'; clientToken: string; secret: string }
  | { kind: 'event'; data: Buffer; attributes: Readonly<Record<string, string>> }

interface CommonEventData {
  /** The agent that it is about. */
  agent: string
  /** By which a repetition is known, together with agent, message and kind. */
  eventId: string
  /** Time of the event in milliseconds; null if unknown. */
  at: number | null
}

/** An action of a phone. */
interface PhoneEventData extends CommonEventData {
  /** E.164. */
  phone: string
}

/** An event of the webhook. `messageId`: of the agent's message that it is about. */
export type RcsWebhookEvent =
  | (PhoneEventData & { kind: 'delivered' | 'read'; messageId: string })
  | (PhoneEventData & { kind: 'typing' | 'subscribe' | 'unsubscribe' })
  | (PhoneEventData & { kind: 'text'; text: string })
  | (PhoneEventData & { kind: 'file'; file: RcsReceivedFile })
  | (PhoneEventData & { kind: 'location'; latitude: number; longitude: number })
  | (PhoneEventData & { kind: 'suggestion'; type: 'reply' | 'action'; text: string; postback: string })
  | (PhoneEventData & { kind: 'expired'; messageId: string; revoked: boolean })
  | { kind: 'unknown'; name: string; agent: string | null }

/** A file that a phone sent; null where nothing is said. */
export interface RcsReceivedFile {
  uri: string
  name: string | null
  mimeType: string | null
  bytes: number | null
}

const MAX_NAME_LENGTH = 60

function asObject(value: unknown): JsonMembers | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined
}

function parseJsonObject(bytes: Buffer): JsonMembers | undefined {
  try {
    return asObject(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads the body of a request; undefined when it is neither a handshake nor an event. */
export function parseRcsWebhook(body: Buffer): RcsWebhookRequest | undefined {
  const { clientToken, secret, message } = parseJsonObject(body) ?? {}
  const pushedMessage = asObject(message)
  const data = asText(pushedMessage?.['data'])
  if (data !== undefined) {
    const attributes = Object.entries(asObject(pushedMessage?.['attributes']) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return { kind: 'event', data: Buffer.from(data, 'base64'), attributes: Object.fromEntries(attributes) }
  }
  if (typeof clientToken === 'string' && typeof secret === 'string') return { kind: 'handshake', clientToken, secret }
  return undefined
}

/** Compares in a time that says nothing of either text, not even of their lengths. */
function areEqualInConstantTime(firstValue: string | Buffer, secondValue: string | Buffer): boolean {
  const computeDigest = (value: string | Buffer) => createHmac('sha256', 'compared').update(value).digest()
  return timingSafeEqual(computeDigest(firstValue), computeDigest(secondValue))
}

/** Returns true if a handshake contains the agent's client token. Compares in constant time. */
export function isRcsHandshakeValid(
  clientToken: string,
  { clientToken: receivedToken }: { clientToken: string },
): boolean {
  return areEqualInConstantTime(clientToken, receivedToken)
}

/** Returns true if `signature`, the X-Goog-Signature header, matches the decoded data: base64 of HMAC-SHA512. Compares in constant time. */
export function isRcsSignatureValid(clientToken: string, data: Buffer, signature: string | undefined): boolean {
  if (signature === undefined) return false
  const expected = createHmac('sha512', clientToken).update(data).digest('base64')
  return areEqualInConstantTime(expected, signature.trim())
}

function parseTime(value: unknown): number | null {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(timeMs) ? null : timeMs
}

const userEventKinds: Readonly<Record<string, 'typing' | 'subscribe' | 'unsubscribe'>> = {
  IS_TYPING: 'typing',
  SUBSCRIBE: 'subscribe',
  UNSUBSCRIBE: 'unsubscribe',
}

const deliveryKinds: Readonly<Record<string, 'delivered' | 'read'>> = { DELIVERED: 'delivered', READ: 'read' }

const expirationOutcomes: Readonly<Record<string, boolean>> = {
  TTL_EXPIRATION_REVOKED: true,
  TTL_EXPIRATION_REVOKE_FAILED: false,
}

function getOwnValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function parseTypedEvent(
  common: PhoneEventData,
  type: string,
  messageId: string | undefined,
): RcsWebhookEvent | undefined {
  const userEventKind = getOwnValue(userEventKinds, type)
  if (userEventKind !== undefined) return { ...common, kind: userEventKind }
  if (messageId === undefined) return undefined
  const deliveryKind = getOwnValue(deliveryKinds, type)
  if (deliveryKind !== undefined) return { ...common, kind: deliveryKind, messageId }
  const isRevoked = getOwnValue(expirationOutcomes, type)
  return isRevoked === undefined ? undefined : { ...common, kind: 'expired', messageId, revoked: isRevoked }
}

function parseReceivedFile(value: unknown): RcsReceivedFile | undefined {
  // The file is in `payload`, next to its thumbnail.
  const { fileUri, fileName, mimeType, fileSizeBytes } = asObject(asObject(value)?.['payload']) ?? {}
  const uri = asText(fileUri)
  if (uri === undefined) return undefined
  const bytes = Number(fileSizeBytes ?? Number.NaN)
  return {
    uri,
    name: asText(fileName) ?? null,
    mimeType: asText(mimeType) ?? null,
    bytes: Number.isSafeInteger(bytes) ? bytes : null,
  }
}

/** A tap. Of an action some networks send no type, and no text. */
function parseSuggestion(common: PhoneEventData, value: unknown): RcsWebhookEvent | undefined {
  const { type, text, postbackData } = asObject(value) ?? {}
  const postback = asText(postbackData)
  if (postback === undefined) return undefined
  return {
    ...common,
    kind: 'suggestion',
    type: type === 'REPLY' ? 'reply' : 'action',
    text: asText(text) ?? '',
    postback,
  }
}

function parseMessage(common: PhoneEventData, eventBody: JsonMembers): RcsWebhookEvent | undefined {
  const text = asText(eventBody['text'])
  if (eventBody['suggestionResponse'] !== undefined) return parseSuggestion(common, eventBody['suggestionResponse'])
  if (text !== undefined) return { ...common, kind: 'text', text }
  const file = parseReceivedFile(eventBody['userFile'])
  if (file !== undefined) return { ...common, kind: 'file', file }
  const sharedLocation = asObject(eventBody['location'])
  if (sharedLocation === undefined) return undefined
  // What is zero may be left out of the JSON of protocol buffers.
  const [latitude, longitude] = [Number(sharedLocation['latitude'] ?? 0), Number(sharedLocation['longitude'] ?? 0)]
  return Number.isFinite(latitude + longitude) ? { ...common, kind: 'location', latitude, longitude } : undefined
}

/** The name under which what is not known is counted: a word of the far side, never what a person wrote. */
function chooseUnknownName(eventBody: JsonMembers, attributes: Readonly<Record<string, string>>): string {
  const name =
    asText(eventBody['eventType']) ?? getOwnValue(attributes, 'type') ?? getOwnValue(attributes, 'event_type')
  if (name !== undefined) return /^[A-Za-z0-9_.-]+$/.test(name) ? name.slice(0, MAX_NAME_LENGTH) : 'malformed'
  return 'unnamed'
}

/**
 * Reads the decoded data of an event. What is not known, or lacks what it must have, is `unknownEvent` with its name;
 * undefined: it is no JSON object.
 */
export function parseRcsEvent({
  data,
  attributes,
}: Extract<RcsWebhookRequest, { kind: 'event' }>): RcsWebhookEvent | undefined {
  const eventBody = parseJsonObject(data)
  if (eventBody === undefined) return undefined
  const agent = asText(eventBody['agentId'])
  const phone = asText(eventBody['senderPhoneNumber']) ?? asText(eventBody['phoneNumber'])
  const messageId = asText(eventBody['messageId'])
  const type = asText(eventBody['eventType'])
  const eventId = asText(eventBody['eventId']) ?? messageId
  const unknownEvent: RcsWebhookEvent = {
    kind: 'unknown',
    name: chooseUnknownName(eventBody, attributes),
    agent: agent ?? null,
  }
  if (agent === undefined || phone === undefined || eventId === undefined) return unknownEvent
  const commonData: PhoneEventData = { agent, phone, eventId, at: parseTime(eventBody['sendTime']) }
  return (
    (type === undefined ? parseMessage(commonData, eventBody) : parseTypedEvent(commonData, type, messageId)) ??
    unknownEvent
  )
}
