import type { RcsExpiration, RcsPeriod } from './content-schemas.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400 * SECOND_MS

const UNIT_MS: Record<RcsPeriod['unit'], number> = {
  MILLISECOND: 1,
  SECOND: SECOND_MS,
  MINUTE: 60 * SECOND_MS,
  HOUR: 3600 * SECOND_MS,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
  MONTH: 30 * DAY_MS,
  YEAR: 365 * DAY_MS,
}

export const MIN_RCS_EXPIRATION_MS = 10 * SECOND_MS
export const MAX_RCS_EXPIRATION_MS = 15 * DAY_MS
/** The least that a message is given to arrive before its fallback. */
export const MIN_RCS_FALLBACK_DELAY_MS = 60 * SECOND_MS
const DEFAULT_EXPIRATION_MS = 2 * DAY_MS

/** A period in milliseconds. A month has 30 days, a year 365. */
export function rcsPeriodToMs({ unit, value }: RcsPeriod): number {
  return UNIT_MS[unit] * value
}

/** Converts an expiration to milliseconds; the default is 48 hours. */
export function rcsExpirationToMs(expiration: RcsExpiration | null | undefined): number {
  return expiration ? rcsPeriodToMs(expiration.value) : DEFAULT_EXPIRATION_MS
}
