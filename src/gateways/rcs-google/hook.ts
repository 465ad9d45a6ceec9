import { createHmac, timingSafeEqual } from 'node:crypto'

type Words = Record<string, unknown>

/** What a request to the webhook is. `data`: the decoded octets that are signed; undefined: it is none. */
export type RcsWebhookRequest =
  | { kind: 'handshake'; clientToken: string; secret: string }
  | { kind: 'event'; data: Buffer; attributes: Readonly<Record<string, string>> }

interface Common {
  /** The agent that it is about. */
  agent: string
  /** By which a repetition is known, together with agent, message and kind. */
  eventId: string
  /** When it happened, milliseconds; null when it does not say. */
  at: number | null
}

/** What a phone did. */
interface FromPhone extends Common {
  /** E.164. */
  phone: string
}

/** An event of the webhook. `messageId`: of the agent's message that it is about. */
export type RcsWebhookEvent =
  | (FromPhone & { kind: 'delivered' | 'read'; messageId: string })
  | (FromPhone & { kind: 'typing' | 'subscribe' | 'unsubscribe' })
  | (FromPhone & { kind: 'text'; text: string })
  | (FromPhone & { kind: 'file'; file: RcsReceivedFile })
  | (FromPhone & { kind: 'location'; latitude: number; longitude: number })
  | (FromPhone & { kind: 'suggestion'; type: 'reply' | 'action'; text: string; postback: string })
  | (FromPhone & { kind: 'expired'; messageId: string; revoked: boolean })
  | { kind: 'unknown'; name: string; agent: string | null }

/** A file that a phone sent; null where nothing is said. */
export interface RcsReceivedFile {
  uri: string
  name: string | null
  mimeType: string | null
  bytes: number | null
}

const MAX_NAME = 60

function objectOf(value: unknown): Words | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Words) : undefined
}

