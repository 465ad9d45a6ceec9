import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, notFound } from '../../lib/errors/problem.ts'
import type { Wanted } from '../events/history/reading.ts'
import { type Channel, channels, type Kind, kindsBelow, typeOf } from '../events/kinds/event-kinds.ts'
import type { CampaignFilter, Item, ItemsEvents } from './campaign-schemas.ts'
import { readCampaign } from './campaigns.ts'
import { channelOfItem, displayNumbers, itemKey, readItem } from './items.ts'

/** The last part of a kind: what distinguishes it among those of its type. */
function subtypeOf(kind: Kind): string {
  return kind.split('/')[1] ?? ''
}

/** Throws 400 for a subtype that no kind of the type has. */
function checkSubtypes({ events = [] }: ItemsEvents, pointer: string, all: readonly Kind[]): void {
  for (const [place, { type, subtypes = [] }] of events.entries()) {
    const known = all.filter((kind) => typeOf(kind) === type).map(subtypeOf)
    const unknown = subtypes.findIndex((subtype) => subtype === '' || !known.includes(subtype))
    if (unknown < 0) continue
    const choice = known.some((subtype) => subtype !== '') ? `must be one of ${known.join(', ')}` : 'has no subtypes'
    throw badRequest(`${pointer}/events/${place}/subtypes/${unknown}`, choice)
  }
}

function isWanted(kind: Kind, { events }: ItemsEvents): boolean {
  if (!events) return true
  return events.some(({ type, subtypes }) => typeOf(kind) === type && (!subtypes || subtypes.includes(subtypeOf(kind))))
}

function itemsOf(entry: ItemsEvents, pointer: string, all: readonly Item[]): Item[] {
  if (!entry.items) return all.filter(({ type }) => type === entry.type)
  const known = new Map(all.map((item) => [itemKey(readItem(item, '')), item]))
  return entry.items.map((id, place) => {
    const item = known.get(itemKey(readItem({ type: entry.type, id }, `${pointer}/items/${place}`)))
    if (!item) throw notFound(`${entry.type} item`, id)
    return item
  })
}

/**
 * The events that a filter wants of a campaign's items; all of them without one. Each item once: entries add up.
 * Throws notFound for a campaign, or an item that is not in it, and 400 for an unknown word.
 */
export async function wantedEvents(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  filter: CampaignFilter | null,
): Promise<Wanted[]> {
  const { items } = await readCampaign(db, account, id)
  const types = [...new Set(items.map(({ type }) => type))]
  const entries = filter?.itemsEvents ?? types.map((type): ItemsEvents => ({ type }))
  const displays = await displayNumbers(db, account, items)
  const every = kindsBelow('', channels)
  const wanted = new Map<string, { channel: Channel; subject: number; kinds: Set<Kind> }>()
  for (const [place, entry] of entries.entries()) {
    const pointer = `/itemsEvents/${place}`
    checkSubtypes(entry, pointer, every)
    for (const item of itemsOf(entry, pointer, items)) {
      const stored = readItem(item, pointer)
      const channel = channelOfItem(item.type)
      const subject = stored.number ?? displays.get(stored.name ?? '')
      if (channel === undefined || subject === undefined) continue
      const key = itemKey(stored)
      const present = wanted.get(key) ?? { channel, subject, kinds: new Set<Kind>() }
      for (const kind of kindsBelow('', [channel])) if (isWanted(kind, entry)) present.kinds.add(kind)
      wanted.set(key, present)
    }
  }
  return [...wanted.values()].filter(({ kinds }) => kinds.size > 0).map((one) => ({ ...one, kinds: [...one.kinds] }))
}
