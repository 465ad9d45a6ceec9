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
function subtypeOf(kind: EventKind): string {
  return kind.split('/')[1] ?? ''
}

/** Throws 400 for a subtype that no kind of the type has. */
function checkSubtypes({ events = [] }: CampaignItemEvents, pointer: string, all: readonly EventKind[]): void {
  for (const [place, { type, subtypes = [] }] of events.entries()) {
    const known = all.filter((kind) => toEventType(kind) === type).map(subtypeOf)
    const unknown = subtypes.findIndex((subtype) => subtype === '' || !known.includes(subtype))
    if (unknown < 0) continue
    const choice = known.some((subtype) => subtype !== '') ? `must be one of ${known.join(', ')}` : 'has no subtypes'
    throw badRequestProblem(`${pointer}/events/${place}/subtypes/${unknown}`, choice)
  }
}

function isWanted(kind: EventKind, { events }: CampaignItemEvents): boolean {
  if (!events) return true
  return events.some(
    ({ type, subtypes }) => toEventType(kind) === type && (!subtypes || subtypes.includes(subtypeOf(kind))),
  )
}

function itemsOf(entry: CampaignItemEvents, pointer: string, all: readonly CampaignItem[]): CampaignItem[] {
  if (!entry.items) return all.filter(({ type }) => type === entry.type)
  const known = new Map(all.map((item) => [campaignItemKey(parseCampaignItem(item, '')), item]))
  return entry.items.map((id, place) => {
    const item = known.get(campaignItemKey(parseCampaignItem({ type: entry.type, id }, `${pointer}/items/${place}`)))
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
  const displays = await readDisplayNumbers(db, account, items)
  const every = listKindsBelow('', eventChannels)
  const wanted = new Map<string, { channel: EventChannel; subject: number; kinds: Set<EventKind> }>()
  for (const [place, entry] of entries.entries()) {
    const pointer = `/itemsEvents/${place}`
    checkSubtypes(entry, pointer, every)
    for (const item of itemsOf(entry, pointer, items)) {
      const stored = parseCampaignItem(item, pointer)
      const channel = campaignItemChannel(item.type)
      const subject = stored.number ?? displays.get(stored.name ?? '')
      if (channel === undefined || subject === undefined) continue
      const key = campaignItemKey(stored)
      const present = wanted.get(key) ?? { channel, subject, kinds: new Set<EventKind>() }
      for (const kind of listKindsBelow('', [channel])) if (isWanted(kind, entry)) present.kinds.add(kind)
      wanted.set(key, present)
    }
  }
  return [...wanted.values()].filter(({ kinds }) => kinds.size > 0).map((one) => ({ ...one, kinds: [...one.kinds] }))
}
