import { parseDateText } from '../../../lib/time/period.ts'

/*
 * Rows hold JSON: a date in them is a text. What is computed with texts is done in the database as well, by functions of the same names
 * in migrations/schema.sql.
 */

const DATE_PATTERN =
  /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/i
const CANONICAL_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** The time that the service writes for a day without one. */
export const MIDNIGHT_SUFFIX = 'T00:00:00.000Z'

/** True if the text has the service's own date format. */
export function isCanonicalDate(text: string): boolean {
  return text.length === 24 && CANONICAL_DATE_PATTERN.test(text)
}

/** The instant that a value gives, as the service writes it; null for what is no text of ISO 8601. */
export function toCanonicalDate(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 35 || !DATE_PATTERN.test(value)) return null
  return parseDateText(value.toUpperCase()) ?? null
}
