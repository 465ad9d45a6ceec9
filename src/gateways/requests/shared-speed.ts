import type { RateLimiter } from '../gateway.ts'
import type { RequestReserver } from './pace.ts'

/** How long a speed is halved after the far side had too much. */
const SLOW_MS = 60_000

/** How a speed is kept that senders share under a key; nothing when there is no limit. */
export function createSharedSpeed(
  { limiter }: { limiter?: RateLimiter | undefined },
  key: string,
  speed: number,
): { take?: RequestReserver; slow?: () => void } {
  if (limiter === undefined || speed === 0) return {}
  return {
    async take(n) {
      await Promise.all(Array.from({ length: n }, () => limiter.take(key, speed)))
      return 0
    },
    slow: () => void limiter.slow(key, SLOW_MS).catch(() => undefined),
  }
}
