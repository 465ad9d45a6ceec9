import { LRUCache } from 'lru-cache'

/** Counts the bad tokens of an address; returns whether this one exceeds the limit. */
export type BadTokenLimiter = (address: string, now: number) => boolean

const WINDOW_MS = 60_000
const MAX_BAD_TOKENS = 100
/** Addresses counted at once, to bound the memory; an attack from more addresses is not limited. */
const MAX_ADDRESSES = 10_000

/** Creates a limiter: a window of a minute begins with the first bad token of an address. `now` in milliseconds. */
export function openBadTokenLimiter(): BadTokenLimiter {
  const counts = new LRUCache<string, { since: number; n: number }>({ max: MAX_ADDRESSES })
  return (address, now) => {
    const known = counts.get(address)
    if (known && now - known.since < WINDOW_MS) return ++known.n > MAX_BAD_TOKENS
    counts.set(address, { since: now, n: 1 })
    return false
  }
}
