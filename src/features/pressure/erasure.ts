import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** Returns those of these contacts that have counters, even if the contacts no longer exist. */
export async function findContactsWithCounters(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from pressure_counters
    where account = ${account} and contact = any(${contacts}::bigint[])`.execute(tx)
  return rows.map(({ contact }) => contact)
}

/**
 * Erases what is still counted of contacts that are gone. The counters of one that is there go with it: taken away before,
 * they would be locked before their contact, which senders do the other way round.
 */
export async function erasePressureCounters(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  await sql`
    delete from pressure_counters p where p.account = ${account} and p.contact = any(${contacts}::bigint[])
      and not exists (select from contacts c where c.account = p.account and c.id = p.contact)`.execute(tx)
}
