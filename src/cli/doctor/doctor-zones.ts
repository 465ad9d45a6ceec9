import type { Db } from '../../database/connection/connect.ts'
import { findUnknownTimeZones } from '../../features/accounts/unknown-zones.ts'
import type { DoctorFinding } from './finding.ts'

/** Findings on time zones of accounts whose names the database does not know. */
export async function checkTimeZones(db: Db): Promise<DoctorFinding[]> {
  return (await findUnknownTimeZones(db)).map(({ zone, accounts, fallback }) => ({
    subject: `time zone ${zone}`,
    ok: fallback !== null,
    seen: `${accounts.join(', ')}: unknown to the database${fallback === null ? '' : `, which uses ${fallback} instead`}`,
    advice: 'Update the time zone data of PostgreSQL, or set timeZone in the contact settings of the accounts.',
  }))
}