function parse(bytes: Buffer): Words | undefined {
  try {
    return objectOf(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads the body of a request; undefined when it is neither a handshake nor an event. */
export function parseRcsWebhook(body: Buffer): RcsWebhookRequest | undefined {
  const { clientToken, secret, message } = parse(body) ?? {}
  const pushed = objectOf(message)
  const data = textOf(pushed?.['data'])
  if (data !== undefined) {
    const attributes = Object.entries(objectOf(pushed?.['attributes']) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return { kind: 'event', data: Buffer.from(data, 'base64'), attributes: Object.fromEntries(attributes) }
  }
  if (typeof clientToken === 'string' && typeof secret === 'string') return { kind: 'handshake', clientToken, secret }
  return undefined
}

/** Compares in a time that says nothing of either text, not even of their lengths. */
function areEqual(one: string | Buffer, other: string | Buffer): boolean {
  const digest = (value: string | Buffer) => createHmac('sha256', 'compared').update(value).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** Whether a handshake names the client token of the agent, in constant time. */
export function isRcsHandshakeValid(clientToken: string, { clientToken: given }: { clientToken: string }): boolean {
  return areEqual(clientToken, given)
}

/** Whether `signature`, the header X-Goog-Signature, is that of the decoded data: base64 of HMAC-SHA512. In constant time. */
export function isRcsSignatureValid(clientToken: string, data: Buffer, signature: string | undefined): boolean {
  if (signature === undefined) return false
  const expected = createHmac('sha512', clientToken).update(data).digest('base64')
  return areEqual(expected, signature.trim())
}

function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

const userEvents: Readonly<Record<string, 'typing' | 'subscribe' | 'unsubscribe'>> = {
  IS_TYPING: 'typing',
  SUBSCRIBE: 'subscribe',
  UNSUBSCRIBE: 'unsubscribe',
}

const deliveries: Readonly<Record<string, 'delivered' | 'read'>> = { DELIVERED: 'delivered', READ: 'read' }

const expirations: Readonly<Record<string, boolean>> = {
  TTL_EXPIRATION_REVOKED: true,
  TTL_EXPIRATION_REVOKE_FAILED: false,
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function eventOf(common: FromPhone, type: string, messageId: string | undefined): RcsWebhookEvent | undefined {
  const plain = own(userEvents, type)
  if (plain !== undefined) return { ...common, kind: plain }
  if (messageId === undefined) return undefined
  const delivery = own(deliveries, type)
  if (delivery !== undefined) return { ...common, kind: delivery, messageId }
  const revoked = own(expirations, type)
  return revoked === undefined ? undefined : { ...common, kind: 'expired', messageId, revoked }
}

function fileOf(value: unknown): RcsReceivedFile | undefined {
  // The file stands in `payload`, beside its thumbnail.
  const { fileUri, fileName, mimeType, fileSizeBytes } = objectOf(objectOf(value)?.['payload']) ?? {}
  const uri = textOf(fileUri)
  if (uri === undefined) return undefined
  const bytes = Number(fileSizeBytes ?? Number.NaN)
  return {
    uri,
    name: textOf(fileName) ?? null,
    mimeType: textOf(mimeType) ?? null,
    bytes: Number.isSafeInteger(bytes) ? bytes : null,
  }
}

/** A tap. Of an action some networks send no type, and no text. */
function suggestionOf(common: FromPhone, value: unknown): RcsWebhookEvent | undefined {
  const { type, text, postbackData } = objectOf(value) ?? {}
  const postback = textOf(postbackData)
  if (postback === undefined) return undefined
  return {
    ...common,
    kind: 'suggestion',
    type: type === 'REPLY' ? 'reply' : 'action',
    text: textOf(text) ?? '',
    postback,
  }
}

function messageOf(common: FromPhone, said: Words): RcsWebhookEvent | undefined {
  const text = textOf(said['text'])
  if (said['suggestionResponse'] !== undefined) return suggestionOf(common, said['suggestionResponse'])
  if (text !== undefined) return { ...common, kind: 'text', text }
  const file = fileOf(said['userFile'])
  if (file !== undefined) return { ...common, kind: 'file', file }
  const place = objectOf(said['location'])
  if (place === undefined) return undefined
  // What is zero may be left out of the JSON of protocol buffers.
  const [latitude, longitude] = [Number(place['latitude'] ?? 0), Number(place['longitude'] ?? 0)]
  return Number.isFinite(latitude + longitude) ? { ...common, kind: 'location', latitude, longitude } : undefined
}

/** The name under which what is not known is counted: a word of the far side, never what a person wrote. */
function nameOf(said: Words, attributes: Readonly<Record<string, string>>): string {
  const name = textOf(said['eventType']) ?? own(attributes, 'type') ?? own(attributes, 'event_type')
  if (name !== undefined) return /^[A-Za-z0-9_.-]+$/.test(name) ? name.slice(0, MAX_NAME) : 'malformed'
  return 'unnamed'
}

/**
 * Reads the decoded data of an event. What is not known, or lacks what it must have, is `unknown` with its name;
 * undefined: it is no JSON object.
 */
export function parseRcsEvent({
  data,
  attributes,
}: Extract<RcsWebhookRequest, { kind: 'event' }>): RcsWebhookEvent | undefined {
  const said = parse(data)
  if (said === undefined) return undefined
  const agent = textOf(said['agentId'])
  const phone = textOf(said['senderPhoneNumber']) ?? textOf(said['phoneNumber'])
  const messageId = textOf(said['messageId'])
  const type = textOf(said['eventType'])
  const eventId = textOf(said['eventId']) ?? messageId
  const unknown: RcsWebhookEvent = { kind: 'unknown', name: nameOf(said, attributes), agent: agent ?? null }
  if (agent === undefined || phone === undefined || eventId === undefined) return unknown
  const common: FromPhone = { agent, phone, eventId, at: timeOf(said['sendTime']) }
  return (type === undefined ? messageOf(common, said) : eventOf(common, type, messageId)) ?? unknown
}
