import type { Db } from '../database/connect.ts'
import { findUnknownZones } from '../features/accounts/unknown-zones.ts'
import type { Finding } from './finding.ts'

/** The time zones of accounts that the database does not know by their names. */
export async function checkZones(db: Db): Promise<Finding[]> {
  return (await findUnknownZones(db)).map(({ zone, accounts, fallback }) => ({
    subject: `time zone ${zone}`,
    ok: fallback !== null,
    seen: `${accounts.join(', ')}: the database does not know it${fallback === null ? '' : `, and uses ${fallback}`}`,
    advice: 'Update the time zones of PostgreSQL, or set timeZone in the contact settings of the accounts.',
  }))
}
