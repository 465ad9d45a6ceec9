import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import type { PushExpiration, PushExpirationBody } from '../notification-schemas.ts'

const SECOND_MS = 1000
const DAY_MS = 24 * 3600 * SECOND_MS

/** Milliseconds. */
const UNITS_MS: Record<string, number> = {
  MILLISECOND: 1,
  SECOND: SECOND_MS,
  MINUTE: 60 * SECOND_MS,
  HOUR: 3600 * SECOND_MS,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
  MONTH: 30 * DAY_MS,
  YEAR: 365 * DAY_MS,
}

const MIN_EXPIRATION_MS = 60 * SECOND_MS
/** Push services keep nothing longer. */
const MAX_EXPIRATION_MS = 28 * DAY_MS

function computeLengthMs({ unit, value }: Extract<PushExpiration, { type: 'period' }>['value']): number {
  return value * (UNITS_MS[unit] ?? Number.NaN)
}

/** An expiration as it is kept. Adds what is wrong to `faults`. */
export function parsePushExpiration(
  expirationInput: PushExpirationBody,
  pointer: string,
  faults: ProblemFault[],
): PushExpiration {
  if (expirationInput.type === 'period') {
    if (computeLengthMs(expirationInput.value) < MIN_EXPIRATION_MS)
      faults.push({ pointer: `${pointer}/value`, detail: 'must be at least 1 minute' })
    return expirationInput
  }
  const text = typeof expirationInput.value === 'object' ? expirationInput.value.date : expirationInput.value
  const instant = parseInstant(text)
  if (instant === undefined) faults.push({ pointer: `${pointer}/value/date`, detail: INVALID_DATE_DETAIL })
  return { type: 'date', value: { date: new Date(instant ?? 0).toISOString() } }
}

/** Expiry of a message that is accepted now, in milliseconds. */
export function computePushExpiry(expiration: PushExpiration | null, now: number): number {
  const latestExpiry = now + MAX_EXPIRATION_MS
  if (expiration === null) return latestExpiry
  const requestedExpiry =
    expiration.type === 'period' ? now + computeLengthMs(expiration.value) : Date.parse(expiration.value.date)
  return Math.min(requestedExpiry, latestExpiry)
}
