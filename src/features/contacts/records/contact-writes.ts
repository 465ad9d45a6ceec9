import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { ContactShapeLoader } from '../values/stored-shape.ts'
import { computeContactChange, type LockedContact, saveContactChanges, type UnicitySpelling } from './changes.ts'
import type { ContactDocument, FlatMap } from './contact-schemas.ts'
import { readContactWithShape } from './contacts.ts'
import type { ContactView } from './documents.ts'
import { contactKeyFromUnicity } from './find.ts'
import {
  type ContactPatch,
  pickFilledValues,
  requireContactIdentity,
  requireContactPatch,
  requireMandatoryFields,
} from './flat-map.ts'
import { type ContactWrite, upsertContacts } from './upsert.ts'
import { type ContactWriteContext, lockContactsByIds, lockContactsByKeys, runContactWrite } from './write.ts'

/** What a write of one contact is given beside the values, and how it answers. */
export interface ContactWriteRequest extends ContactWriteContext {
  view: ContactView
  /** The `unicity` parameter: one string per unicity field, or the concatenated one. */
  unicity?: string | string[] | undefined
  /** Whether a mandatory field which a new contact lacks is a fault. */
  strict?: boolean
  /** Gives the definitions, cached ones where they hold. */
  shapes?: ContactShapeLoader
}

/** The only unicity field takes the parameter's value where the body has none. */
function withUnicity(shape: ContactShape, body: FlatMap, unicity: string | string[] | undefined): FlatMap {
  const [only, ...others] = shape.unicity
  const [value, ...more] = [unicity ?? []].flat()
  if (!only || others.length > 0 || value === undefined || more.length > 0) return body
  const isGiven = Object.keys(body).some((key) => shape.find(key)?.id === only.id)
  return isGiven ? body : { ...body, [only.id]: value }
}

/** The contact a body asks for. Throws 400 with every fault, 400 `unicity-missing`. */
export function buildNewContact(shape: ContactShape, body: FlatMap, { unicity }: ContactWriteRequest): ContactWrite {
  const patch = requireContactPatch(shape, withUnicity(shape, body, unicity))
  return { patch, ...requireContactIdentity(shape, pickFilledValues(patch)) }
}

async function change(
  tx: Db,
  shape: ContactShape,
  { contact, patch, spelling }: { contact: LockedContact; patch: ContactPatch; spelling: UnicitySpelling },
  { clock }: ContactWriteContext,
): Promise<void> {
  const changed = computeContactChange(shape, contact, patch, spelling)
  if (changed) await saveContactChanges(tx, shape, [changed], new Date(clock.now()))
}

/**
 * Changes a contact; absent fields stay. Throws notFound, 400 with every fault, conflict `unicity-taken`;
 * then nothing is changed.
 */
export function updateContact(
  db: Db,
  account: AccountId,
  { id, body }: { id: number; body: FlatMap },
  request: ContactWriteRequest,
): Promise<ContactDocument> {
  const work = async (tx: Db, shape: ContactShape): Promise<ContactDocument> => {
    const [contact] = await lockContactsByIds(tx, account, [id])
    if (!contact) throw notFoundProblem('contact', formatContactId(id))
    await change(tx, shape, { contact, patch: requireContactPatch(shape, body), spelling: 'rewrite' }, request)
    return readContactWithShape(tx, shape, id, request.view)
  }
  return runContactWrite(db, account, work, request.shapes)
}

/**
 * Changes the contact which the parameter names, else the body, or creates it from the body. Throws 400 with every
 * fault, 400 `unicity-missing`, and conflict `unicity-taken` when a contact found by the parameter would be renamed to another.
 */
export function upsertContact(
  db: Db,
  account: AccountId,
  body: FlatMap,
  request: ContactWriteRequest,
): Promise<ContactDocument> {
  const work = async (tx: Db, shape: ContactShape): Promise<ContactDocument> => {
    const patch = requireContactPatch(shape, body)
    const key = request.unicity === undefined ? undefined : contactKeyFromUnicity(shape, request.unicity)
    const [contact] = key === undefined ? [] : await lockContactsByKeys(tx, account, [key])
    if (contact) {
      await change(tx, shape, { contact, patch, spelling: 'keep' }, request)
      return readContactWithShape(tx, shape, contact.id, request.view)
    }
    const write = buildNewContact(shape, body, request)
    const written = (await upsertContacts(tx, shape, [write], request)).get(write.key)
    if (written?.outcome === 'created' && request.strict) requireMandatoryFields(shape, write.patch)
    return readContactWithShape(tx, shape, written?.id ?? 0, request.view)
  }
  return runContactWrite(db, account, work, request.shapes)
}
