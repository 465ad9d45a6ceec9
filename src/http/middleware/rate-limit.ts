import type { FastifyReply } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'
import { formatCount } from '../../lib/text/nouns.ts'

/** The caller that a rate limit applies to, and its rate. */
export interface RateLimitedCaller {
  /** The number of a key, or the id of a person. */
  id: number | string
  ratePerSecond: number
  rateBurst: number
}

interface TokenBucket {
  tokens: number
  filledAt: number
}

/**
 * A token bucket per key or person, in memory: each process has its own. The answer takes one token and writes the
 * X-RateLimit headers; a rate of 0 means no limit and no headers. It throws 429 with Retry-After (seconds) when
 * the bucket is empty. Instants are milliseconds.
 */
export function createRateLimiter(): (reply: FastifyReply, spender: RateLimitedCaller, now: number) => void {
  const buckets = new Map<number | string, TokenBucket>()
  return (reply, { id, ratePerSecond, rateBurst }, now) => {
    if (ratePerSecond === 0) return
    const bucket = buckets.get(id) ?? { tokens: rateBurst, filledAt: now }
    buckets.set(id, bucket)
    const refilledTokens = Math.min(
      rateBurst,
      bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * ratePerSecond,
    )
    const isAllowed = refilledTokens >= 1
    bucket.tokens = isAllowed ? refilledTokens - 1 : refilledTokens
    bucket.filledAt = now
    reply.header('x-ratelimit-limit', rateBurst)
    reply.header('x-ratelimit-remaining', Math.floor(bucket.tokens))
    reply.header('x-ratelimit-reset', Math.ceil((rateBurst - bucket.tokens) / ratePerSecond))
    if (isAllowed) return
    const waitSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / ratePerSecond))
    throw new Problem(
      429,
      'rate-limit',
      `You can send at most ${ratePerSecond} requests per second. Try again in ${formatCount(waitSeconds, 'second')}.`,
      {
        headers: { 'retry-after': String(waitSeconds) },
      },
    )
  }
}
