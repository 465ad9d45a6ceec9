import type { Db } from '../../database/connection/connect.ts'
import { describeAccount } from '../../features/accounts/accounts.ts'
import { listUnprovenApplications } from '../../features/applications/registrations.ts'
import type { DoctorFinding } from './finding.ts'

/** The applications whose devices name their contact without a proof. That is a choice, so it is reported but not a fault. */
export async function checkOpenApplications(db: Db): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const { account, name } of await listUnprovenApplications(db)) {
    const { agency, customer } = (await describeAccount(db, account)).identity
    const consequence =
      'registration.proof is none: anyone can register a device for any contact and receive their push messages (see docs/reference/applications.md)'
    findings.push({ subject: `${agency}${customer} application ${name}`, ok: true, seen: consequence })
  }
  return findings
}
