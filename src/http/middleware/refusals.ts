/** The shortest time between two lines about refusals of one kind, in milliseconds. */
const LOG_INTERVAL_MS = 60_000

/**
 * Returns a function that counts refusals of a kind (503), at an instant in milliseconds. It gives how many there were since the last line
 * when one is due, at once and then at most once a minute; undefined when none is.
 */
export function createRefusalCounter(): (kind: string, now: number) => number | undefined {
  const countsByKind = new Map<string, { loggedAt: number; count: number }>()
  return (kind, now) => {
    const { loggedAt, count } = countsByKind.get(kind) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 }
    const isDue = now - loggedAt >= LOG_INTERVAL_MS
    countsByKind.set(kind, isDue ? { loggedAt: now, count: 0 } : { loggedAt, count: count + 1 })
    return isDue ? count + 1 : undefined
  }
}
