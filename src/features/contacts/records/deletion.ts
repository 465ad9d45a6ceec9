import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import { type NewNotice, writeNotices } from '../../notices/notices.ts'
import { deleteSubscriptions } from '../fields/devices.ts'
import { rememberRedList } from '../suppressions/red-list-memory.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { LockedContact } from './changes.ts'
import type { Ports } from './ports.ts'
import { lockByIds, type Writing, writeContacts } from './write.ts'

/** What a deletion does elsewhere. */
export interface Deleting extends Writing {
  ports: Pick<Ports, 'endRuns' | 'beforeForgetting' | 'forget'>
  /** What is kept of the contacts elsewhere is erased; otherwise it stays. */
  erase: boolean
}

function deletionNotice(contact: number): NewNotice {
  return { type: 'target.deleted', contact, data: {} }
}

/**
 * Deletes locked contacts with their memberships, red list entries and bounces. Of entries that the person made a keyed
 * hash of the address stays, unless the account forgets. When erasing, what is kept of them elsewhere is deleted too. Their
 * runs of workflows end.
 */
export async function deleteLocked(
  tx: Db,
  shape: ContactShape,
  contacts: readonly LockedContact[],
  { masterKeys, ports, erase }: Deleting,
): Promise<void> {
  const ids = contacts.map(({ id }) => id)
  // Before the deletion: what is erased is also found by their addresses.
  if (erase) await ports.forget(tx, shape.account, ids)
  await rememberRedList(tx, shape, contacts, masterKeys)
  // The foreign keys would delete memberships too, but one contact at a time, each with a count of its own.
  await sql`delete from segment_members where account = ${shape.account} and contact = any(${ids}::bigint[])`.execute(
    tx,
  )
  await deleteSubscriptions(tx, shape.account, sql`s.contact = any(${ids}::bigint[])`)
  await sql`delete from contacts where account = ${shape.account} and id = any(${ids}::bigint[])`.execute(tx)
  await ports.endRuns(tx, shape.account, ids)
  if (shape.listening.has('target.deleted')) await writeNotices(tx, shape.account, ids.map(deletionNotice))
}

/**
 * Deletes a contact with all that depends on it. When erasing, a deleted one is found as long as anything is kept of it. Throws notFound.
 */
export function deleteContact(db: Db, account: AccountId, id: number, deleting: Deleting): Promise<void> {
  const { ports, erase } = deleting
  return writeContacts(db, account, async (tx, shape) => {
    await ports.endRuns(tx, account, [id])
    if (erase) await ports.beforeForgetting(tx, account, [id])
    const contacts = await lockByIds(tx, account, [id])
    if (contacts.length > 0) return deleteLocked(tx, shape, contacts, deleting)
    const kept = erase ? await ports.forget(tx, account, [id]) : []
    if (kept.length === 0) throw notFound('contact', contactId(id))
  })
}
