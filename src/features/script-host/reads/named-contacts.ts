import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { resolveIdentifications } from '../../contacts/records/resolve.ts'
import { createArgumentProblem } from '../writes/unfit.ts'

/** Problem for an identification that matches no contact. The identification stays out of the stored run. */
export const createContactNotFound = (): Problem =>
  new Problem(404, 'not-found', 'No contact matches the identification.')

/** The numbers of the contacts that identifications name, in their order; for each that names none why not. */
export async function findScriptContactIds(
  db: Db,
  account: AccountId,
  identifications: readonly unknown[],
): Promise<(number | Problem)[]> {
  const resolutions = await resolveIdentifications(db, account, identifications)
  return resolutions.map((resolution) => {
    if (resolution.type === 'footprint') return parseContactId(resolution.id)!
    if (resolution.value.type === 'recipient not found') return createContactNotFound()
    return createArgumentProblem('This is not an identification of a contact.')
  })
}

/** Finds the number of the contact that an identification names. Returns `undefined` if there is no such contact. Throws a 400 Problem. */
export async function findScriptContactId(
  db: Db,
  account: AccountId,
  identification: unknown,
): Promise<number | undefined> {
  const [contactId] = await findScriptContactIds(db, account, [identification])
  if (contactId instanceof Problem && contactId.status !== 404) throw contactId
  return contactId instanceof Problem ? undefined : contactId
}
