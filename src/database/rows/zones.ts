import { type RawBuilder, sql } from 'kysely'
import { zoneNames } from '../../lib/time/zones.ts'

/**
 * An SQL expression for a time zone: its own name if the database knows it, else its other one. If the database knows neither, the
 * statement fails with an error that `isUnknownZone` recognises. Evaluated once per statement.
 */
export function zoneInDatabase(zone: string): RawBuilder<string> {
  return zone === 'UTC' ? sql`'UTC'` : sql`(select coalesce(known_zone(${zoneNames(zone)}::text[]), ${zone}::text))`
}
