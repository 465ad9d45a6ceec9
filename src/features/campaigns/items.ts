import { type RawBuilder, sql } from 'kysely'
import { type ActionChannel, actionChannels, factsOf } from '../../channels/facts.ts'
import { familyNamed } from '../../channels/families.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, notFound } from '../../lib/errors/problem.ts'
import { actionId } from '../../lib/ids.ts'
import type { Channel } from '../events/kinds/event-kinds.ts'
import type { Item, ItemType } from './campaign-schemas.ts'

export const MAX_ITEMS = 500

/** An item as it is stored: by number, display campaigns by name. */
export interface StoredItem {
  type: ItemType
  number: number | null
  name: string | null
}

interface ItemKind {
  idType: 'string' | 'number'
  /** Of its events; a workflow has none of its own. */
  channel: Channel | undefined
  /** The stored form of an id; undefined for one that cannot exist. */
  read: (id: string) => Omit<StoredItem, 'type'> | undefined
  /** Whether the item `i` of the account exists. */
  exists: (account: AccountId) => RawBuilder<unknown>
}

function byNumber(id: string): Omit<StoredItem, 'type'> | undefined {
  const number = Number(id)
  return number >= 1 && number <= 0x7fffffff ? { number, name: null } : undefined
}

function actionOf(types: readonly string[]) {
  return (account: AccountId) => sql`
    exists (select from actions a where a.account = ${account} and a.id = i.number and a.deleted_at is null
      and a.type = any(${types}::text[]))`
}

/** Actions, by their channel. */
const actionKinds = Object.fromEntries(
  actionChannels.map((channel): [ActionChannel, ItemKind] => {
    const { sourceKind, actions } = factsOf(channel)
    const family = familyNamed(sourceKind)
    const read = (id: string) => {
      const number = family?.readId(id)
      return number === undefined ? undefined : { number, name: null }
    }
    const idType = typeof family?.showId(1) === 'string' ? 'string' : 'number'
    return [channel, { idType, channel, read, exists: actionOf(Object.values(actions)) }]
  }),
) as Record<ActionChannel, ItemKind>

/** What a campaign can group. */
const kinds: Record<ItemType, ItemKind> = {
  ...actionKinds,
  notification: {
    idType: 'number',
    channel: 'notification',
    read: byNumber,
    exists: (account) => sql`
      exists (select from notifications n where n.account = ${account} and n.id = i.number and n.deleted_at is null)`,
  },
  workflow: {
    idType: 'number',
    channel: undefined,
    read: byNumber,
    exists: (account) => sql`
      exists (select from workflows w where w.account = ${account} and w.id = i.number and w.deleted_at is null)`,
  },
  display: {
    idType: 'string',
    channel: 'display',
    read: (name) => ({ number: null, name }),
    exists: (account) => sql`
      exists (select from display_campaigns d where d.account = ${account} and d.id = i.name and d.deleted_at is null)`,
  },
}

/** An item as a caller sees it. */
export function shownItem({ type, number, name }: StoredItem): Item {
  if (name !== null) return { type, id: name }
  return { type, id: kinds[type].idType === 'string' ? actionId(number ?? 0) : (number ?? 0) }
}

/** The channel of an item's events; undefined when it has none. */
export function channelOfItem(type: ItemType): Channel | undefined {
  return kinds[type].channel
}

/** One text for one item. */
export function itemKey({ type, number, name }: StoredItem): string {
  return `${type} ${number ?? name}`
}

function unknownItem({ type, id }: Item) {
  return notFound(`${type} item`, id)
}

/** Reads an item. Throws 400 at the pointer for an id of the wrong JSON type, 404 for one that cannot exist. */
export function readItem(item: Item, pointer: string): StoredItem {
  const { idType, read } = kinds[item.type]
  if (typeof item.id !== idType) throw badRequest(`${pointer}/id`, `must be a ${idType} for the type ${item.type}`)
  const stored = read(String(item.id))
  if (!stored) throw unknownItem(item)
  return { type: item.type, ...stored }
}

/** Reads an item of a path, where every id is text. Throws 404 for what can be none. */
export function readItemOfPath(type: string, id: string): StoredItem {
  const kind = Object.hasOwn(kinds, type) ? kinds[type as ItemType] : undefined
  const stored = kind?.read(id)
  if (!stored) throw notFound(`${type} item`, id)
  return { type: type as ItemType, ...stored }
}

/** Reads items and leaves out those that equal an earlier one. Throws like `readItem`, and 400 for too many. */
export function readItems(given: readonly Item[], pointer: string): StoredItem[] {
  const items = new Map<string, StoredItem>()
  for (const [place, item] of given.entries()) {
    const stored = readItem(item, `${pointer}/${place}`)
    if (!items.has(itemKey(stored))) items.set(itemKey(stored), stored)
  }
  if (items.size > MAX_ITEMS) throw badRequest(pointer, `a campaign has at most ${MAX_ITEMS} items`)
  return [...items.values()]
}

/** Items as a table `i` (type, number, name, place). */
export function itemRows(items: readonly StoredItem[]): RawBuilder<unknown> {
  return sql`unnest(
    ${items.map(({ type }) => type)}::text[], ${items.map(({ number }) => number)}::integer[],
    ${items.map(({ name }) => name)}::text[]) with ordinality as i(type, number, name, place)`
}

/** The numbers by which events know the display campaigns among items, by their ids. */
export async function displayNumbers(db: Db, account: AccountId, items: readonly Item[]): Promise<Map<string, number>> {
  const ids = items.flatMap(({ type, id }) => (type === 'display' ? [String(id)] : []))
  const { rows } = await sql<{ id: string; number: number }>`
    select id, number from display_campaigns where account = ${account} and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** Throws 404 for the first item that is none of the account's, or of another channel. */
export async function requireItems(db: Db, account: AccountId, items: readonly StoredItem[]): Promise<void> {
  if (items.length === 0) return
  const cases = Object.entries(kinds).map(([type, { exists }]) => sql`when ${sql.lit(type)} then ${exists(account)}`)
  const { rows } = await sql<StoredItem>`
    select i.type, i.number, i.name from ${itemRows(items)}
    where not case i.type ${sql.join(cases, sql` `)} end order by i.place limit 1`.execute(db)
  const [missing] = rows
  if (missing) throw unknownItem(shownItem(missing))
}
