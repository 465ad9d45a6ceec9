import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import type { PushExpiration, PushExpirationBody } from '../notification-schemas.ts'

const SECOND = 1000
const DAY = 24 * 3600 * SECOND

/** Milliseconds. */
const UNITS: Record<string, number> = {
  MILLISECOND: 1,
  SECOND,
  MINUTE: 60 * SECOND,
  HOUR: 3600 * SECOND,
  DAY,
  WEEK: 7 * DAY,
  MONTH: 30 * DAY,
  YEAR: 365 * DAY,
}

const SHORTEST_MS = 60 * SECOND
/** Push services keep nothing longer. */
const LONGEST_MS = 28 * DAY

function lengthOf({ unit, value }: Extract<PushExpiration, { type: 'period' }>['value']): number {
  return value * (UNITS[unit] ?? Number.NaN)
}

/** An expiration as it is kept. Adds what is wrong to `faults`. */
export function parsePushExpiration(
  given: PushExpirationBody,
  pointer: string,
  faults: ProblemFault[],
): PushExpiration {
  if (given.type === 'period') {
    if (lengthOf(given.value) < SHORTEST_MS)
      faults.push({ pointer: `${pointer}/value`, detail: 'must be at least 1 minute' })
    return given
  }
  const text = typeof given.value === 'object' ? given.value.date : given.value
  const instant = parseInstant(text)
  if (instant === undefined) faults.push({ pointer: `${pointer}/value/date`, detail: INVALID_DATE_DETAIL })
  return { type: 'date', value: { date: new Date(instant ?? 0).toISOString() } }
}

/** When a message that is accepted now (milliseconds) expires. */
export function computePushExpiry(expiration: PushExpiration | null, now: number): number {
  const latest = now + LONGEST_MS
  if (expiration === null) return latest
  const end = expiration.type === 'period' ? now + lengthOf(expiration.value) : Date.parse(expiration.value.date)
  return Math.min(end, latest)
}
