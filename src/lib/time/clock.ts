/** The only source of the current time. Milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Whether what waits until a time still waits: not when that is farther ahead than it ever waits, as the clock was put back then. All in
 * milliseconds.
 */
export function isStillWaiting(until: number, { now, longestMs }: { now: number; longestMs: number }): boolean {
  return until > now && until - now <= longestMs
}
