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

/** What a change came to: null, or why it was refused. */
export type ContactChangeRefusal = Problem | null

function readChange(
  shape: ContactShape,
  { contact: id, body, cause }: ContactChangeRequest,
  contact: LockedContact | undefined,
): ContactRowChange | ContactChangeRefusal {
  return catchProblem(() => {
    if (!contact) throw notFoundProblem('contact', formatContactId(id))
    const change = computeContactChange(shape, contact, requireContactPatch(shape, body), 'rewrite')
    return change ? { ...change, cause } : null
  })
}

/** Saves changes that give contacts other unicities; one that is taken undoes its own change only. */
async function saveRenamed(
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
  for (const one of changes) refusals.push(...(await saveRenamed(tx, shape, [one], now)))
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
    const locked = await lockContactsByIds(
      tx,
      account,
      changes.map(({ contact }) => contact),
    )
    const byId = new Map(locked.map((contact) => [contact.id, contact]))
    const read = changes.map((change) => readChange(shape, change, byId.get(change.contact)))
    const saved = read.filter((one): one is ContactRowChange => one !== null && !(one instanceof Problem))
    const isRenamed = ({ id, key }: ContactRowChange) => byId.get(id)!.key !== key
    await saveContactChanges(
      tx,
      shape,
      saved.filter((change) => !isRenamed(change)),
      now,
    )
    const renamed = saved.filter(isRenamed)
    const refusals = await saveRenamed(tx, shape, renamed, now)
    const refused = new Map<unknown, ContactChangeRefusal>(renamed.map((change, index) => [change, refusals[index]!]))
    return read.map((one) => (one instanceof Problem ? one : (refused.get(one) ?? null)))
  }
  return runContactWrite(tx, account, work, shapes)
}
