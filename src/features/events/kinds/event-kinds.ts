/** Channels of messages and display contents; `source.type` of their events. */
export const eventChannels = ['email', 'sms', 'rcs', 'notification', 'display'] as const
export type EventChannel = (typeof eventChannels)[number]

/** The channel of rich messages, whose events have a phone and an agent. */
export const RCS_CHANNEL = 'rcs' as const satisfies EventChannel

const messageChannels = ['email', 'sms', 'rcs', 'notification'] as const
const mobileChannels = ['sms', 'rcs'] as const

/** The table of kinds: what is stored, the closed list of `type` values, and the channels that have it. */
export const eventKindTable = [
  { kind: 'executions', type: 'execution', channels: messageChannels },
  { kind: 'activations', type: 'activation', channels: eventChannels },
  { kind: 'cancellations', type: 'cancellation', channels: messageChannels },
  { kind: 'bounces', type: 'bounce', channels: messageChannels },
  { kind: 'hits/open', type: 'hit', channels: ['email'] },
  { kind: 'hits/redirection', type: 'hit', channels: ['email', 'sms', 'notification', 'display'] },
  { kind: 'hits/unsubscribe', type: 'hit', channels: ['email', 'sms'] },
  { kind: 'hits/mirror', type: 'hit', channels: ['email'] },
  { kind: 'hits/form', type: 'hit', channels: ['email', 'sms'] },
  { kind: 'hits/dismiss', type: 'hit', channels: ['notification'] },
  { kind: 'complaints', type: 'complaint', channels: ['email'] },
  { kind: 'responses/stop', type: 'reply', channels: mobileChannels },
  { kind: 'responses/other', type: 'reply', channels: mobileChannels },
  { kind: 'deliveries', type: 'delivery', channels: mobileChannels },
  { kind: 'interactions/read', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/text', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/file', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/location', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/suggestion', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/redirection', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/subscribe', type: 'interaction', channels: ['rcs'] },
  { kind: 'interactions/unsubscribe', type: 'interaction', channels: ['rcs'] },
  { kind: 'impressions', type: 'impression', channels: ['notification'] },
  { kind: 'optouts', type: 'optout', channels: ['notification'] },
] as const satisfies readonly { kind: string; type: string; channels: readonly EventChannel[] }[]

/** The stored kind: a path, of which each part selects all below it. */
export type EventKind = (typeof eventKindTable)[number]['kind']

/** The eleven values of `type`. */
export type EventType = (typeof eventKindTable)[number]['type']

/** The values of `type`, in words. */
export const EVENT_TYPES_IN_WORDS =
  '`execution`: a message was requested. `activation`: it was handed over to the gateway, or a display content was ' +
  'shown. `cancellation`: it was not sent. `bounce`: it was refused, or came back. `delivery`: it reached the phone. ' +
  '`hit`: a person or robot opened the message, followed a link, or dismissed a notification. `impression`: a ' +
  'notification was displayed. `interaction`: an RCS message was read or answered. `reply`: a text of the recipient, ' +
  'such as STOP. `complaint`: the recipient reported the message as spam. `optout`: the recipient switched ' +
  'notifications off.'

export const eventTypes: readonly EventType[] = [...new Set(eventKindTable.map(({ type }) => type))]

const typesByKind = new Map<string, EventType>(eventKindTable.map(({ kind, type }) => [kind, type]))

/** The `type` a record of this kind shows. */
export function toEventType(kind: EventKind): EventType {
  const type = typesByKind.get(kind)
  if (type === undefined) throw new Error(`unknown kind ${kind}`)
  return type
}

/** Hits and interactions: the kinds that `classification` filters. */
export function isClassifiedKind(kind: EventKind): boolean {
  return kind.startsWith('hits/') || kind.startsWith('interactions/')
}

/** Returns true if a kind responds to an activation, and so becomes a reactivity: all but executions, activations and cancellations. */
export function isReactionKind(kind: EventKind): boolean {
  return kind !== 'executions' && kind !== 'activations' && kind !== 'cancellations'
}

/** Kinds at or below a path such as `hits`, or `''` for all, that any of the channels has; in the order of the table. */
export function listKindsBelow(path: string, of: readonly EventChannel[]): EventKind[] {
  return eventKindTable
    .filter(({ kind }) => path === '' || kind === path || kind.startsWith(`${path}/`))
    .filter((row) => row.channels.some((channel) => of.includes(channel)))
    .map(({ kind }) => kind)
}
