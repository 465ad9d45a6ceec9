import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { loadContactShape } from '../values/stored-shape.ts'
import type { ResolvedContact } from './contact-schemas.ts'
import { type ContactLookup, findContactsWithShape, toFootprint } from './find.ts'

/** A contact identification from a request body; `undefined` if it is malformed. */
function parseIdentification(shape: ContactShape, item: Record<string, unknown>): ContactLookup | undefined {
  const { type, value, id } = item
  if (type === 'footprint') return typeof id === 'string' ? { type: 'id', value: id } : undefined
  if ((type === 'id' || type === 'hash') && typeof value === 'string') return { type, value }
  const isUnicity =
    Array.isArray(value) &&
    value.length === shape.unicity.length &&
    value.every((unicityPart) => typeof unicityPart === 'string')
  return type === 'unicity' && isUnicity ? { type, value } : undefined
}

/** A flat map that holds every unicity field; undefined for one that lacks it or has an unknown key. */
function parseUnicityMap(shape: ContactShape, item: Record<string, unknown>): ContactLookup | undefined {
  const values = new Map<number, unknown>()
  for (const [key, value] of Object.entries(item)) {
    const field = shape.find(key)
    if (!field || values.has(field.id)) return undefined
    values.set(field.id, value)
  }
  const isComplete = shape.unicity.every(({ id }) => values.has(id))
  return isComplete ? { type: 'unicity', value: shape.unicity.map(({ id }) => values.get(id)) } : undefined
}

function parseLookupItem(shape: ContactShape, item: unknown): ContactLookup | undefined {
  if (!isJsonObject(item)) return undefined
  const isIdentification =
    typeof item['type'] === 'string' && ['id', 'unicity', 'hash', 'footprint'].includes(item['type'])
  return isIdentification ? parseIdentification(shape, item) : parseUnicityMap(shape, item)
}

/** Resolves each item, an identification or a flat map with the unicity fields; same order. Nothing is created. */
export async function resolveIdentifications(
  db: Db,
  account: AccountId,
  items: readonly unknown[],
): Promise<ResolvedContact[]> {
  const shape = await loadContactShape(db, account)
  const parsedLookups = items.map((item) => parseLookupItem(shape, item))
  const validLookups = parsedLookups.filter((contactLookup) => contactLookup !== undefined)
  const foundContacts = (await findContactsWithShape(db, shape, validLookups)).values()
  return items.map((recipient, place): ResolvedContact => {
    if (!parsedLookups[place]) return { type: 'error', value: { type: 'invalid recipient', recipient } }
    const contact = foundContacts.next().value
    return contact ? toFootprint(contact) : { type: 'error', value: { type: 'recipient not found', recipient } }
  })
}

/** As resolveIdentifications, for one item. */
export async function resolveIdentification(db: Db, account: AccountId, item: unknown): Promise<ResolvedContact> {
  const [resolvedContact] = await resolveIdentifications(db, account, [item])
  return resolvedContact ?? { type: 'error', value: { type: 'invalid recipient', recipient: item } }
}
