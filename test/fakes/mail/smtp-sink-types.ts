export type SinkStage = 'connect' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'final' | 'rset'

/** Where a dialogue is when the sink asks how to behave. `body`: the first octets of a message are there. */
export interface SinkEvent {
  stage: SinkStage
  /** The address of RCPT, of the first one at later stages; that of MAIL at `mail`. */
  address: string
  /** How often RCPT was said for this address so far, from 1 on; 0 before RCPT. */
  attempt: number
  /** Number of the connection, from 1 on, and of the message in it. */
  connection: number
  message: number
}

/**
 * undefined: as a good server does. A reply; `afterMs` later. Anything at all, as it is, and with `isLast` nothing after it. The connection ends at once,
 * or nothing more is ever said or read.
 */
export type SinkAnswer =
  | undefined
  | { code: number; text: string; afterMs?: number }
  | { raw: string; isLast?: true }
  | 'drop'
  | 'stall'

export interface SinkMessage {
  from: string
  to: string[]
  /** What followed the address of MAIL: `SIZE=100 BODY=8BITMIME`. */
  parameters: string
  /** Empty with keep `count`. */
  bytes: Buffer
  octets: number
  connection: number
}

export interface SinkOptions {
  port?: number
  host?: string
  behave?: (event: SinkEvent) => SinkAnswer
  /** `bytes` (default) keeps every message in `messages`, `pass` only shows it to `onMessage`, `count` reads none. */
  keep?: 'bytes' | 'pass' | 'count'
  /** Called for every message taken, before the reply to it leaves. */
  onMessage?: (message: SinkMessage) => void
  /** How long the reply to a message is kept back once it was taken, in milliseconds. */
  replyAfterMs?: () => number
  /** All true but chunking. */
  pipelining?: boolean
  eightBitMime?: boolean
  smtputf8?: boolean
  chunking?: boolean
  /** Octets a message may have; 0: said without a number. */
  size?: number
  /** PEM. `starttls` offers it, `implicit` begins with it. */
  tls?: { key: string; cert: string; mode: 'starttls' | 'implicit' }
  /** AUTH PLAIN and LOGIN are offered, and MAIL is refused without them. */
  credentials?: { username: string; password: string }
}

export interface SinkCounters {
  connections: number
  messages: number
  octets: number
  refused: number
  /** Commands that came before the reply they had to wait for: PIPELINING was not offered. */
  impatient: number
  /** TLS handshakes done, and how many of them resumed a session. */
  handshakes: number
  resumed: number
}
