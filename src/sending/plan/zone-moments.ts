import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { isTimeZoneOrOffset } from '../../lib/time/zones.ts'

/** The digits of a date-time, its offset dropped: a clock face, whatever the zone. */
function parseClockFace(date: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(date.replace(/(?:Z|[+-]\d{2}:?\d{2})$/i, ''))
}

/**
 * The instant, in milliseconds, at which clocks of a zone show a date's digits. A time skipped by a change of the clocks
 * moves forward by the gap, a doubled one is the first. Undefined for what is no IANA name and no offset.
 */
export function toZoneInstant(zone: string, date: string): number | undefined {
  if (!isTimeZoneOrOffset(zone)) return undefined
  try {
    return parseClockFace(date).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The zone of a contact's dates: what its field says, or the account's where that is empty or no zone. `valueOf` gives
 * the shown value of a field.
 */
export function resolveRecipientZone<Contact>(
  rules: { valueOf: (contact: Contact, field: number) => unknown },
  contact: Contact | null | undefined,
  { timeZone, timeZoneField }: ZonedTarget['source']['settings'],
): string {
  if (timeZoneField === null || contact == null) return timeZone
  const zone = String(rules.valueOf(contact, timeZoneField) ?? '').trim()
  return isTimeZoneOrOffset(zone) ? zone : timeZone
}

interface ZonedTarget {
  account: AccountId
  source: { settings: { timeZone: string; timeZoneField: number | null } }
}

/** The zones of contacts that have one of their own, by contact id; none where contents name no field. */
export async function loadRecipientZones(
  db: Db,
  { account, source }: ZonedTarget,
  contacts: readonly number[],
): Promise<Map<number, string>> {
  const { timeZoneField } = source.settings
  if (timeZoneField === null) return new Map()
  const { rows } = await sql<{ id: number; zone: string }>`
    select id, trim(fields->>${String(timeZoneField)}) as zone from contacts
    where account = ${account} and id = any(${contacts}::bigint[]) and fields->>${String(timeZoneField)} is not null`.execute(
    db,
  )
  const validZones = new Set([...new Set(rows.map(({ zone }) => zone))].filter(isTimeZoneOrOffset))
  return new Map(rows.filter(({ zone }) => validZones.has(zone)).map(({ id, zone }) => [id, zone]))
}

/**
 * Computes when the clock of each contact shows the start date, by contact id, in milliseconds; contacts without a zone have the
 * account's.
 */
export async function computeZoneMoments(
  db: Db,
  { startDate, ...zoned }: ZonedTarget & { startDate: string },
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const { timeZone } = zoned.source.settings
  const defaultMoment = toZoneInstant(timeZone, startDate) ?? toZoneInstant('UTC', startDate) ?? 0
  const zonesByContact = await loadRecipientZones(db, zoned, contacts)
  const momentsByZone = new Map<string, number>()
  for (const zone of zonesByContact.values())
    if (!momentsByZone.has(zone)) momentsByZone.set(zone, toZoneInstant(zone, startDate) ?? defaultMoment)
  return new Map(
    contacts.map((contact) => [contact, momentsByZone.get(zonesByContact.get(contact) ?? '') ?? defaultMoment]),
  )
}
