import { formatIsoInstant, requireInstant } from '../../../lib/time/period.ts'

/** The `timestamp` of a body; undefined when it has none. Throws 400 for what is no date. */
export function parseBodyTimestamp(given: string | number | null | undefined): Date | undefined {
  return given === null || given === undefined ? undefined : requireInstant(given, '/timestamp')
}

/** A bound of a period, or the position in a list, as the database takes it; one that is absent, or no date, leaves it open. */
export function toPeriodBound(ms: number | undefined): string | null {
  return (ms !== undefined && formatIsoInstant(ms)) || null
}
