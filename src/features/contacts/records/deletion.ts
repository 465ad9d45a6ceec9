import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { type NewNotice, writeNotices } from '../../notices/notices.ts'
import { deletePushSubscriptions } from '../fields/devices.ts'
import { rememberDeletedRedList } from '../suppressions/red-list-memory.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { LockedContact } from './changes.ts'
import type { ContactPorts } from './ports.ts'
import { type ContactWriteContext, lockContactsByIds, runContactWrite } from './write.ts'

/** Context of a deletion: its effects outside of contacts. */
export interface ContactDeletionContext extends ContactWriteContext {
  ports: Pick<ContactPorts, 'endRuns' | 'beforeForgetting' | 'forget'>
  /** True if data about the contacts that is stored elsewhere is erased; otherwise it is retained. */
  erase: boolean
}

function buildDeletionNotice(contact: number): NewNotice {
  return { type: 'target.deleted', contact, data: {} }
}

/**
 * Deletes locked contacts with their memberships, red list entries and bounces. Of entries that the person made a keyed
 * hash of the address stays, unless the account forgets. When erasing, what is kept of them elsewhere is deleted too. Their
 * runs of workflows end.
 */
export async function deleteLockedContacts(
  tx: Db,
  shape: ContactShape,
  contacts: readonly LockedContact[],
  { masterKeys, ports, erase }: ContactDeletionContext,
): Promise<void> {
  const contactIds = contacts.map(({ id }) => id)
  // Before the deletion: what is erased is also found by their addresses.
  if (erase) await ports.forget(tx, shape.account, contactIds)
  await rememberDeletedRedList(tx, shape, contacts, masterKeys)
  // The foreign keys would delete memberships too, but one contact at a time, each with a count of its own.
  await sql`delete from segment_members where account = ${shape.account} and contact = any(${contactIds}::bigint[])`.execute(
    tx,
  )
  await deletePushSubscriptions(tx, shape.account, sql`s.contact = any(${contactIds}::bigint[])`)
  await sql`delete from contacts where account = ${shape.account} and id = any(${contactIds}::bigint[])`.execute(tx)
  await ports.endRuns(tx, shape.account, contactIds)
  if (shape.listening.has('target.deleted')) await writeNotices(tx, shape.account, contactIds.map(buildDeletionNotice))
}

/**
 * Deletes a contact with all that depends on it. When erasing, a deleted one is found as long as anything is kept of it. Throws notFound.
 */
export function deleteContact(db: Db, account: AccountId, id: number, deleting: ContactDeletionContext): Promise<void> {
  const { ports, erase } = deleting
  return runContactWrite(db, account, async (tx, shape) => {
    await ports.endRuns(tx, account, [id])
    if (erase) await ports.beforeForgetting(tx, account, [id])
    const lockedContacts = await lockContactsByIds(tx, account, [id])
    if (lockedContacts.length > 0) return deleteLockedContacts(tx, shape, lockedContacts, deleting)
    const erasedIds = erase ? await ports.forget(tx, account, [id]) : []
    if (erasedIds.length === 0) throw notFoundProblem('contact', formatContactId(id))
  })
}
