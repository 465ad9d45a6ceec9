import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { RateLimiter } from '../../gateways/gateway.ts'

/** Tokens are taken for so much time at once, and no more of them are kept for a key that rests. */
const BATCH_SECONDS = 0.1
/** While none are left, and while the database is away. */
const EMPTY_PAUSE_MS = 20
const UNAVAILABLE_PAUSE_MS = 1000

interface TokenRequest {
  key: string
  perSecond: number
  count: number
}

/** Computes the tokens that a rate produces in the time of a batch; at least one, so that slow rates have any. */
function computeBatchTokens(perSecond: number): number {
  return Math.max(1, perSecond * BATCH_SECONDS)
}

/**
 * Takes tokens of several keys in one statement; gives how many of each. The clock is the database's, as those who share a
 * key may run on several machines.
 */
export async function takeRateTokens(db: Db, wants: readonly TokenRequest[]): Promise<Map<string, number>> {
  const sortedRequests = wants.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const requestKeys = sortedRequests.map(({ key }) => key)
  await sql`
    insert into rate_limits (key, tokens, refilled_at)
    select key, 1, clock_timestamp() from unnest(${requestKeys}::text[]) as w (key) on conflict (key) do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ key: string; granted: number }>`
    with wanted as (
      select * from unnest(
        ${requestKeys}::text[], ${formatPostgresArray(sortedRequests.map(({ perSecond }) => perSecond))}::double precision[],
        ${formatPostgresArray(sortedRequests.map(({ perSecond }) => computeBatchTokens(perSecond)))}::double precision[],
        ${sortedRequests.map(({ count }) => count)}::integer[]) as w (key, rate, most, count)
    ), locked as materialized (
      select key, tokens, refilled_at, slowed_until from rate_limits where key = any(${requestKeys}::text[]) order by key for no key update
    ), filled as materialized (
      select key, w.count, now, least(w.most, l.tokens + w.rate * case when l.slowed_until > now then 0.5 else 1 end
        * greatest(extract(epoch from now - l.refilled_at)::double precision, 0)) as tokens
      from locked l join wanted w using (key) cross join (select clock_timestamp() as now) c
    )
    update rate_limits r set tokens = f.tokens - least(f.count, floor(f.tokens)), refilled_at = f.now
    from filled f where r.key = f.key
    returning r.key, least(f.count, floor(f.tokens))::integer as granted`.execute(db)
  return new Map(rows.map(({ key, granted }) => [key, granted]))
}

/** Waiters for the tokens of one key. */
interface TokenQueue {
  perSecond: number
  waiting: Set<() => void>
}

/** Opens the limiter of a process: what waits is served in turn, with tokens taken for many messages at once. */
export function openRateLimiter(db: Db, log: Logger): RateLimiter {
  const queuesByKey = new Map<string, TokenQueue>()
  let isServing = false

  async function serveOnce(): Promise<void> {
    const tokenRequests = [...queuesByKey].map(([key, { perSecond, waiting: waiters }]) => ({
      key,
      perSecond,
      count: waiters.size,
    }))
    const grantedCounts = await takeRateTokens(db, tokenRequests)
    for (const [key, queue] of queuesByKey) {
      for (const resolveWaiter of [...queue.waiting].slice(0, grantedCounts.get(key) ?? 0)) {
        queue.waiting.delete(resolveWaiter)
        resolveWaiter()
      }
      if (queue.waiting.size === 0) queuesByKey.delete(key)
    }
  }

  /** Serves until no message waits; never rejects. */
  async function serveQueues(): Promise<void> {
    isServing = true
    while (queuesByKey.size > 0) {
      try {
        await serveOnce()
        if (queuesByKey.size > 0) await delay(EMPTY_PAUSE_MS)
      } catch (error) {
        log.warn({ err: error }, 'rates of gateways cannot be read')
        await delay(UNAVAILABLE_PAUSE_MS)
      }
    }
    isServing = false
  }

  return {
    async take(key, perSecond, signal) {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const queue = queuesByKey.get(key) ?? { perSecond, waiting: new Set() }
      queue.perSecond = perSecond
      queue.waiting.add(resolve)
      queuesByKey.set(key, queue)
      const abortWait = (): void => {
        if (queue.waiting.delete(resolve)) reject(signal?.reason)
      }
      signal?.addEventListener('abort', abortWait)
      if (!isServing) serveQueues()
      await promise.finally(() => signal?.removeEventListener('abort', abortWait))
    },
    async slow(key, forMs) {
      await sql`
        insert into rate_limits (key, tokens, refilled_at, slowed_until)
        values (${key}, 1, clock_timestamp(), clock_timestamp() + ${forMs} * interval '1 millisecond')
        on conflict (key) do update set slowed_until = greatest(rate_limits.slowed_until, excluded.slowed_until)`.execute(
        db,
      )
    },
  }
}
