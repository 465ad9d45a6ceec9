import type { OutboundPolicy, OutboundRequest } from '../../lib/net/guarded-client.ts'
import { NoAnswerError } from '../../lib/net/guarded-client.ts'

/** A request that follows no redirect. `timeoutMs` is from its first octet to the last one of the answer. */
export interface TransportRequest extends Omit<OutboundRequest, 'redirects'> {
  /** Called once, when there is a connection and before the first octet leaves. What it throws ends the request. */
  beforeWrite?: () => Promise<unknown>
}

/** Settings common to all connections. */
export interface TransportContext {
  reach: OutboundPolicy
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string | undefined
  /** The certificate to show and its key, as PKCS #12. */
  identity?: { pfx: Buffer; passphrase: string } | undefined
  /** Connections to one origin over HTTP/1.1. */
  concurrency: number
  /** Connections to one origin over HTTP/2. Absent: 4. */
  maxSessions?: number
  /** Interval at which an HTTP/2 connection is pinged, and the time limit for the answer. */
  pingMs?: number
  pingAnswerMs?: number
  /** So long an HTTP/2 connection is kept without a request. */
  idleMs?: number
}

/** No whole answer came. Not written: the far side cannot have acted on the request. */
export class UnansweredRequest extends NoAnswerError {
  readonly isWritten: boolean

  constructor(reason: string, isWritten: boolean) {
    super(reason)
    this.isWritten = isWritten
  }
}

/** The far side says that it did not act on the request: it may be sent again on another connection. */
export class UnprocessedRequest extends Error {}
