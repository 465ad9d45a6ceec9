/** Names counted at once, to bound the memory; more of them at a time are not limited. */
const MAX_COUNTED_NAMES = 100_000

interface CountWindow {
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
  maxNames = MAX_COUNTED_NAMES,
): (name: string, now: number) => number {
  /** The window that began first is the first. */
  const windows = new Map<string, CountWindow>()
  return (name, now) => {
    const currentWindow = windows.get(name)
    if (currentWindow !== undefined && now - currentWindow.since < windowMs && now >= currentWindow.since)
      return ++currentWindow.n > most ? currentWindow.since + windowMs - now : 0
    windows.delete(name)
    windows.set(name, { since: now, n: 1 })
    if (windows.size > maxNames) windows.delete(windows.keys().next().value!)
    return most > 0 ? 0 : windowMs
  }
}
