import { type RawBuilder, sql } from 'kysely'
import { findActionFamily } from '../../channels/action-families.ts'
import { type ActionChannelName, actionChannelNames, getChannelTraits } from '../../channels/channel-traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { formatActionId } from '../../lib/ids.ts'
import { MAX_INT32 } from '../../lib/int32.ts'
import type { EventChannel } from '../events/kinds/event-kinds.ts'
import type { CampaignItem, CampaignItemType } from './campaign-schemas.ts'

export const MAX_CAMPAIGN_ITEMS = 500

/** An item as it is stored: by number, display campaigns by name. */
export interface StoredCampaignItem {
  type: CampaignItemType
  number: number | null
  name: string | null
}

interface ItemKind {
  idType: 'string' | 'number'
  /** Channel of its events; a workflow has no events of its own. */
  channel: EventChannel | undefined
  /** The stored form of an id; undefined for one that cannot exist. */
  read: (id: string) => Omit<StoredCampaignItem, 'type'> | undefined
  /** True if the item `i` of the account exists. */
  exists: (account: AccountId) => RawBuilder<unknown>
}

function parseNumericId(id: string): Omit<StoredCampaignItem, 'type'> | undefined {
  const numericId = Number(id)
  return numericId >= 1 && numericId <= MAX_INT32 ? { number: numericId, name: null } : undefined
}

function buildActionExists(types: readonly string[]) {
  return (account: AccountId) => sql`
    exists (select from actions a where a.account = ${account} and a.id = i.number and a.deleted_at is null
      and a.type = any(${types}::text[]))`
}

/** Actions, by their channel. */
const actionKinds = Object.fromEntries(
  actionChannelNames.map((channel): [ActionChannelName, ItemKind] => {
    const { sourceKind, actions } = getChannelTraits(channel)
    const family = findActionFamily(sourceKind)
    const readActionId = (id: string) => {
      const number = family?.readId(id)
      return number === undefined ? undefined : { number, name: null }
    }
    const idType = typeof family?.showId(1) === 'string' ? 'string' : 'number'
    return [channel, { idType, channel, read: readActionId, exists: buildActionExists(Object.values(actions)) }]
  }),
) as Record<ActionChannelName, ItemKind>

/** The items that a campaign can group. */
const itemKinds: Record<CampaignItemType, ItemKind> = {
  ...actionKinds,
  notification: {
    idType: 'number',
    channel: 'notification',
    read: parseNumericId,
    exists: (account) => sql`
      exists (select from notifications n where n.account = ${account} and n.id = i.number and n.deleted_at is null)`,
  },
  workflow: {
    idType: 'number',
    channel: undefined,
    read: parseNumericId,
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
export function toCampaignItem({ type, number, name }: StoredCampaignItem): CampaignItem {
  if (name !== null) return { type, id: name }
  return { type, id: itemKinds[type].idType === 'string' ? formatActionId(number ?? 0) : (number ?? 0) }
}

/** The channel of an item's events. `undefined` if it has none. */
export function campaignItemChannel(type: CampaignItemType): EventChannel | undefined {
  return itemKinds[type].channel
}

/** One text for one item. */
export function campaignItemKey({ type, number, name }: StoredCampaignItem): string {
  return `${type} ${number ?? name}`
}

function itemNotFoundProblem({ type, id }: CampaignItem) {
  return notFoundProblem(`${type} item`, id)
}

/** Reads an item. Throws 400 at the pointer for an id of the wrong JSON type, 404 for one that cannot exist. */
export function parseCampaignItem(item: CampaignItem, pointer: string): StoredCampaignItem {
  const { idType, read: readItemId } = itemKinds[item.type]
  if (typeof item.id !== idType)
    throw badRequestProblem(`${pointer}/id`, `must be a ${idType} for the type ${item.type}`)
  const storedItem = readItemId(String(item.id))
  if (!storedItem) throw itemNotFoundProblem(item)
  return { type: item.type, ...storedItem }
}

/** Reads an item of a path, where every id is text. Throws 404 for what can be none. */
export function parseCampaignItemPath(type: string, id: string): StoredCampaignItem {
  const itemKind = Object.hasOwn(itemKinds, type) ? itemKinds[type as CampaignItemType] : undefined
  const storedItem = itemKind?.read(id)
  if (!storedItem) throw notFoundProblem(`${type} item`, id)
  return { type: type as CampaignItemType, ...storedItem }
}

/** Reads items and leaves out those that equal an earlier one. Throws like `parseCampaignItem`, and 400 for too many. */
export function parseCampaignItems(inputItems: readonly CampaignItem[], pointer: string): StoredCampaignItem[] {
  const items = new Map<string, StoredCampaignItem>()
  for (const [itemIndex, item] of inputItems.entries()) {
    const storedItem = parseCampaignItem(item, `${pointer}/${itemIndex}`)
    if (!items.has(campaignItemKey(storedItem))) items.set(campaignItemKey(storedItem), storedItem)
  }
  if (items.size > MAX_CAMPAIGN_ITEMS)
    throw badRequestProblem(pointer, `a campaign has at most ${MAX_CAMPAIGN_ITEMS} items`)
  return [...items.values()]
}

/** Items as a table `i` (type, number, name, place). */
export function campaignItemTableSql(items: readonly StoredCampaignItem[]): RawBuilder<unknown> {
  return sql`unnest(
    ${items.map(({ type }) => type)}::text[], ${items.map(({ number }) => number)}::integer[],
    ${items.map(({ name }) => name)}::text[]) with ordinality as i(type, number, name, place)`
}

/** The numbers by which events know the display campaigns among items, by their ids. */
export async function readDisplayNumbers(
  db: Db,
  account: AccountId,
  items: readonly CampaignItem[],
): Promise<Map<string, number>> {
  const ids = items.flatMap(({ type, id }) => (type === 'display' ? [String(id)] : []))
  const { rows } = await sql<{ id: string; number: number }>`
    select id, number from display_campaigns where account = ${account} and id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** Throws 404 for the first item that does not belong to the account or is of another channel. */
export async function requireCampaignItems(
  db: Db,
  account: AccountId,
  items: readonly StoredCampaignItem[],
): Promise<void> {
  if (items.length === 0) return
  const existsCases = Object.entries(itemKinds).map(
    ([type, { exists }]) => sql`when ${sql.lit(type)} then ${exists(account)}`,
  )
  const { rows } = await sql<StoredCampaignItem>`
    select i.type, i.number, i.name from ${campaignItemTableSql(items)}
    where not case i.type ${sql.join(existsCases, sql` `)} end order by i.place limit 1`.execute(db)
  const [missingItem] = rows
  if (missingItem) throw itemNotFoundProblem(toCampaignItem(missingItem))
}
