import { type RawBuilder, sql } from 'kysely'
import { listTimeZoneNames } from '../../lib/time/zones.ts'

/**
 * An SQL expression for a time zone: its own name if the database knows it, else its other one. If the database knows neither, the
 * statement fails with an error that `isUnknownTimeZoneError` recognises. Evaluated once per statement.
 */
export function buildTimeZoneExpression(zone: string): RawBuilder<string> {
  return zone === 'UTC'
    ? sql`'UTC'`
    : sql`(select coalesce(known_zone(${listTimeZoneNames(zone)}::text[]), ${zone}::text))`
}
