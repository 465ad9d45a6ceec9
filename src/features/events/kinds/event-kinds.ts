/** What a message, or a display content, travels by; `source.type` of its events. */
export const channels = ['email', 'sms', 'rcs', 'notification', 'display'] as const
export type Channel = (typeof channels)[number]

/** The channel of rich messages, whose events have a phone and an agent. */
export const RCS = 'rcs' as const satisfies Channel

const messages = ['email', 'sms', 'rcs', 'notification'] as const
const mobile = ['sms', 'rcs'] as const

/** The table of kinds: what is stored, the closed list of `type` values, and the channels that have it. */
export const kinds = [
  { kind: 'executions', type: 'execution', channels: messages },
  { kind: 'activations', type: 'activation', channels },
  { kind: 'cancellations', type: 'cancellation', channels: messages },
  { kind: 'bounces', type: 'bounce', channels: messages },
  { kind: 'hits/open', type: 'hit', channels: ['email'] },
  { kind: 'hits/redirection', type: 'hit', channels: ['email', 'sms', 'notification', 'display'] },
  { kind: 'hits/unsubscribe', type: 'hit', channels: ['email', 'sms'] },
  { kind: 'hits/mirror', type: 'hit', channels: ['email'] },
  { kind: 'hits/form', type: 'hit', channels: ['email', 'sms'] },
  { kind: 'hits/dismiss', type: 'hit', channels: ['notification'] },
  { kind: 'complaints', type: 'complaint', channels: ['email'] },
  { kind: 'responses/stop', type: 'reply', channels: mobile },
  { kind: 'responses/other', type: 'reply', channels: mobile },
  { kind: 'deliveries', type: 'delivery', channels: mobile },
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
] as const satisfies readonly { kind: string; type: string; channels: readonly Channel[] }[]

/** The stored kind: a path, of which each part selects all below it. */
export type Kind = (typeof kinds)[number]['kind']

/** The eleven values of `type`. */
export type EventType = (typeof kinds)[number]['type']

export const eventTypes: readonly EventType[] = [...new Set(kinds.map(({ type }) => type))]

const types = new Map<string, EventType>(kinds.map(({ kind, type }) => [kind, type]))

/** The `type` a record of this kind shows. */
export function typeOf(kind: Kind): EventType {
  const type = types.get(kind)
  if (type === undefined) throw new Error(`unknown kind ${kind}`)
  return type
}

/** Hits and interactions: the kinds that `classification` filters. */
export function isClassed(kind: Kind): boolean {
  return kind.startsWith('hits/') || kind.startsWith('interactions/')
}

/** Whether a kind answers an activation, and so becomes a reactivity: all but executions, activations and cancellations. */
export function isReaction(kind: Kind): boolean {
  return kind !== 'executions' && kind !== 'activations' && kind !== 'cancellations'
}

/** Kinds at or below a path such as `hits`, or `''` for all, that any of the channels has; in the order of the table. */
export function kindsBelow(path: string, of: readonly Channel[]): Kind[] {
  return kinds
    .filter(({ kind }) => path === '' || kind === path || kind.startsWith(`${path}/`))
    .filter((row) => row.channels.some((channel) => of.includes(channel)))
    .map(({ kind }) => kind)
}
