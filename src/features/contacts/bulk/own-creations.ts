import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { catchProblem, Problem } from '../../../lib/errors/problem.ts'
import type { NoticeCause } from '../../notices/notices.ts'
import { createUnicityConflict } from '../records/changes.ts'
import type { FlatMap } from '../records/contact-schemas.ts'
import { pickFilledValues, requireContactIdentity, requireContactPatch } from '../records/flat-map.ts'
import { type ContactWrite, upsertContacts } from '../records/upsert.ts'
import { type ContactWriteContext, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { ContactShapeLoader } from '../values/stored-shape.ts'
import type { ContactChangeRefusal } from './own-changes.ts'

/** A contact that is to be created under a number of its own, taken from their sequence. */
export interface ContactCreationRequest {
  id: number
  body: FlatMap
  cause: NoticeCause
}

function buildCreationWrite(shape: ContactShape, { id, body, cause }: ContactCreationRequest): ContactWrite | Problem {
  return catchProblem(() => {
    const patch = requireContactPatch(shape, body)
    return { patch, ...requireContactIdentity(shape, pickFilledValues(patch)), isNew: true, own: { id, cause } }
  })
}

/** Creates contacts in the caller's transaction. Gives for each why it was refused; null: it is there. */
export function createContacts(
  tx: Db,
  account: AccountId,
  creations: readonly ContactCreationRequest[],
  { shapes, ...writing }: ContactWriteContext & { shapes: ContactShapeLoader },
): Promise<ContactChangeRefusal[]> {
  const work = async (_: Db, shape: ContactShape): Promise<ContactChangeRefusal[]> => {
    const writes = creations.map((creation) => buildCreationWrite(shape, creation))
    const firstWrites = new Map<string, ContactWrite>()
    for (const write of writes)
      if (!(write instanceof Problem) && !firstWrites.has(write.key)) firstWrites.set(write.key, write)
    const writtenContacts = await upsertContacts(tx, shape, [...firstWrites.values()], writing)
    return writes.map((write) => {
      if (write instanceof Problem) return write
      const isCreated = firstWrites.get(write.key) === write && writtenContacts.has(write.key)
      return isCreated ? null : createUnicityConflict(write.unicity)()
    })
  }
  return runContactWrite(tx, account, work, shapes)
}
