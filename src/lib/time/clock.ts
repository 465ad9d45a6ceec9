/** The only source of the current time. Milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Returns true if something that waits until a time is still waiting. It is not if that time is farther ahead than the longest wait,
 * because the clock was put back then. All in milliseconds.
 */
export function isStillWaiting(until: number, { now, longestMs }: { now: number; longestMs: number }): boolean {
  return until > now && until - now <= longestMs
}
