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
export function createWindowCounter(
  most: number,
  windowMs: number,
  maxNames = MAX_NAMES,
): (name: string, now: number) => number {
  /** The window that began first is the first. */
  const windows = new Map<string, Window>()
  return (name, now) => {
    const known = windows.get(name)
    if (known !== undefined && now - known.since < windowMs && now >= known.since)
      return ++known.n > most ? known.since + windowMs - now : 0
    windows.delete(name)
    windows.set(name, { since: now, n: 1 })
    if (windows.size > maxNames) windows.delete(windows.keys().next().value!)
    return most > 0 ? 0 : windowMs
  }
}
