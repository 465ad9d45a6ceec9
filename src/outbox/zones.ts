import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { AccountId } from '../lib/account.ts'

/** The digits of a date-time, its offset dropped: a clock face, whatever the zone. */
function clockFace(date: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(date.replace(/(?:Z|[+-]\d{2}:?\d{2})$/i, ''))
}

/** An IANA name or an offset; other texts that Temporal would find a zone in, such as a whole date-time, are none. */
const ZONE = /^(?:[a-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d{2}:\d{2})$/i

const ANY_DATE = '2000-01-01T00:00:00'

/**
 * The instant, in milliseconds, at which clocks of a zone show a date's digits. A time skipped by a change of the clocks
 * moves forward by the gap, a doubled one is the first. Undefined for what is no IANA name and no offset.
 */
export function momentIn(zone: string, date: string): number | undefined {
  if (!ZONE.test(zone)) return undefined
  try {
    return clockFace(date).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The zone of a contact's dates: what its field says, or the account's where that is empty or no zone. `valueOf` gives
 * the shown value of a field.
 */
export function zoneOf<Contact>(
  rules: { valueOf: (contact: Contact, field: number) => unknown },
  contact: Contact | null | undefined,
  { timeZone, timeZoneField }: Zoned['source']['settings'],
): string {
  if (timeZoneField === null || contact == null) return timeZone
  const zone = String(rules.valueOf(contact, timeZoneField) ?? '').trim()
  return momentIn(zone, ANY_DATE) === undefined ? timeZone : zone
}

interface Zoned {
  account: AccountId
  startDate: string
  source: { settings: { timeZone: string; timeZoneField: number | null } }
}

/** When the clock of each contact shows the start date, by contact id, in milliseconds; without a zone the account's. */
export async function zoneMoments(
  db: Db,
  { account, startDate, source }: Zoned,
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const { timeZone, timeZoneField } = source.settings
  const general = momentIn(timeZone, startDate) ?? momentIn('UTC', startDate) ?? 0
  if (timeZoneField === null) return new Map(contacts.map((contact) => [contact, general]))
  const { rows } = await sql<{ id: number; zone: string | null }>`
    select id, fields->>${String(timeZoneField)} as zone from contacts where account = ${account} and id = any(${contacts}::bigint[])`.execute(
    db,
  )
  const moments = new Map<string, number>()
  for (const { zone } of rows)
    if (zone !== null && !moments.has(zone)) moments.set(zone, momentIn(zone.trim(), startDate) ?? general)
  return new Map(rows.map(({ id, zone }) => [id, (zone === null ? undefined : moments.get(zone)) ?? general]))
}
