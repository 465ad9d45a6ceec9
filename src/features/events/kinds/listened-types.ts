import type { EventChannel, EventKind } from './event-kinds.ts'

/** Elements of the list that a member of an event filter holds. */
export type EventFilterRule =
  | { of: 'ids'; what: 'action' | 'rcsAction' | 'notification' | 'field' | 'segment' | 'import'; required?: true }
  | { of: 'texts'; most: number; required?: true }
  | { of: 'words'; words: readonly string[] }
  | { of: 'uuids' }

type FilterMembers = Readonly<Record<string, EventFilterRule>>

/** A list of a filter has no more items. */
export const MAX_EVENT_FILTER_ITEMS = 100

const buildIdRule = (idKind: Extract<EventFilterRule, { of: 'ids' }>['what']): EventFilterRule => ({
  of: 'ids',
  what: idKind,
})
const textRule: EventFilterRule = { of: 'texts', most: 255 }
const uuidRule: EventFilterRule = { of: 'uuids' }
const words = (...allowedWords: string[]): EventFilterRule => ({ of: 'words', words: allowedWords })

const actionIds = { ids: buildIdRule('action') }
const rcsIds = { ids: buildIdRule('rcsAction') }
const pushMembers = { ids: buildIdRule('notification'), versions: uuidRule }
const displayMembers = { campaigns: textRule, placements: textRule, contents: textRule }
const fieldMembers = { fields: buildIdRule('field') }
const membershipMembers: FilterMembers = { segments: { of: 'ids', what: 'segment', required: true } }
const applicationMembers = { applications: uuidRule }
const replyMembers = { ...actionIds, verdicts: words('hard', 'soft'), kinds: words('stop', 'other') }
const causeMembers = { ...actionIds, causes: textRule }

/** Origin of the events of a type. */
export type EventTypeOrigin = 'action' | 'rcs' | 'notification' | 'display' | 'notice' | 'custom'

/** Origin and filter members of the events of a type. */
export interface ListenedEventType {
  origin: EventTypeOrigin
  members: FilterMembers
}

function buildTypeEntries(
  origin: EventTypeOrigin,
  members: FilterMembers,
  ...types: string[]
): [string, ListenedEventType][] {
  return types.map((type) => [type, { origin, members }])
}

/** Every type of event that can be listened to, waited for or counted: where it comes from, and by what it is filtered. */
export const listenedEventTypes: ReadonlyMap<string, ListenedEventType> = new Map([
  ...buildTypeEntries(
    'action',
    causeMembers,
    'action.execution',
    'action.activation',
    'action.cancellation',
    'action.complaint',
  ),
  ...buildTypeEntries('action', causeMembers, 'action.delivery', 'action.stop'),
  ...buildTypeEntries('action', replyMembers, 'action.bounce', 'action.reply'),
  ...buildTypeEntries(
    'action',
    { ...actionIds, kinds: words('open', 'redirection', 'unsubscribe', 'mirror', 'form'), links: textRule },
    'action.hit',
  ),
  ...buildTypeEntries(
    'rcs',
    rcsIds,
    'rcs.execution',
    'rcs.activation',
    'rcs.cancellation',
    'rcs.bounce',
    'rcs.delivery',
    'rcs.reply',
  ),
  ...buildTypeEntries(
    'rcs',
    {
      ...rcsIds,
      kinds: words('read', 'text', 'file', 'location', 'suggestion', 'redirection', 'subscribe', 'unsubscribe'),
      postbacks: textRule,
    },
    'rcs.interaction',
  ),
  ...buildTypeEntries(
    'notification',
    pushMembers,
    'notification.execution',
    'notification.activation',
    'notification.cancellation',
  ),
  ...buildTypeEntries(
    'notification',
    pushMembers,
    'notification.bounce',
    'notification.impression',
    'notification.optout',
  ),
  ...buildTypeEntries('notification', { ...pushMembers, kinds: words('redirection', 'dismiss') }, 'notification.hit'),
  ...buildTypeEntries('display', displayMembers, 'display.activation', 'display.hit'),
  ...buildTypeEntries('notice', {}, 'target.created', 'target.deleted'),
  ...buildTypeEntries('notice', fieldMembers, 'target.updated', 'target.bounced'),
  ...buildTypeEntries('notice', { channels: words('mail', 'sms') }, 'target.redlisted'),
  ...buildTypeEntries('notice', membershipMembers, 'segment.entered', 'segment.left'),
  ...buildTypeEntries('notice', applicationMembers, 'subscription.created', 'subscription.deleted'),
  ...buildTypeEntries('notice', { imports: buildIdRule('import') }, 'import.completed'),
  ...buildTypeEntries('custom', { names: { of: 'texts', most: 128, required: true } }, 'custom'),
])

/** Storage of the events of a type: records of channels, or notices. */
export type EventTypeSource =
  | { from: 'events'; channels: readonly EventChannel[]; kinds: readonly EventKind[] }
  | { from: 'notices' }

const HIT_TYPES = [
  'hits/open',
  'hits/redirection',
  'hits/unsubscribe',
  'hits/mirror',
  'hits/form',
  'hits/dismiss',
] as const
const INTERACTION_TYPES = [
  'interactions/read',
  'interactions/text',
  'interactions/file',
  'interactions/location',
  'interactions/suggestion',
  'interactions/redirection',
  'interactions/subscribe',
  'interactions/unsubscribe',
] as const
const REPLY_TYPES = ['responses/stop', 'responses/other'] as const

/** Kinds by the second word of a type. */
const kindsByWord: Readonly<Record<string, readonly EventKind[]>> = {
  execution: ['executions'],
  activation: ['activations'],
  cancellation: ['cancellations'],
  bounce: ['bounces'],
  complaint: ['complaints'],
  delivery: ['deliveries'],
  stop: ['responses/stop'],
  reply: REPLY_TYPES,
  hit: HIT_TYPES,
  interaction: INTERACTION_TYPES,
  impression: ['impressions'],
  optout: ['optouts'],
}

/** Channels by the first word of a type. */
const channelsByOrigin: Readonly<Record<string, readonly EventChannel[]>> = {
  action: ['email', 'sms'],
  rcs: ['rcs'],
  notification: ['notification'],
  display: ['display'],
}

/** Returns the storage of the events of a type, such as `action.hit` or `segment.entered`. */
export function resolveEventSource(type: string): EventTypeSource {
  const [origin = '', word = ''] = type.split('.')
  const [channels, kinds] = [channelsByOrigin[origin], kindsByWord[word]]
  return channels && kinds ? { from: 'events', channels, kinds } : { from: 'notices' }
}

/** The types, as listeners name them, of a stored event: a stop is a reply too. */
export function findListenedTypes({ channel, kind }: { channel: EventChannel; kind: EventKind }): string[] {
  const origins = Object.keys(channelsByOrigin).filter((origin) => channelsByOrigin[origin]!.includes(channel))
  const words = Object.keys(kindsByWord).filter((word) => kindsByWord[word]!.includes(kind))
  return origins.flatMap((origin) => words.map((word) => `${origin}.${word}`))
}
