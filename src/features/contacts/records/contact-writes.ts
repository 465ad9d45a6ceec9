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

/** Request for a write of one contact: its context in addition to the values, and the form of the response. */
export interface ContactWriteRequest extends ContactWriteContext {
  view: ContactView
  /** The `unicity` parameter: one string per unicity field, or the concatenated one. */
  unicity?: string | string[] | undefined
  /** True if a missing mandatory field of a new contact is a fault. */
  strict?: boolean
  /** Gives the definitions, cached ones where they hold. */
  shapes?: ContactShapeLoader
}

/** Sets the only unicity field to the value of the parameter if the body does not contain it. */
function addUnicityValue(shape: ContactShape, body: FlatMap, unicity: string | string[] | undefined): FlatMap {
  const [onlyField, ...otherFields] = shape.unicity
  const [value, ...furtherValues] = [unicity ?? []].flat()
  if (!onlyField || otherFields.length > 0 || value === undefined || furtherValues.length > 0) return body
  const hasUnicityValue = Object.keys(body).some((key) => shape.find(key)?.id === onlyField.id)
  return hasUnicityValue ? body : { ...body, [onlyField.id]: value }
}

/** The contact a body asks for. Throws 400 with every fault, 400 `unicity-missing`. */
export function buildNewContact(shape: ContactShape, body: FlatMap, { unicity }: ContactWriteRequest): ContactWrite {
  const patch = requireContactPatch(shape, addUnicityValue(shape, body, unicity))
  return { patch, ...requireContactIdentity(shape, pickFilledValues(patch)) }
}

async function changeContact(
  tx: Db,
  shape: ContactShape,
  { contact, patch, spelling }: { contact: LockedContact; patch: ContactPatch; spelling: UnicitySpelling },
  { clock }: ContactWriteContext,
): Promise<void> {
  const contactChange = computeContactChange(shape, contact, patch, spelling)
  if (contactChange) await saveContactChanges(tx, shape, [contactChange], new Date(clock.now()))
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
    await changeContact(tx, shape, { contact, patch: requireContactPatch(shape, body), spelling: 'rewrite' }, request)
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
      await changeContact(tx, shape, { contact, patch, spelling: 'keep' }, request)
      return readContactWithShape(tx, shape, contact.id, request.view)
    }
    const write = buildNewContact(shape, body, request)
    const writtenContact = (await upsertContacts(tx, shape, [write], request)).get(write.key)
    if (writtenContact?.outcome === 'created' && request.strict) requireMandatoryFields(shape, write.patch)
    return readContactWithShape(tx, shape, writtenContact?.id ?? 0, request.view)
  }
  return runContactWrite(db, account, work, request.shapes)
}
