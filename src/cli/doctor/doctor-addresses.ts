import type { Db } from '../../database/connection/connect.ts'
import { findOutdatedContactKeys, type OutdatedContactKeys } from '../../features/contacts/fields/old-keys.ts'
import { findUnnormalizedEmails } from '../../features/people/people.ts'
import { formatContactId } from '../../lib/ids.ts'
import type { DoctorFinding } from './finding.ts'

function describeOutdatedKeys({ code, others, together }: OutdatedContactKeys): DoctorFinding {
  const collidingContacts = together.map((ids) => ids.map(formatContactId).join(' and ')).join(', ')
  const outdatedText = `${others} ${others === 1 ? 'contact has' : 'contacts have'} an older key that does not distinguish addresses with ß from those with ss`
  return {
    subject: `${code} contact keys`,
    ok: false,
    seen:
      collidingContacts === '' ? outdatedText : `${outdatedText}; contacts with the same address: ${collidingContacts}`,
    advice: `${collidingContacts === '' ? 'Run' : 'Delete all but one contact of each group, then run'} "stentor accounts rekey ${code}".`,
  }
}

/**
 * Findings on keys from before the present comparison of addresses (decision 127): contacts whose keys would change or become equal, and
 * people with an older form of their email. Two people with the same address are a fault.
 */
export async function checkAddressKeys(db: Db): Promise<DoctorFinding[]> {
  const emailFindings = (await findUnnormalizedEmails(db)).map(({ id, sharing }) => ({
    subject: `user ${id}`,
    ok: sharing.length === 0,
    seen: `the email address is stored in an older form${sharing.length === 0 ? '' : `, and is also that of ${sharing.join(' and ')}`}`,
    advice: 'Deactivate all but one of these users.',
  }))
  return [...(await findOutdatedContactKeys(db)).map(describeOutdatedKeys), ...emailFindings]
}
