import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { Shapes } from '../values/stored-shape.ts'
import { changeOf, type LockedContact, type Spelling, saveChanges } from './changes.ts'
import type { ContactDocument, FlatMap } from './contact-schemas.ts'
import { showContact } from './contacts.ts'
import type { View } from './documents.ts'
import { keySought } from './find.ts'
import { filledValues, type Patch, requireIdentity, requireMandatory, requirePatch } from './flat-map.ts'
import { type ContactWrite, upsertContacts } from './upsert.ts'
import { lockByIds, lockByKeys, type Writing, writeContacts } from './write.ts'

/** What a write of one contact is given beside the values, and how it answers. */
export interface ContactRequest extends Writing {
  view: View
  /** The `unicity` parameter: one string per unicity field, or the concatenated one. */
  unicity?: string | string[] | undefined
  /** Whether a mandatory field which a new contact lacks is a fault. */
  strict?: boolean
  /** Gives the definitions, cached ones where they hold. */
  shapes?: Shapes
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
export function newContact(shape: ContactShape, body: FlatMap, { unicity }: ContactRequest): ContactWrite {
  const patch = requirePatch(shape, withUnicity(shape, body, unicity))
  return { patch, ...requireIdentity(shape, filledValues(patch)) }
}

async function change(
  tx: Db,
  shape: ContactShape,
  { contact, patch, spelling }: { contact: LockedContact; patch: Patch; spelling: Spelling },
  { clock }: Writing,
): Promise<void> {
  const changed = changeOf(shape, contact, patch, spelling)
  if (changed) await saveChanges(tx, shape, [changed], new Date(clock.now()))
}

/**
 * Changes a contact; absent fields stay. Throws notFound, 400 with every fault, conflict `unicity-taken`;
 * then nothing is changed.
 */
export function updateContact(
  db: Db,
  account: AccountId,
  { id, body }: { id: number; body: FlatMap },
  request: ContactRequest,
): Promise<ContactDocument> {
  const work = async (tx: Db, shape: ContactShape): Promise<ContactDocument> => {
    const [contact] = await lockByIds(tx, account, [id])
    if (!contact) throw notFound('contact', contactId(id))
    await change(tx, shape, { contact, patch: requirePatch(shape, body), spelling: 'rewrite' }, request)
    return showContact(tx, shape, id, request.view)
  }
  return writeContacts(db, account, work, request.shapes)
}

/**
 * Changes the contact which the parameter names, else the body, or creates it from the body. Throws 400 with every
 * fault, 400 `unicity-missing`, and conflict `unicity-taken` when a contact found by the parameter would be renamed to another.
 */
export function upsertContact(
  db: Db,
  account: AccountId,
  body: FlatMap,
  request: ContactRequest,
): Promise<ContactDocument> {
  const work = async (tx: Db, shape: ContactShape): Promise<ContactDocument> => {
    const patch = requirePatch(shape, body)
    const key = request.unicity === undefined ? undefined : keySought(shape, request.unicity)
    const [contact] = key === undefined ? [] : await lockByKeys(tx, account, [key])
    if (contact) {
      await change(tx, shape, { contact, patch, spelling: 'keep' }, request)
      return showContact(tx, shape, contact.id, request.view)
    }
    const write = newContact(shape, body, request)
    const written = (await upsertContacts(tx, shape, [write], request)).get(write.key)
    if (written?.outcome === 'created' && request.strict) requireMandatory(shape, write.patch)
    return showContact(tx, shape, written?.id ?? 0, request.view)
  }
  return writeContacts(db, account, work, request.shapes)
}
