import { type Db, inSavepoint } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound, orProblem, Problem } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import type { Cause } from '../../notices/notices.ts'
import { type Change, changeOf, type LockedContact, saveChanges } from '../records/changes.ts'
import type { FlatMap } from '../records/contact-schemas.ts'
import { requirePatch } from '../records/flat-map.ts'
import { lockByIds, writeContacts } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { Shapes } from '../values/stored-shape.ts'

/** A change of one contact among many; absent fields stay. */
export interface OwnChange {
  contact: number
  body: FlatMap
  cause: Cause
}

/** What a change came to: null, or why it was refused. */
export type Refusal = Problem | null

function readChange(
  shape: ContactShape,
  { contact: id, body, cause }: OwnChange,
  contact: LockedContact | undefined,
): Change | Refusal {
  return orProblem(() => {
    if (!contact) throw notFound('contact', contactId(id))
    const change = changeOf(shape, contact, requirePatch(shape, body), 'rewrite')
    return change ? { ...change, cause } : null
  })
}

/** Saves changes that give contacts other unicities; one that is taken undoes its own change only. */
async function saveRenamed(tx: Db, shape: ContactShape, changes: readonly Change[], now: Date): Promise<Refusal[]> {
  if (changes.length === 0) return []
  try {
    await inSavepoint(tx, () => saveChanges(tx, shape, changes, now))
    return changes.map(() => null)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (changes.length === 1) return [error]
  }
  const refusals: Refusal[] = []
  for (const one of changes) refusals.push(...(await saveRenamed(tx, shape, [one], now)))
  return refusals
}

/**
 * Changes contacts as `updateContact` does, each by itself, in the caller's transaction; no contact is named twice. Gives for
 * each why it was refused; null: it is as it was asked for.
 */
export function changeContacts(
  tx: Db,
  account: AccountId,
  changes: readonly OwnChange[],
  { now, shapes }: { now: Date; shapes: Shapes },
): Promise<Refusal[]> {
  const work = async (_: Db, shape: ContactShape): Promise<Refusal[]> => {
    const locked = await lockByIds(
      tx,
      account,
      changes.map(({ contact }) => contact),
    )
    const byId = new Map(locked.map((contact) => [contact.id, contact]))
    const read = changes.map((change) => readChange(shape, change, byId.get(change.contact)))
    const saved = read.filter((one): one is Change => one !== null && !(one instanceof Problem))
    const isRenamed = ({ id, key }: Change) => byId.get(id)!.key !== key
    await saveChanges(
      tx,
      shape,
      saved.filter((change) => !isRenamed(change)),
      now,
    )
    const renamed = saved.filter(isRenamed)
    const refusals = await saveRenamed(tx, shape, renamed, now)
    const refused = new Map<unknown, Refusal>(renamed.map((change, index) => [change, refusals[index]!]))
    return read.map((one) => (one instanceof Problem ? one : (refused.get(one) ?? null)))
  }
  return writeContacts(tx, account, work, shapes)
}
