import { formatIsoInstant, requireInstant } from '../../../lib/time/period.ts'

/** Parses the `timestamp` of a body; `undefined` if it does not have one. Throws 400 for an invalid date. */
export function parseBodyTimestamp(rawTimestamp: string | number | null | undefined): Date | undefined {
  return rawTimestamp === null || rawTimestamp === undefined ? undefined : requireInstant(rawTimestamp, '/timestamp')
}

/** A bound of a period, or the position in a list, as the database takes it; one that is absent, or no date, leaves it open. */
export function toPeriodBound(ms: number | undefined): string | null {
  return (ms !== undefined && formatIsoInstant(ms)) || null
}
