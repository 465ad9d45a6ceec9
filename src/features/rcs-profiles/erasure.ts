import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ErasedContacts } from '../contacts/records/erased.ts'
import { parsePossiblePhone } from './phone.ts'

/** The phone of a contact may be digits without a country: the profiles read them with their own country. */
function listPhoneNumbers(name: string, countries: readonly string[]): string[] {
  return countries.flatMap((country) =>
    [name, `+${name}`].map((text) => parsePossiblePhone(text, country)).filter((phone) => phone !== undefined),
  )
}

/** Erases what providers said of the phones of contacts. */
export async function erasePhoneCapabilities(tx: Db, account: AccountId, { names }: ErasedContacts): Promise<void> {
  const { rows } = await sql<{ country: string }>`
    select distinct country from rcs_profiles where account = ${account}`.execute(tx)
  const countries = rows.map(({ country }) => country)
  const phones = new Set(names.flatMap(({ name }) => listPhoneNumbers(name, countries)))
  if (phones.size === 0) return
  await sql`
    delete from rcs_capabilities where account = ${account} and phone = any(${[...phones]}::text[])`.execute(tx)
}
