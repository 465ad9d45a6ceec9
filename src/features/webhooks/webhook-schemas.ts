import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { eventChannels, eventKindTable } from '../events/kinds/event-kinds.ts'
import { noticeTypes } from '../notices/notices.ts'

/** Allowed values of `events`: kinds, each including all below it, `custom`, and types of change notices. */
export const webhookEventNames: readonly string[] = [
  ...new Set(eventKindTable.flatMap(({ kind }) => [kind.split('/')[0] ?? kind, kind])),
  'custom',
  ...noticeTypes,
]

const classNames = ['human', 'none', 'genericrobot', 'mpp', 'gsr', 'all']

const Uuid = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const Name = Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' })
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'https, port 443 or from 1024 on, a public address; or a host that the operator opened',
})
const EventNames = Type.Array(Type.Enum([...webhookEventNames]), {
  maxItems: 100,
  description:
    'kinds, each for all below it, "custom", and types of change notices; empty: everything (older webhooks, whose records have no "event": all kinds)',
})
const ChannelNames = Type.Array(Type.Enum([...eventChannels]), { maxItems: 20, description: 'empty: all' })
const HitClasses = Type.Array(Type.Enum(classNames), {
  maxItems: 20,
  description: 'of hits and interactions; human (= none) by default',
})
const Active = Type.Boolean({ description: 'false once it is suspended; true resumes it' })

export const WebhookBatch = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: 500, description: 'events of a request at most' }),
    waitMs: Type.Integer({ minimum: 0, maximum: 5000, description: 'how long one that is not full waits for more' }),
  },
  { description: 'how events are put together in requests' },
)
export type WebhookBatch = Static<typeof WebhookBatch>

export const WebhookResource = Type.Object({
  id: { ...Uuid, description: 'what names it in this account' },
  name: Name,
  url: Url,
  events: EventNames,
  channels: ChannelNames,
  classification: HitClasses,
  active: Active,
  batch: WebhookBatch,
  state: Type.Enum(['ok', 'failing', 'suspended'], { description: 'where it stands on its way' }),
  statistics: Type.Object(
    {
      pending: Type.Integer({ description: 'events that are still to be delivered' }),
      deadLetters: Type.Integer({ description: 'events that were given up' }),
      lastSuccess: Type.Union([Instant, Type.Null()], {
        description: 'when one was delivered last, in UTC; null: never',
      }),
      lastFailure: Type.Union([Instant, Type.Null()], { description: 'when a try failed last, in UTC; null: never' }),
    },
    { description: 'what is delivered, and what is not' },
  ),
  creationDate: { ...Instant, description: 'when it was made, in UTC' },
  updateDate: { ...Instant, description: 'when it was changed last, in UTC' },
})
export type WebhookResource = Static<typeof WebhookResource>

const Secret = Type.String({ description: 'whsec_ and base64 of 32 bytes; shown here and never again' })

/** Response to a creation. */
export const CreatedWebhook = Type.Object({ ...WebhookResource.properties, secret: Secret })
export type CreatedWebhook = Static<typeof CreatedWebhook>

export const RotatedWebhookSecret = Type.Object({
  secret: Secret,
  previousUntil: Type.String({ format: 'date-time', description: 'until then the secret before signs too' }),
})
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>

/** A request: a member that is absent keeps its value; what the service sets may come back and is passed over. */
export const WebhookBody = Type.Object({
  name: Type.Optional(Name),
  url: Type.Optional(Url),
  events: Type.Optional(EventNames),
  channels: Type.Optional(ChannelNames),
  classification: Type.Optional(
    Type.Union([HitClasses, Type.String({ description: 'the same words, parted by commas' }), Type.Null()], {
      description: 'of hits and interactions; human (= none) by default',
    }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'whether it is in use' })),
  batch: Type.Optional(Type.Partial(WebhookBatch, { description: 'how events are put together in requests' })),
  id: ignoredMemberSchema,
  state: ignoredMemberSchema,
  statistics: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type WebhookBody = Static<typeof WebhookBody>

export const WebhookTestResult = Type.Object({
  success: Type.Boolean({ description: 'any 2xx within 15 s' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'how it stands' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'why it failed' }),
})
export type WebhookTestResult = Static<typeof WebhookTestResult>

/** A request to a webhook. */
export const WebhookTry = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  date: Type.String({ format: 'date-time', description: 'when it had its outcome' }),
  delivery: Type.String({ format: 'uuid', description: 'its webhook-id' }),
  events: Type.Integer({ description: 'how many it held' }),
  try: Type.Integer({ description: 'the first is 1' }),
  success: Type.Boolean({ description: 'any 2xx within 15 s' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'null: there was no answer' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'why it failed' }),
})
export type WebhookTry = Static<typeof WebhookTry>

export const DeadLetter = Type.Object({
  id: Type.String({ format: 'uuid', description: 'its webhook-id' }),
  events: Type.Array(Uuid, { description: 'ids of its events' }),
  date: Type.String({ format: 'date-time', description: 'of the first event' }),
  tries: Type.Integer({ description: 'how often it was tried' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'what the last try failed of' }),
  deadDate: Type.String({ format: 'date-time', description: 'when it was given up; kept 30 days from then' }),
})
export type DeadLetter = Static<typeof DeadLetter>

/** Selection of dead letters: by their ids, or by the date of their first event. */
export const DeadLetterSelection = Type.Object({
  ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 10_000, description: 'ids of them' })),
  start: Type.Optional(Type.Union([Type.String(), Type.Number()], { description: 'inclusive' })),
  end: Type.Optional(Type.Union([Type.String(), Type.Number()], { description: 'exclusive' })),
})
export type DeadLetterSelection = Static<typeof DeadLetterSelection>
