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
const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the webhook.' })
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'URL that receives the requests: https on port 443 or 1024 and above, with a public address. The operator can allow other hosts.',
})
const EventNames = Type.Array(Type.Enum([...webhookEventNames]), {
  maxItems: 100,
  description:
    'Events to deliver: kinds, each including all kinds below it, `custom`, and types of change notices. Empty: all; for older webhooks, whose records have no `event`, all kinds only.',
})
const ChannelNames = Type.Array(Type.Enum([...eventChannels]), {
  maxItems: 20,
  description: 'Channels whose events are delivered. Empty: all.',
})
const HitClasses = Type.Array(Type.Enum(classNames), {
  maxItems: 20,
  description:
    'Classes of hits and interactions to deliver: `human` (same as `none`), `mpp` (Mail Privacy Protection of Apple), `gsr` (automatic requests of Google), `genericrobot` (any other robot), or `all`. Default: `human`.',
})
const Active = Type.Boolean({
  description: 'False: no events are collected. Set to false when the webhook is suspended; true resumes it.',
})

export const WebhookBatch = Type.Object(
  {
    size: Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'Maximum number of events in a request, 1 to 500; default 1.',
    }),
    waitMs: Type.Integer({
      minimum: 0,
      maximum: 5000,
      description: 'Milliseconds that an incomplete batch waits for more events; default 0.',
    }),
  },
  { description: 'Grouping of events into requests.' },
)
export type WebhookBatch = Static<typeof WebhookBatch>

export const WebhookResource = Type.Object({
  id: { ...Uuid, description: 'ID of the webhook.' },
  name: Name,
  url: Url,
  events: EventNames,
  channels: ChannelNames,
  classification: HitClasses,
  active: Active,
  batch: WebhookBatch,
  state: Type.Enum(['ok', 'failing', 'suspended'], {
    description:
      '`ok`: working. `failing`: at least 10 failures in a row. `suspended`: 72 hours without a success, or the receiver answered 410; new events become dead letters.',
  }),
  statistics: Type.Object(
    {
      pending: Type.Integer({ description: 'Number of events that still have to be delivered.' }),
      deadLetters: Type.Integer({ description: 'Number of events in dead letters.' }),
      lastSuccess: Type.Union([Instant, Type.Null()], {
        description: 'Time of the last successful delivery, in UTC. Null: none so far.',
      }),
      lastFailure: Type.Union([Instant, Type.Null()], {
        description: 'Time of the last failed attempt, in UTC. Null: none so far.',
      }),
    },
    { description: 'Counts and times of deliveries.' },
  ),
  creationDate: { ...Instant, description: 'Time of creation, in UTC.' },
  updateDate: { ...Instant, description: 'Time of the last change, in UTC.' },
})
export type WebhookResource = Static<typeof WebhookResource>

const Secret = Type.String({
  description: 'Signing secret: `whsec_` followed by 32 bytes in base64. Shown only in this answer.',
})

/** Response to a creation. */
export const CreatedWebhook = Type.Object({ ...WebhookResource.properties, secret: Secret })
export type CreatedWebhook = Static<typeof CreatedWebhook>

export const RotatedWebhookSecret = Type.Object({
  secret: Secret,
  previousUntil: Type.String({
    format: 'date-time',
    description: 'Time until which the previous secret also signs, in UTC.',
  }),
})
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>

/** A request: a member that is absent keeps its value; what the service sets may come back and is passed over. */
export const WebhookBody = Type.Object({
  name: Type.Optional(Name),
  url: Type.Optional(Url),
  events: Type.Optional(EventNames),
  channels: Type.Optional(ChannelNames),
  classification: Type.Optional(
    Type.Union([HitClasses, Type.String({ description: 'The same values, separated by commas.' }), Type.Null()], {
      description:
        'Classes of hits and interactions to deliver: `human` (same as `none`), `mpp` (Mail Privacy Protection of Apple), `gsr` (automatic requests of Google), `genericrobot` (any other robot), or `all`. Default: `human`.',
    }),
  ),
  active: Type.Optional(
    Type.Boolean({
      description: 'True: collects and delivers events, and resumes a suspended webhook. Default at creation: true.',
    }),
  ),
  batch: Type.Optional(Type.Partial(WebhookBatch, { description: 'Grouping of events into requests.' })),
  id: ignoredMemberSchema,
  state: ignoredMemberSchema,
  statistics: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type WebhookBody = Static<typeof WebhookBody>

export const WebhookTestResult = Type.Object({
  success: Type.Boolean({ description: 'True if the receiver answered with a 2xx status within 15 seconds.' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the answer. Null: no answer.' }),
  durationMs: Type.Integer({ description: 'Duration of the request, in milliseconds.' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Reason for the failure. Null: success.' }),
})
export type WebhookTestResult = Static<typeof WebhookTestResult>

/** A request to a webhook. */
export const WebhookTry = Type.Object({
  id: Type.Integer({ description: 'ID of the attempt.' }),
  date: Type.String({ format: 'date-time', description: 'Time of the outcome, in UTC.' }),
  delivery: Type.String({ format: 'uuid', description: 'ID of the delivery, sent as `webhook-id`.' }),
  events: Type.Integer({ description: 'Number of events in the request.' }),
  try: Type.Integer({ description: 'Number of the attempt within its delivery, from 1.' }),
  success: Type.Boolean({ description: 'True if the receiver answered with a 2xx status within 15 seconds.' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the answer. Null: no answer.' }),
  durationMs: Type.Integer({ description: 'Duration of the request, in milliseconds.' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Reason for the failure. Null: success.' }),
})
export type WebhookTry = Static<typeof WebhookTry>

export const DeadLetter = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the delivery, sent as `webhook-id`.' }),
  events: Type.Array(Uuid, { description: 'IDs of the events.' }),
  date: Type.String({ format: 'date-time', description: 'Time of the first event, in UTC.' }),
  tries: Type.Integer({ description: 'Number of attempts.' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Reason for the last failure. Null: none.' }),
  deadDate: Type.String({
    format: 'date-time',
    description: 'Time at which delivery was given up, in UTC. The dead letter is kept for 30 days from then.',
  }),
})
export type DeadLetter = Static<typeof DeadLetter>

/** Selection of dead letters: by their ids, or by the date of their first event. */
export const DeadLetterSelection = Type.Object({
  ids: Type.Optional(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 10_000,
      description: 'IDs of dead letters. Not together with `start` or `end`.',
    }),
  ),
  start: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description:
        'Start of the period in which the first event falls, inclusive: an ISO 8601 date, or milliseconds since 1970.',
    }),
  ),
  end: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description:
        'End of the period in which the first event falls, exclusive: an ISO 8601 date, or milliseconds since 1970.',
    }),
  ),
})
export type DeadLetterSelection = Static<typeof DeadLetterSelection>
