import type { SmsEncoding } from '../lib/text/sms.ts'
import type { DeliveryKey, MessageDelivery } from './delivery.ts'
import type { MessageOrigin } from './origin.ts'
import type { OutgoingPush } from './push-message.ts'
import type { OutgoingRcs } from './rcs-message.ts'
import type { TrafficShaping } from './shaping.ts'

export { type DeliveryKey, getDeliveryKey, type NamedGatewayKey } from './delivery.ts'
export type { ClosedDestination, DestinationState, ShapingOrders, TrafficShaping } from './shaping.ts'
export type { MessageOrigin }

/** Channels that gateways carry. */
export const gatewayChannelNames = ['email', 'sms', 'rcs', 'notification'] as const

/** The channel of a gateway. A gateway row has exactly one. */
export type GatewayChannelName = (typeof gatewayChannelNames)[number]

/** The SMTP envelope. `from` may be empty: the null reverse-path `<>`. */
export interface SmtpEnvelope {
  from: string
  to: string
}

/** One composed message, ready for the wire. */
export interface OutgoingMail extends MessageDelivery {
  envelope: SmtpEnvelope
  /** The message with CRLF line ends, whole or in pieces that follow each other; dots are not stuffed. */
  bytes: Uint8Array | readonly Uint8Array[]
  /** Its composer guarantees lines of 7 bits that end in CRLF, the last one too, and do not start with a dot. */
  isPlain?: boolean
  /** Its header holds an address that may be sent only to a server with SMTPUTF8 (RFC 6531). */
  smtputf8?: boolean
  /** Domain of its From. */
  domain?: string
  /** One of a campaign: scheduled apart from messages sent on demand. */
  isBulk?: boolean
  /** It holds a link that lets somebody in: where it is captured, operators alone see it. */
  isConfidential?: boolean
  origin?: MessageOrigin
}

/** One SMS, ready for a network. The gateway splits it into segments (src/lib/text/sms.ts counts the same). */
export interface OutgoingSms extends MessageDelivery {
  /** E.164 with its plus sign. */
  to: string
  /** A number with its plus sign, a short code of digits, or up to 11 letters, digits and blanks. */
  from: string
  text: string
  /** `gsm7` only when every character fits (3GPP TS 23.038). */
  encoding: SmsEncoding
  /** Milliseconds since 1970: the network forgets it then. Absent: the gateway's own validity. */
  expiresAt?: number
  origin?: MessageOrigin
}

/**
 * Limits of a sending domain while it warms up. `take` answers 0 when one more message may be sent to the destination,
 * else for how long none may (milliseconds); what was taken and not used is given back.
 */
export interface DomainWarmUp {
  take(origin: MessageOrigin, domain: string, destination: string): Promise<number>
  giveBack(origin: MessageOrigin, domain: string, destination: string): void
}

/** Rates that all senders keep together. Keys are those of gateways' settings: unique in the installation. */
export interface RateLimiter {
  /** Resolves when one more message may be sent for a key with a limit of `perSecond`; rejects if it is aborted while waiting. */
  take(key: string, perSecond: number, signal?: AbortSignal): Promise<void>
  /** Halves the rate of a key for so long (milliseconds). */
  slow(key: string, forMs: number): Promise<void>
}

/** A message of any channel; a gateway gets only those of its own. */
export type OutgoingMessage = OutgoingMail | OutgoingSms | OutgoingRcs | OutgoingPush

/**
 * Stage of the dialogue at which a refusal occurred: the address of the sender, of the contact, or the content. `connect` and `mail` are
 * caused by our own settings, not by the contact.
 */
export type SendStage = 'connect' | 'mail' | 'rcpt' | 'data'

/** The delivery that an outcome belongs to. */
interface DeliveryReference {
  id: number
  /** Absent: 0. */
  sequence?: number
}

/** The remote took responsibility. `reference` is its id of the message, else the text of its reply. */
export interface AcceptedDelivery extends DeliveryReference {
  result: 'accepted'
  reference: string
  /** An SMS that went in several submissions: the reference of each, in order; `reference` is the first of them. */
  references?: readonly string[]
  reply: string
  mta: string
  /** It has arrived, and no report of that will follow. */
  delivered?: true
}

/** Not now: a 4xx reply, or the connection ended before the body was sent. Trying again is safe. */
export interface DeferredDelivery extends DeliveryReference {
  result: 'deferred'
  stage: SendStage
  reply: string
  /** SMTP only; absent if no reply was received. */
  code?: number
  /** RFC 3463; absent when no reply came. */
  enhanced?: string
  mta: string
  retryAfterMs?: number
  /** The error code of a remote that is no mail server: `ESME_RTHROTTLED`. */
  gatewayCode?: string
  /** The destination, if the gateway shapes by destination. */
  destination?: string
}

