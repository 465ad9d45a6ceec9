/** What a gateway carries. A gateway row has exactly one. */
export type Channel = 'email' | 'sms' | 'rcs' | 'notification'

/** The SMTP envelope. `from` may be empty: the null reverse-path `<>`. */
export interface Envelope {
  from: string
  to: string
}

/** Whose message it is, for gateways that keep it where people look. */
export interface MailOrigin {
  account: number
  action: number
  stamp: string
}

/** One composed message, ready for the wire. */
export interface OutgoingMail {
  /** The message row. */
  id: number
  envelope: Envelope
  /** The message with CRLF line ends, whole or in pieces that follow each other; dots are not stuffed. */
  bytes: Uint8Array | readonly Uint8Array[]
  /** Its header holds an address that only a peer with SMTPUTF8 may see (RFC 6531). */
  smtputf8?: boolean
  origin?: MailOrigin
}

/** Where in the dialogue something happened: the address of the sender, of the contact, or the content. */
export type Stage = 'connect' | 'mail' | 'rcpt' | 'data'

/** The remote took responsibility. `reference` is its own name of the message, else the text of its reply. */
export interface Accepted {
  id: number
  result: 'accepted'
  reference: string
  reply: string
  mta: string
}

/** Not now: a 4xx reply, or the connection ended before the body was begun. Trying again is safe. */
export interface Deferred {
  id: number
  result: 'deferred'
  stage: Stage
  reply: string
  /** Absent when no reply came. */
  code?: number
  /** RFC 3463; absent when no reply came. */
  enhanced?: string
  mta: string
  retryAfterMs?: number
}

/** Never: a 5xx reply, or an envelope that may not be given to this remote (then `mta` is empty). */
export interface Refused {
  id: number
  result: 'refused'
  stage: Stage
  reply: string
  code: number
  /** RFC 3463, `x.0.0` when the remote gave none. */
  enhanced: string
  mta: string
}

/** The body was begun and no final reply came: the remote may have it or not. */
export interface Doubtful {
  id: number
  result: 'doubtful'
  reason: string
  mta: string
}

/** What became of one message. Always a value: a gateway throws nothing about a message. */
export type Outcome = Accepted | Deferred | Refused | Doubtful

/** How a sender follows a batch. The calls are synchronous and must not wait. */
export interface SendListener {
  /** Once aborted nothing more is taken; what was taken is finished. */
  signal?: AbortSignal
  /**
   * Called before the first byte of a message's body leaves: the place for a journal. When it throws, that
   * message is deferred and its body stays here.
   */
  beforeBody?(id: number): void
  /** Called exactly once for every message taken, at the moment its outcome is known, in any order. */
  outcome(outcome: Outcome): void
}

/** Why a gateway took no more of a batch. `down` is nobody's fault but the gateway's: no message is to blame. */
export interface Stop {
  why: 'aborted' | 'down'
  detail: string
  /** How long the gateway itself means to wait before it tries again. */
  retryAfterMs?: number
}

/** `taken` messages, the first ones of the batch, had an outcome; the others, if there were any, were not begun. */
export interface SendResult {
  taken: number
  stop?: Stop
}

/** An answer for `doctor` and for whoever sets a gateway up. */
export interface Check {
  ok: boolean
  detail: string
}

/**
 * The one port through which mail leaves.
 *
 * `send` takes from the batch when a connection is free, so a generator composes each message at the last moment and
 * memory stays flat. It may be called again while earlier batches run: they share the connections and take turns, and
 * a small urgent batch does not wait behind a long one. It resolves when every message taken has its outcome.
 */
export interface Gateway {
  readonly name: string
  readonly kind: string
  readonly channel: Channel
  send(batch: Iterable<OutgoingMail>, listener: SendListener): Promise<SendResult>
  /** Tries to reach the remote without sending anything. */
  check(): Promise<Check>
  /** Takes no more, gives what is under way 5 s or so, then cuts. Every message taken still gets its outcome. */
  close(graceMs?: number): Promise<void>
}
