import { LRUCache } from 'lru-cache'

/** Names counted at once, to bound the memory; more of them at a time are not limited. */
const MAX_NAMES = 100_000

interface Window {
  since: number
  n: number
}

/**
 * Counts by name in windows that begin with the first count; gives the milliseconds to wait when there were too many. Instants are
 * milliseconds.
 */
export function windowCounter(most: number, windowMs: number): (name: string, now: number) => number {
  const windows = new LRUCache<string, Window>({ max: MAX_NAMES })
  return (name, now) => {
    const known = windows.get(name)
    if (known === undefined || now - known.since >= windowMs || now < known.since) {
      windows.set(name, { since: now, n: 1 })
      return most > 0 ? 0 : windowMs
    }
    return ++known.n > most ? known.since + windowMs - now : 0
  }
}
