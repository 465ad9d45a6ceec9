import type { Db } from '../../database/connection/connect.ts'
import { findUnknownZones } from '../../features/accounts/unknown-zones.ts'
import type { Finding } from './finding.ts'

/** Findings on time zones of accounts whose names the database does not know. */
export async function checkZones(db: Db): Promise<Finding[]> {
  return (await findUnknownZones(db)).map(({ zone, accounts, fallback }) => ({
    subject: `time zone ${zone}`,
    ok: fallback !== null,
    seen: `${accounts.join(', ')}: the database does not know it${fallback === null ? '' : `, and uses ${fallback}`}`,
    advice: 'Update the time zones of PostgreSQL, or set timeZone in the contact settings of the accounts.',
  }))
}
