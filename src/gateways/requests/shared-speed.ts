import type { RateLimiter } from '../gateway.ts'
import type { RequestReserver } from './pace.ts'

/** Duration of the halved speed after the remote side was overloaded. */
const SLOWDOWN_MS = 60_000

/** Creates the speed control that senders share under a key; empty if the speed is not limited. */
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
    slow: () => void limiter.slow(key, SLOWDOWN_MS).catch(() => undefined),
  }
}
