import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { resolveIdentifications } from '../../contacts/records/resolve.ts'
import { createArgumentProblem } from '../writes/unfit.ts'

/** Whom no contact is found by; who it was asked for stays out of what is kept of the run. */
export const createContactNotFound = (): Problem =>
  new Problem(404, 'not-found', 'No contact is found by the identification.')

/** The numbers of the contacts that identifications name, in their order; for each that names none why not. */
export async function findScriptContactIds(
  db: Db,
  account: AccountId,
  given: readonly unknown[],
): Promise<(number | Problem)[]> {
  const found = await resolveIdentifications(db, account, given)
  return found.map((one) => {
    if (one.type === 'footprint') return parseContactId(one.id)!
    if (one.value.type === 'recipient not found') return createContactNotFound()
    return createArgumentProblem('This is no identification of a contact.')
  })
}

/** The number of the contact that an identification names; undefined when there is none. Throws 400. */
export async function findScriptContactId(db: Db, account: AccountId, given: unknown): Promise<number | undefined> {
  const [found] = await findScriptContactIds(db, account, [given])
  if (found instanceof Problem && found.status !== 404) throw found
  return found instanceof Problem ? undefined : found
}
