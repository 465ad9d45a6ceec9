import { type Db, inSavepoint } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { catchProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { NoticeCause } from '../../notices/notices.ts'
import {
  type ContactRowChange,
  computeContactChange,
  type LockedContact,
  saveContactChanges,
} from '../records/changes.ts'
import type { FlatMap } from '../records/contact-schemas.ts'
import { requireContactPatch } from '../records/flat-map.ts'
import { lockContactsByIds, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { ContactShapeLoader } from '../values/stored-shape.ts'

/** A change of one contact among many; absent fields stay. */
export interface ContactChangeRequest {
  contact: number
  body: FlatMap
  cause: NoticeCause
}

/** The outcome of a change: null if it was applied, otherwise the Problem that refused it. */
export type ContactChangeRefusal = Problem | null

function parseContactChange(
  shape: ContactShape,
  { contact: id, body, cause }: ContactChangeRequest,
  contact: LockedContact | undefined,
): ContactRowChange | ContactChangeRefusal {
  return catchProblem(() => {
    if (!contact) throw notFoundProblem('contact', formatContactId(id))
    const rowChange = computeContactChange(shape, contact, requireContactPatch(shape, body), 'rewrite')
    return rowChange ? { ...rowChange, cause } : null
  })
}

/** Saves changes that give contacts other unicities; one that is taken undoes its own change only. */
async function saveRenamedContacts(
  tx: Db,
  shape: ContactShape,
  changes: readonly ContactRowChange[],
  now: Date,
): Promise<ContactChangeRefusal[]> {
  if (changes.length === 0) return []
  try {
    await inSavepoint(tx, () => saveContactChanges(tx, shape, changes, now))
    return changes.map(() => null)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (changes.length === 1) return [error]
  }
  const refusals: ContactChangeRefusal[] = []
  for (const renamedChange of changes) refusals.push(...(await saveRenamedContacts(tx, shape, [renamedChange], now)))
  return refusals
}

/**
 * Changes contacts as `updateContact` does, each by itself, in the caller's transaction; no contact is named twice. Gives for
 * each why it was refused; null: it is as it was asked for.
 */
export function updateContacts(
  tx: Db,
  account: AccountId,
  changes: readonly ContactChangeRequest[],
  { now, shapes }: { now: Date; shapes: ContactShapeLoader },
): Promise<ContactChangeRefusal[]> {
  const work = async (_: Db, shape: ContactShape): Promise<ContactChangeRefusal[]> => {
    const lockedContacts = await lockContactsByIds(
      tx,
      account,
      changes.map(({ contact }) => contact),
    )
    const contactsById = new Map(lockedContacts.map((contact) => [contact.id, contact]))
    const parsedChanges = changes.map((change) => parseContactChange(shape, change, contactsById.get(change.contact)))
    const validChanges = parsedChanges.filter(
      (parsedChange): parsedChange is ContactRowChange => parsedChange !== null && !(parsedChange instanceof Problem),
    )
    const isRenamed = ({ id, key }: ContactRowChange) => contactsById.get(id)!.key !== key
    await saveContactChanges(
      tx,
      shape,
      validChanges.filter((change) => !isRenamed(change)),
      now,
    )
    const renamedChanges = validChanges.filter(isRenamed)
    const refusals = await saveRenamedContacts(tx, shape, renamedChanges, now)
    const refusalsByChange = new Map<unknown, ContactChangeRefusal>(
      renamedChanges.map((change, index) => [change, refusals[index]!]),
    )
    return parsedChanges.map((parsedChange) =>
      parsedChange instanceof Problem ? parsedChange : (refusalsByChange.get(parsedChange) ?? null),
    )
  }
  return runContactWrite(tx, account, work, shapes)
}
