import type { GuardedRequest, Reach } from '../../lib/guarded-client.ts'

/** A request that follows no redirect. */
export type TransportRequest = Omit<GuardedRequest, 'redirects'>

/** What every connection needs to know. */
export interface TransportContext {
  reach: Reach
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string | undefined
  /** Connections to one origin over HTTP/1.1. */
  concurrency: number
}
