import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { RateLimiter } from '../gateway.ts'
import type { TransportContext } from '../http2/request.ts'
import type { SharedSuspensions } from '../requests/rests.ts'
import type { SharedTokenSources } from '../requests/tokens.ts'

/** Services of the program that a push gateway uses. */
export interface PushGatewayContext {
  clock: Clock
  reach: OutboundPolicy
  /** Shares tokens with other gateways of the same credentials. Absent: the gateway has its own. */
  tokens?: SharedTokenSources
  /** Shares speeds with other senders. Absent: the gateway has its speed for itself. */
  limiter?: RateLimiter
  /** Rests after refused credentials that all senders keep. Absent: the gateway keeps its own. */
  rests?: SharedSuspensions
  /** Push hosts of browsers. Absent: the known ones. */
  pushHosts?: readonly string[]
  /** A clock that runs evenly, in milliseconds. */
  ticks?: () => number
  /** Monitoring options of connections. */
  connections?: Pick<TransportContext, 'pingMs' | 'pingAnswerMs' | 'idleMs' | 'maxSessions'>
  /** Time limit for an answer. */
  answerMs?: number
}

export const PUSH_ANSWER_TIMEOUT_MS = 10_000

const MAX_TTL_SECONDS = 28 * 86_400

/** Returns the remaining lifetime of a push in whole seconds, from 0 to 28 days. Times are in milliseconds. */
export function getPushTtlSeconds(expiresAt: number, now: number): number {
  return Math.min(Math.max(Math.floor((expiresAt - now) / 1000), 0), MAX_TTL_SECONDS)
}
