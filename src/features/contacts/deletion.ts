import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { LockedContact } from './changes.ts'
import { rememberRedList } from './red-list-memory.ts'
import type { ContactShape } from './shape.ts'
import type { Writing } from './write.ts'

/**
 * Deletes locked contacts with their memberships, red list entries and bounces. Of entries that the person made a keyed
 * hash of the address stays, unless the account forgets.
 */
export async function deleteLocked(
  tx: Db,
  shape: ContactShape,
  contacts: readonly LockedContact[],
  { masterKeys }: Writing,
): Promise<void> {
  await rememberRedList(tx, shape, contacts, masterKeys)
  const ids = contacts.map(({ id }) => id)
  // The foreign keys would delete memberships too, but one contact at a time, each with a count of its own.
  await sql`delete from segment_members where account = ${shape.account} and contact = any(${ids}::bigint[])`.execute(
    tx,
  )
  await sql`delete from contacts where account = ${shape.account} and id = any(${ids}::bigint[])`.execute(tx)
}
