import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { SubjectEventKinds } from '../events/history/reading.ts'
import {
  type EventChannel,
  type EventKind,
  eventChannels,
  listKindsBelow,
  toEventType,
} from '../events/kinds/event-kinds.ts'
import type { CampaignEventFilter, CampaignItem, CampaignItemEvents } from './campaign-schemas.ts'
import { loadCampaign } from './campaigns.ts'
import { campaignItemChannel, campaignItemKey, parseCampaignItem, readDisplayNumbers } from './items.ts'

/** The last part of a kind: what distinguishes it among those of its type. */
function extractSubtype(kind: EventKind): string {
  return kind.split('/')[1] ?? ''
}

/** Throws 400 for a subtype that no kind of the type has. */
function assertSubtypes({ events = [] }: CampaignItemEvents, pointer: string, allKinds: readonly EventKind[]): void {
  for (const [entryIndex, { type, subtypes = [] }] of events.entries()) {
    const knownSubtypes = allKinds.filter((kind) => toEventType(kind) === type).map(extractSubtype)
    const unknownIndex = subtypes.findIndex((subtype) => subtype === '' || !knownSubtypes.includes(subtype))
    if (unknownIndex < 0) continue
    const expectation = knownSubtypes.some((subtype) => subtype !== '')
      ? `must be one of ${knownSubtypes.join(', ')}`
      : 'has no subtypes'
    throw badRequestProblem(`${pointer}/events/${entryIndex}/subtypes/${unknownIndex}`, expectation)
  }
}

function matchesEntry(kind: EventKind, { events }: CampaignItemEvents): boolean {
  if (!events) return true
  return events.some(
    ({ type, subtypes }) => toEventType(kind) === type && (!subtypes || subtypes.includes(extractSubtype(kind))),
  )
}

function resolveEntryItems(
  entry: CampaignItemEvents,
  pointer: string,
  allItems: readonly CampaignItem[],
): CampaignItem[] {
  if (!entry.items) return allItems.filter(({ type }) => type === entry.type)
  const itemsByKey = new Map(allItems.map((item) => [campaignItemKey(parseCampaignItem(item, '')), item]))
  return entry.items.map((id, place) => {
    const item = itemsByKey.get(
      campaignItemKey(parseCampaignItem({ type: entry.type, id }, `${pointer}/items/${place}`)),
    )
    if (!item) throw notFoundProblem(`${entry.type} item`, id)
    return item
  })
}

/**
 * The events that a filter wants of a campaign's items; all of them without one. Each item once: entries add up.
 * Throws notFound for a campaign, or an item that is not in it, and 400 for an unknown word.
 */
export async function selectCampaignEvents(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  filter: CampaignEventFilter | null,
): Promise<SubjectEventKinds[]> {
  const { items } = await loadCampaign(db, account, id)
  const types = [...new Set(items.map(({ type }) => type))]
  const entries = filter?.itemsEvents ?? types.map((type): CampaignItemEvents => ({ type }))
  const displayNumbers = await readDisplayNumbers(db, account, items)
  const allKinds = listKindsBelow('', eventChannels)
  const selections = new Map<string, { channel: EventChannel; subject: number; kinds: Set<EventKind> }>()
  for (const [entryIndex, entry] of entries.entries()) {
    const pointer = `/itemsEvents/${entryIndex}`
    assertSubtypes(entry, pointer, allKinds)
    for (const item of resolveEntryItems(entry, pointer, items)) {
      const storedItem = parseCampaignItem(item, pointer)
      const channel = campaignItemChannel(item.type)
      const subject = storedItem.number ?? displayNumbers.get(storedItem.name ?? '')
      if (channel === undefined || subject === undefined) continue
      const key = campaignItemKey(storedItem)
      const selection = selections.get(key) ?? { channel, subject, kinds: new Set<EventKind>() }
      for (const kind of listKindsBelow('', [channel])) if (matchesEntry(kind, entry)) selection.kinds.add(kind)
      selections.set(key, selection)
    }
  }
  return [...selections.values()]
    .filter(({ kinds }) => kinds.size > 0)
    .map((selected) => ({ ...selected, kinds: [...selected.kinds] }))
}
