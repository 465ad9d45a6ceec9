import type { RcsExpiration, RcsPeriod } from './content-schemas.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND

const UNITS: Record<RcsPeriod['unit'], number> = {
  ...{ MILLISECOND: 1, SECOND, MINUTE: 60 * SECOND, HOUR: 3600 * SECOND },
  ...{ DAY, WEEK: 7 * DAY, MONTH: 30 * DAY, YEAR: 365 * DAY },
}

export const MIN_RCS_EXPIRATION_MS = 10 * SECOND
export const MAX_RCS_EXPIRATION_MS = 15 * DAY
/** The least that a message is given to arrive before its fallback. */
export const MIN_RCS_FALLBACK_DELAY_MS = 60 * SECOND
const DEFAULT_EXPIRATION_MS = 2 * DAY

/** A period in milliseconds. A month has 30 days, a year 365. */
export function rcsPeriodToMs({ unit, value }: RcsPeriod): number {
  return UNITS[unit] * value
}

/** How long a message may wait, in milliseconds: 48 hours where nothing is said. */
export function rcsExpirationToMs(expiration: RcsExpiration | null | undefined): number {
  return expiration ? rcsPeriodToMs(expiration.value) : DEFAULT_EXPIRATION_MS
}
