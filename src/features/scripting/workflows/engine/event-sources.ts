import type { Channel, Kind } from '../../../events/kinds.ts'
import type { EventRecord } from './step.ts'

/** Where events of a type are stored: records of channels, or notices. */
export type Source = { from: 'events'; channels: readonly Channel[]; kinds: readonly Kind[] } | { from: 'notices' }

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
const kindsOf: Readonly<Record<string, readonly Kind[]>> = {
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
const channelsOf: Readonly<Record<string, readonly Channel[]>> = {
  action: ['email', 'sms'],
  rcs: ['rcs'],
  notification: ['notification'],
  display: ['display'],
}

/** Where events of a type, such as `action.hit` or `segment.entered`, are stored. */
export function sourceOf(type: string): Source {
  const [origin = '', word = ''] = type.split('.')
  const [channels, kinds] = [channelsOf[origin], kindsOf[word]]
  return channels && kinds ? { from: 'events', channels, kinds } : { from: 'notices' }
}

/** The types, as listeners name them, of a stored event: a stop is a reply too. */
export function typesOf({ channel, kind }: { channel: Channel; kind: Kind }): string[] {
  const origins = Object.keys(channelsOf).filter((origin) => channelsOf[origin]!.includes(channel))
  const words = Object.keys(kindsOf).filter((word) => kindsOf[word]!.includes(kind))
  return origins.flatMap((origin) => words.map((word) => `${origin}.${word}`))
}

type Json = Readonly<Record<string, unknown>>
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined

/** What a record says of each member that filters may have. A list means: any of them. */
const readers: Readonly<Record<string, (record: Json, detail: Json, about: Json) => unknown>> = {
  ids: (_, __, about) => about['id'],
  versions: (_, __, about) => about['version'],
  causes: (_, detail) => member(detail['cancellation'], 'type'),
  verdicts: (_, detail) => member(member(detail['bounce'], 'analysis'), 'verdict'),
  kinds: (_, detail) =>
    member(detail['link'], 'type') ?? member(detail['reply'], 'type') ?? member(detail['interaction'], 'type'),
  links: (_, detail) => [member(detail['link'], 'name'), String(member(detail['link'], 'id') ?? '')],
  postbacks: (_, detail) => member(member(detail['interaction'], 'suggestion'), 'postback'),
  campaigns: (_, __, about) => about['campaign'],
  placements: (_, __, about) => about['placement'],
  contents: (_, __, about) => about['content'],
  names: (record) => record['name'],
  fields: (record) => member(record['data'], 'fields') ?? member(record['data'], 'field'),
  channels: (record) => member(record['data'], 'channel'),
  segments: (record) => member(record['data'], 'segment'),
  applications: (record) => member(record['data'], 'application'),
  imports: (record) => member(record['data'], 'import'),
}

/**
 * Whether records have what the members of a filter ask for; an absent or empty member matches all. What the filter asks for is
 * looked up once: a record may meet hundreds of filters.
 */
export function memberTest(filter: Json): (record: EventRecord) => boolean {
  const asked = Object.entries(readers).flatMap(([name, read]) => {
    const wanted = filter[name]
    return Array.isArray(wanted) && wanted.length > 0 ? [{ read, wanted: new Set(wanted.map(String)) }] : []
  })
  if (asked.length === 0) return () => true
  return (record) => {
    const detail = (member(record['source'], 'detail') ?? {}) as Json
    const about = (detail['activation'] ?? detail['execution'] ?? {}) as Json
    return asked.every(({ read, wanted }) => {
      const found = read(record, detail, about)
      return Array.isArray(found) ? found.some((one) => wanted.has(String(one))) : wanted.has(String(found))
    })
  }
}
