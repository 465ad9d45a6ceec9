import { type RawBuilder, sql } from 'kysely'
import { zoneNames } from '../lib/zones.ts'

/**
 * A time zone as an expression, by a name that the database has rules for: its own, else its other one. Where it has none,
 * the statement fails by `isUnknownZone`. Evaluated once a statement.
 */
export function zoneInDatabase(zone: string): RawBuilder<string> {
  return zone === 'UTC' ? sql`'UTC'` : sql`(select coalesce(known_zone(${zoneNames(zone)}::text[]), ${zone}::text))`
}
