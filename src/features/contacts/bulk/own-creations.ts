import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { orProblem, Problem } from '../../../lib/errors/problem.ts'
import type { Cause } from '../../notices/notices.ts'
import { unicityTaken } from '../records/changes.ts'
import type { FlatMap } from '../records/contact-schemas.ts'
import { filledValues, requireIdentity, requirePatch } from '../records/flat-map.ts'
import { type ContactWrite, upsertContacts } from '../records/upsert.ts'
import { type Writing, writeContacts } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { Shapes } from '../values/stored-shape.ts'
import type { Refusal } from './own-changes.ts'

/** A contact that is to be created under a number of its own, taken from their sequence. */
export interface OwnCreation {
  id: number
  body: FlatMap
  cause: Cause
}

function writeOf(shape: ContactShape, { id, body, cause }: OwnCreation): ContactWrite | Problem {
  return orProblem(() => {
    const patch = requirePatch(shape, body)
    return { patch, ...requireIdentity(shape, filledValues(patch)), isNew: true, own: { id, cause } }
  })
}

/** Creates contacts in the caller's transaction. Gives for each why it was refused; null: it is there. */
export function createContacts(
  tx: Db,
  account: AccountId,
  creations: readonly OwnCreation[],
  { shapes, ...writing }: Writing & { shapes: Shapes },
): Promise<Refusal[]> {
  const work = async (_: Db, shape: ContactShape): Promise<Refusal[]> => {
    const writes = creations.map((one) => writeOf(shape, one))
    const firsts = new Map<string, ContactWrite>()
    for (const write of writes) if (!(write instanceof Problem) && !firsts.has(write.key)) firsts.set(write.key, write)
    const written = await upsertContacts(tx, shape, [...firsts.values()], writing)
    return writes.map((write) => {
      if (write instanceof Problem) return write
      const isMade = firsts.get(write.key) === write && written.has(write.key)
      return isMade ? null : unicityTaken(write.unicity)()
    })
  }
  return writeContacts(tx, account, work, shapes)
}
