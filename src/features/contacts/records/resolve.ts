import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { isObject } from '../../../lib/objects.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { loadShape } from '../values/stored-shape.ts'
import type { Resolved } from './contact-schemas.ts'
import { footprintOf, resolveContacts, type Sought } from './find.ts'

/** An identification of common.md; undefined when it is malformed. */
function readIdentification(shape: ContactShape, item: Record<string, unknown>): Sought | undefined {
  const { type, value, id } = item
  if (type === 'footprint') return typeof id === 'string' ? { type: 'id', value: id } : undefined
  if ((type === 'id' || type === 'hash') && typeof value === 'string') return { type, value }
  const isUnicity =
    Array.isArray(value) && value.length === shape.unicity.length && value.every((one) => typeof one === 'string')
  return type === 'unicity' && isUnicity ? { type, value } : undefined
}

/** A flat map that holds every unicity field; undefined for one that lacks it or has an unknown key. */
function readMap(shape: ContactShape, item: Record<string, unknown>): Sought | undefined {
  const values = new Map<number, unknown>()
  for (const [key, value] of Object.entries(item)) {
    const field = shape.find(key)
    if (!field || values.has(field.id)) return undefined
    values.set(field.id, value)
  }
  const isWhole = shape.unicity.every(({ id }) => values.has(id))
  return isWhole ? { type: 'unicity', value: shape.unicity.map(({ id }) => values.get(id)) } : undefined
}

function readItem(shape: ContactShape, item: unknown): Sought | undefined {
  if (!isObject(item)) return undefined
  const isIdentification =
    typeof item['type'] === 'string' && ['id', 'unicity', 'hash', 'footprint'].includes(item['type'])
  return isIdentification ? readIdentification(shape, item) : readMap(shape, item)
}

/** Resolves each item, an identification or a flat map with the unicity fields; same order. Nothing is created. */
export async function resolveItems(db: Db, account: AccountId, items: readonly unknown[]): Promise<Resolved[]> {
  const shape = await loadShape(db, account)
  const sought = items.map((item) => readItem(shape, item))
  const readable = sought.filter((one) => one !== undefined)
  const found = (await resolveContacts(db, shape, readable)).values()
  return items.map((recipient, place): Resolved => {
    if (!sought[place]) return { type: 'error', value: { type: 'invalid recipient', recipient } }
    const contact = found.next().value
    return contact ? footprintOf(contact) : { type: 'error', value: { type: 'recipient not found', recipient } }
  })
}

/** As resolveItems, for one item. */
export async function resolveItem(db: Db, account: AccountId, item: unknown): Promise<Resolved> {
  const [resolved] = await resolveItems(db, account, [item])
  return resolved ?? { type: 'error', value: { type: 'invalid recipient', recipient: item } }
}
