import type { EventChannel, EventKind } from './event-kinds.ts'

/** What a member of a filter of events is a list of. */
export type EventFilterRule =
  | { of: 'ids'; what: 'action' | 'rcsAction' | 'notification' | 'field' | 'segment' | 'import'; required?: true }
  | { of: 'texts'; most: number; required?: true }
  | { of: 'words'; words: readonly string[] }
  | { of: 'uuids' }

type Members = Readonly<Record<string, EventFilterRule>>

/** A list of a filter has no more items. */
export const MAX_EVENT_FILTER_ITEMS = 100

const ids = (what: Extract<EventFilterRule, { of: 'ids' }>['what']): EventFilterRule => ({ of: 'ids', what })
const texts: EventFilterRule = { of: 'texts', most: 255 }
const uuids: EventFilterRule = { of: 'uuids' }
const words = (...known: string[]): EventFilterRule => ({ of: 'words', words: known })

const actionIds = { ids: ids('action') }
const rcsIds = { ids: ids('rcsAction') }
const pushes = { ids: ids('notification'), versions: uuids }
const display = { campaigns: texts, placements: texts, contents: texts }
const fields = { fields: ids('field') }
const memberships: Members = { segments: { of: 'ids', what: 'segment', required: true } }
const applications = { applications: uuids }
const answers = { ...actionIds, verdicts: words('hard', 'soft'), kinds: words('stop', 'other') }
const causes = { ...actionIds, causes: texts }

/** Where events of a type come from. */
export type EventTypeOrigin = 'action' | 'rcs' | 'notification' | 'display' | 'notice' | 'custom'

/** How events of a type are filtered. */
export interface ListenedEventType {
  origin: EventTypeOrigin
  members: Members
}

function each(origin: EventTypeOrigin, members: Members, ...types: string[]): [string, ListenedEventType][] {
  return types.map((type) => [type, { origin, members }])
}

/** Every type of event that can be listened to, waited for or counted: where it comes from, and by what it is filtered. */
export const listenedEventTypes: ReadonlyMap<string, ListenedEventType> = new Map([
  ...each('action', causes, 'action.execution', 'action.activation', 'action.cancellation', 'action.complaint'),
  ...each('action', causes, 'action.delivery', 'action.stop'),
  ...each('action', answers, 'action.bounce', 'action.reply'),
  ...each(
    'action',
    { ...actionIds, kinds: words('open', 'redirection', 'unsubscribe', 'mirror', 'form'), links: texts },
    'action.hit',
  ),
  ...each(
    'rcs',
    rcsIds,
    'rcs.execution',
    'rcs.activation',
    'rcs.cancellation',
    'rcs.bounce',
    'rcs.delivery',
    'rcs.reply',
  ),
  ...each(
    'rcs',
    {
      ...rcsIds,
      kinds: words('read', 'text', 'file', 'location', 'suggestion', 'redirection', 'subscribe', 'unsubscribe'),
      postbacks: texts,
    },
    'rcs.interaction',
  ),
  ...each('notification', pushes, 'notification.execution', 'notification.activation', 'notification.cancellation'),
  ...each('notification', pushes, 'notification.bounce', 'notification.impression', 'notification.optout'),
  ...each('notification', { ...pushes, kinds: words('redirection', 'dismiss') }, 'notification.hit'),
  ...each('display', display, 'display.activation', 'display.hit'),
  ...each('notice', {}, 'target.created', 'target.deleted'),
  ...each('notice', fields, 'target.updated', 'target.bounced'),
  ...each('notice', { channels: words('mail', 'sms') }, 'target.redlisted'),
  ...each('notice', memberships, 'segment.entered', 'segment.left'),
  ...each('notice', applications, 'subscription.created', 'subscription.deleted'),
  ...each('notice', { imports: ids('import') }, 'import.completed'),
  ...each('custom', { names: { of: 'texts', most: 128, required: true } }, 'custom'),
])

/** Where events of a type are stored: records of channels, or notices. */
export type EventTypeSource =
  | { from: 'events'; channels: readonly EventChannel[]; kinds: readonly EventKind[] }
  | { from: 'notices' }

const HITS = ['hits/open', 'hits/redirection', 'hits/unsubscribe', 'hits/mirror', 'hits/form', 'hits/dismiss'] as const
const INTERACTIONS = [
  'interactions/read',
  'interactions/text',
  'interactions/file',
  'interactions/location',
  'interactions/suggestion',
  'interactions/redirection',
  'interactions/subscribe',
  'interactions/unsubscribe',
] as const
const REPLIES = ['responses/stop', 'responses/other'] as const

/** Kinds by the second word of a type. */
const kindsOf: Readonly<Record<string, readonly EventKind[]>> = {
  execution: ['executions'],
  activation: ['activations'],
  cancellation: ['cancellations'],
  bounce: ['bounces'],
  complaint: ['complaints'],
  delivery: ['deliveries'],
  stop: ['responses/stop'],
  reply: REPLIES,
  hit: HITS,
  interaction: INTERACTIONS,
  impression: ['impressions'],
  optout: ['optouts'],
}

/** Channels by the first word of a type. */
const channelsOf: Readonly<Record<string, readonly EventChannel[]>> = {
  action: ['email', 'sms'],
  rcs: ['rcs'],
  notification: ['notification'],
  display: ['display'],
}

/** Where events of a type, such as `action.hit` or `segment.entered`, are stored. */
export function resolveEventSource(type: string): EventTypeSource {
  const [origin = '', word = ''] = type.split('.')
  const [channels, kinds] = [channelsOf[origin], kindsOf[word]]
  return channels && kinds ? { from: 'events', channels, kinds } : { from: 'notices' }
}

/** The types, as listeners name them, of a stored event: a stop is a reply too. */
export function findListenedTypes({ channel, kind }: { channel: EventChannel; kind: EventKind }): string[] {
  const origins = Object.keys(channelsOf).filter((origin) => channelsOf[origin]!.includes(channel))
  const words = Object.keys(kindsOf).filter((word) => kindsOf[word]!.includes(kind))
  return origins.flatMap((origin) => words.map((word) => `${origin}.${word}`))
}
