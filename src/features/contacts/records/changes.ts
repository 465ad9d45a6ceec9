import { sql } from 'kysely'
import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import { type NewNotice, type NoticeCause, writeNotices } from '../../notices/notices.ts'
import { attachPendingSubscriptions } from '../fields/devices.ts'
import type { StoredFields, StoredValue } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { type ContactPatch, pickFilledValues, requireContactIdentity } from './flat-map.ts'

/** A contact as a write reads it, its row locked. */
export interface LockedContact {
  id: number
  fields: StoredFields
  unicity: string
  key: string
  hash: string
}

/** A contact with its new values. */
export interface ContactRowChange extends Omit<LockedContact, 'hash'> {
  /** Fields whose value is another one now, ascending id. */
  changed: number[]
  /** Email and phone fields whose address is another one, not merely in case: their bounces are history. */
  readdressed: number[]
  /** The cause in its notice, if it differs from the cause of the whole transaction. */
  cause?: NoticeCause | undefined
}

/** `keep`: a unicity that differs from the stored one in case only leaves the stored spelling; `rewrite`: it replaces it. */
export type UnicitySpelling = 'keep' | 'rewrite'

export function createUnicityConflict(unicity: string): () => ReturnType<typeof conflictProblem> {
  return () =>
    conflictProblem('unicity-taken', `Another contact has the unicity "${unicity}". Change that contact instead.`)
}

function omitUnicity(shape: ContactShape, patch: ContactPatch): ContactPatch {
  const otherValues = { ...patch }
  for (const { id } of shape.unicity) delete otherValues[id]
  return otherValues
}

/** True if two values are equal; indexes of labels are stored in ascending order. */
function isSameValue(before: StoredValue | undefined, after: StoredValue | undefined): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after
  return before.length === after.length && before.every((index, place) => index === after[place])
}

function hasAddressChanged(before: StoredValue | undefined, after: StoredValue | undefined): boolean {
  return (
    typeof before === 'string' && (typeof after !== 'string' || toMailAddressKey(before) !== toMailAddressKey(after))
  )
}

/**
 * Computes the change that a patch makes to a contact; `undefined` if no value really changes. Throws 400 if it would leave the contact
 * without unicity, or with one that is too long.
 */
export function computeContactChange(
  shape: ContactShape,
  contact: LockedContact,
  patch: ContactPatch,
  spelling: UnicitySpelling,
): ContactRowChange | undefined {
  const identity = requireContactIdentity(shape, pickFilledValues({ ...contact.fields, ...patch }))
  const keepsUnicity = spelling === 'keep' && identity.key === contact.key
  const newFields = pickFilledValues({ ...contact.fields, ...(keepsUnicity ? omitUnicity(shape, patch) : patch) })
  const changedFields = shape.fields.filter(({ id }) => !isSameValue(newFields[id], contact.fields[id]))
  if (changedFields.length === 0) return undefined
  const { unicity, key } = keepsUnicity ? contact : identity
  return {
    id: contact.id,
    fields: newFields,
    unicity,
    key,
    changed: changedFields.map(({ id }) => id),
    readdressed: changedFields
      .filter(({ type }) => isAddressFieldType(type))
      .filter(({ id }) => hasAddressChanged(contact.fields[id], newFields[id]))
      .map(({ id }) => id),
  }
}

/** Deletes the bounce flags and soft counts of addresses that have been replaced. */
async function clearReplacedBounces(tx: Db, shape: ContactShape, changes: readonly ContactRowChange[]): Promise<void> {
  const replacedAddresses = changes.flatMap(({ id, readdressed }) =>
    readdressed.map((field) => ({ contact: id, field })),
  )
  if (replacedAddresses.length === 0) return
  const replacedRows = sql`unnest(
    ${replacedAddresses.map(({ contact }) => contact)}::bigint[], ${replacedAddresses.map(({ field }) => field)}::integer[]) as o(contact, field)`
  for (const table of ['bounce_flags', 'soft_bounces']) {
    await sql`
      delete from ${sql.table(table)} b using ${replacedRows}
      where b.account = ${shape.account} and b.contact = o.contact and b.field = o.field`.execute(tx)
  }
}

function buildUpdateNotice({ id, changed, cause }: ContactRowChange): NewNotice {
  return { type: 'target.updated', contact: id, data: { fields: changed }, ...(cause && { cause }) }
}

/**
 * Writes changes of locked contacts in one statement and forgets the bounces of their former addresses.
 * Throws conflict `unicity-taken`.
 */
export async function saveContactChanges(
  tx: Db,
  shape: ContactShape,
  changes: readonly ContactRowChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const updateStatement = sql`
    update contacts c
    set fields = n.fields, unicity = n.unicity, key = n.key, hash = decode(md5(n.unicity), 'hex'), updated_at = ${now}
    from unnest(
      ${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ fields }) => JSON.stringify(fields))}::jsonb[],
      ${changes.map(({ unicity }) => unicity)}::text[], ${changes.map(({ key }) => key)}::text[]
    ) as n(id, fields, unicity, key)
    where c.account = ${shape.account} and c.id = n.id`
  await mapConstraintErrors(updateStatement.execute(tx), { unique: createUnicityConflict(changes[0]?.unicity ?? '') })
  await clearReplacedBounces(tx, shape, changes)
  const changedHashes = sql`select decode(md5(u), 'hex') from unnest(${changes.map(({ unicity }) => unicity)}::text[]) u`
  if (shape.awaitsDevices) await attachPendingSubscriptions(tx, shape.account, now, changedHashes)
  if (shape.listening.has('target.updated')) await writeNotices(tx, shape.account, changes.map(buildUpdateNotice))
}
