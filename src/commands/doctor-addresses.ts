import type { Db } from '../database/connect.ts'
import { findOldKeys, type OldKeys } from '../features/fields/old-keys.ts'
import { findOldEmails } from '../features/people/people.ts'
import { contactId } from '../lib/ids.ts'
import type { Finding } from './finding.ts'

function describeKeys({ code, others, together }: OldKeys): Finding {
  const same = together.map((ids) => ids.map(contactId).join(' and ')).join(', ')
  const apart = `${others} contacts have a key under which addresses that differ are one, such as those with ß and ss`
  return {
    subject: `${code} keys of contacts`,
    ok: false,
    seen: same === '' ? apart : `${apart}; contacts with the same address: ${same}`,
    advice: `${same === '' ? '' : 'Delete all but one of each, then: '}stentor accounts rekey ${code}`,
  }
}

/**
 * What the rule of addresses (decision 127) would change in stored keys: of contacts, which would fall apart or together, and of
 * people, of whom two with one address are a fault.
 */
export async function checkAddresses(db: Db): Promise<Finding[]> {
  const emails = (await findOldEmails(db)).map(({ id, sharing }) => ({
    subject: `person ${id}`,
    ok: sharing.length === 0,
    seen: `the email is stored in an older form${sharing.length === 0 ? '' : `, and is that of ${sharing.join(' and ')} too`}`,
    advice: 'Deactivate all but one of them.',
  }))
  return [...(await findOldKeys(db)).map(describeKeys), ...emails]
}