/** Never: a 5xx reply, or an envelope that may not be given to this remote (then `mta` is empty). */
export interface RefusedDelivery extends DeliveryReference {
  result: 'refused'
  stage: SendStage
  reply: string
  /** SMTP only. */
  code?: number
  /** RFC 3463, `x.0.0` when the remote gave none. */
  enhanced: string
  mta: string
  /** The error code of a remote that is no mail server: `ESME_RINVDSTADR`. */
  gatewayCode?: string
  /** The device no longer exists; `timestamp` is when its push service noticed, in milliseconds since 1970. */
  deviceGone?: { timestamp?: number }
}

/** Outcome unknown: sending the body was started and no final reply came. The remote may have it or not. */
export interface DoubtfulDelivery extends DeliveryReference {
  result: 'doubtful'
  reason: string
  mta: string
}

/** Not sent, as its destination takes no more for now: to be given again later, without counting an attempt. */
export interface ReturnedDelivery extends DeliveryReference {
  result: 'returned'
  destination: string
  reason: string
  retryAfterMs: number
}

/** The result for one delivery. Always a value: a gateway throws nothing about a message. */
export type GatewayOutcome = AcceptedDelivery | DeferredDelivery | RefusedDelivery | DoubtfulDelivery | ReturnedDelivery

/** Callbacks that report the progress of a batch to its sender. The calls are synchronous and must not wait. */
export interface SendBatchListener {
  /** Once aborted no more is taken; what was taken is finished. */
  signal?: AbortSignal
  /**
   * Called before the first byte of a delivery's body leaves, of several at once where several are ready: the place for a
   * journal. When it throws, these are deferred and not sent.
   */
  beforeBody?(...deliveries: DeliveryKey[]): void
  /** Called exactly once for every delivery taken, at the moment its outcome is known, in any order. */
  outcome(outcome: GatewayOutcome): void
}

/** Why a gateway took no more of a batch. `down`: the remote cannot be used, whatever the message. */
export interface GatewayStop {
  why: 'aborted' | 'down'
  detail: string
  /** Time the gateway itself will wait before it tries again. */
  retryAfterMs?: number
}

/** `taken` messages, the first ones of the batch, had an outcome; the others, if any, were not sent. */
export interface SendBatchResult {
  taken: number
  stop?: GatewayStop
}

/** The result of a connection test, for `doctor` and the set-up of gateways. */
export interface GatewayCheckResult {
  ok: boolean
  detail: string
}

/** States of an SMS in the network, as SMPP 3.4 names them (appendix B). */
export const smsReceiptStates = [
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
] as const

export type SmsReceiptState = (typeof smsReceiptStates)[number]

/** A delivery receipt of one submission. */
export interface SmsReceipt {
  /** Equals one of the `references` (or the `reference`) of an Accepted of the same gateway. */
  reference: string
  state: SmsReceiptState
  /** The network's error: three digits of GSM MAP or of the receipt's text, or the code of an HTTP provider. Null: none. */
  error: string | null
  /** The contact's number, and what the message had been sent from; as in an OutgoingSms where the remote says it. */
  to: string
  from: string
  /** Time of receipt, in milliseconds. */
  time: number
  /** As it was received, one line, at most 2,000 characters. */
  diagnostic: string
}

/** An SMS from a contact, reassembled when it came in parts. */
export interface SmsReply {
  /** The remote's id of it; null: none. */
  id: string | null
  /** With a plus sign when the remote says it is international. */
  from: string
  to: string
  text: string
  /** Time of receipt (of its last part), in milliseconds. */
  time: number
}

/**
 * Stores receipts and replies. They are acknowledged to the remote when the promise is fulfilled, and redelivered when
 * it is rejected: the same value may come twice.
 */
export interface SmsInbox {
  onReceipt(gateway: string, receipt: SmsReceipt): Promise<void>
  onReply(gateway: string, reply: SmsReply): Promise<void>
}

/**
 * The one port through which messages leave.
 *
 * `send` takes from the batch when a connection is free, so a generator composes each message at the last moment and
 * memory stays flat. It may be called again while earlier batches run: they share the connections and take turns, and
 * a small urgent batch does not wait behind a long one. It resolves when every message taken has its outcome.
 */
export interface MessageGateway<Message extends OutgoingMessage = OutgoingMessage> {
  readonly name: string
  readonly kind: string
  readonly channel: GatewayChannelName
  /** True if the remote accepts a message only once, however often it is sent, as declared in the gateway's definition. Absent: false. */
  readonly isIdempotent?: boolean
  /** Absent: the gateway does not distinguish destinations. */
  readonly shaping?: TrafficShaping
  send(batch: Iterable<Message>, listener: SendBatchListener): Promise<SendBatchResult>
  /** Tries to reach the remote without sending anything. */
  check(): Promise<GatewayCheckResult>
  /** Takes no more, gives what is in flight 5 s or so, then disconnects. Every message taken still gets its outcome. */
  close(graceMs?: number): Promise<void>
}
