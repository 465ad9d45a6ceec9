import { readInstant } from '../../lib/period.ts'
import { badRequest } from '../../lib/problem.ts'
import { dateOfMs } from '../fields/date-text.ts'

/** The `timestamp` of a body; undefined when it has none. Throws 400 for what is no date of the years 0001 to 9999. */
export function readTimestamp(given: string | number | null | undefined): Date | undefined {
  if (given === null || given === undefined) return undefined
  const instant = readInstant(given)
  const text = instant === undefined ? undefined : dateOfMs(instant)
  if (text === undefined) throw badRequest('/timestamp', 'must be an ISO 8601 date or a Unix time in milliseconds')
  return new Date(text)
}

/** A side of a period as the database takes it: dates beyond its calendar, like absent ones, leave the side open. */
export function bound(ms: number | undefined): string | null {
  return (ms !== undefined && dateOfMs(ms)) || null
}
