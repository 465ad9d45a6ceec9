import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ErasedContacts } from '../contacts/records/erased.ts'
import { deleteContactSubscriptions } from './removal.ts'

/** Erases the devices of contacts, and what of other devices awaits them. */
export async function eraseSubscriptions(
  tx: Db,
  account: AccountId,
  { contacts, names }: ErasedContacts,
): Promise<void> {
  await deleteContactSubscriptions(tx, account, contacts)
  await sql`
    update gone_subscriptions set awaited_hash = null, awaited_at = null
    where account = ${account} and awaited_hash in (
      select decode(md5(n), 'hex') from unnest(${names.map(({ name }) => name)}::text[]) n)`.execute(tx)
  await sql`
    delete from awaited_subscriptions where account = ${account} and hash in (
      select decode(md5(n), 'hex') from unnest(${names.map(({ name }) => name)}::text[]) n)`.execute(tx)
}
