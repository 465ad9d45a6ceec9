import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { EVENT_TYPES_IN_WORDS, eventChannels, eventKindTable, eventTypes } from './kinds/event-kinds.ts'

const createInstantSchema = (description: string) => Type.Optional(Type.String({ description }))
const classesSchema = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'Classes of hits and interactions to return, separated by commas or repeated: `human` or `none` (no ' +
      'robot), `mpp` (Mail Privacy Protection of Apple), `gsr` (automatic requests of Google), `genericrobot` (any ' +
      'other robot), `all`. Default: `human`.',
  }),
)

export const EventSortParams = {
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Order by timestamp, then by ID. Default: `asc`.' })),
}

/** Bounds on the timestamp. */
export const EventPeriodParams = {
  start: createInstantSchema('Start of the period by timestamp, inclusive.'),
  end: createInstantSchema('End of the period by timestamp, exclusive. Absent: the time of the request.'),
}

/** Query parameters that select hits and interactions by class. */
export const HitClassParams = { classification: classesSchema, classifications: classesSchema }

/** Bounds on the activation and on the reaction. */
export const ReactivityBounds = {
  activationStart: createInstantSchema('Start of the period of the activations, inclusive.'),
  activationEnd: createInstantSchema('End of the period of the activations, exclusive.'),
  reactivityStart: createInstantSchema('Start of the period of the reactions, inclusive.'),
  reactivityEnd: createInstantSchema('End of the period of the reactions, exclusive.'),
}

/** Query parameters that divide a summary into buckets. */
export const ReactivitySummaryParams = {
  bucket: Type.Optional(
    Type.Enum(['hour', 'day'], { description: 'Span of the buckets; for summaries only. Absent: no buckets.' }),
  ),
  zone: Type.Optional(
    Type.String({ description: 'IANA time zone of the buckets; for summaries only. Default: `UTC`.' }),
  ),
}

/** Exactly one of them, once. */
export const ContactEventsQuery = {
  id: Type.Optional(Type.Unknown({ description: 'ID of the contact.' })),
  unicity: Type.Optional(Type.Unknown({ description: 'Concatenated unicity of the contact.' })),
  hash: Type.Optional(Type.Unknown({ description: 'MD5 hash of the concatenated unicity, in hexadecimal.' })),
}

export const StampEventsQuery = {
  id: Type.Optional(Type.Unknown({ description: 'ID of the message, a UUID.' })),
  thread: Type.Optional(Type.Unknown({ description: 'ID of the thread, a UUID.' })),
}

export const PhoneEventsQuery = {
  phone: Type.Optional(Type.Unknown({ description: 'Phone number in E.164 format.' })),
  agent: Type.Optional(Type.Unknown({ description: 'Agent that sends or receives the messages.' })),
  type: Type.Optional(
    Type.Enum(['execution', 'activation', 'cancellation', 'bounce', 'delivery', 'interaction', 'reply'], {
      description: 'Type of the events to return, as in `type` of the events. Absent: all.',
    }),
  ),
}

const MillisecondsSchema = Type.Integer({ description: 'Time of publication, in milliseconds since 1970.' })

/** The record of every event. */
export const PublishedEventRecord = Type.Object(
  {
    type: Type.Enum([...eventTypes], { description: `Type of the event. ${EVENT_TYPES_IN_WORDS}` }),
    id: Type.String({ format: 'uuid', description: 'ID of the event, a UUID of version 7: IDs sort as events do.' }),
    timestamp: MillisecondsSchema,
    identity: Type.Object(
      {
        type: buildTypeTag('customer'),
        agency: Type.String({ description: 'Agency of the account, four characters.' }),
        customer: Type.String({ description: 'Customer of the account, three characters.' }),
      },
      { description: 'Account of the event.' },
    ),
    source: Type.Object(
      {
        type: Type.Enum([...eventChannels], { description: 'Channel of the event.' }),
        detail: Type.Object(
          {},
          {
            additionalProperties: true,
            [COMPONENT_REF_KEYWORD]: 'EventDetail',
            description: 'Execution or activation, and one object named after the kind of the event.',
          },
        ),
      },
      { description: 'Origin of the event.' },
    ),
  },
  { title: 'Event' },
)

const CountSchema = Type.Integer({ minimum: 0 })
const NullableDateSchema = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** Exact counts over the filters of a list of reactivities. */
export const ReactivitySummary = Type.Object(
  {
    filters: Type.Object(
      {
        activationStart: {
          ...NullableDateSchema,
          description: 'Start of the period of the activations, inclusive. Null: open.',
        },
        activationEnd: {
          ...NullableDateSchema,
          description: 'End of the period of the activations, exclusive. Null: open.',
        },
        reactivityStart: {
          ...NullableDateSchema,
          description: 'Start of the period of the reactions, inclusive. Null: open.',
        },
        reactivityEnd: {
          ...NullableDateSchema,
          description: 'End of the period of the reactions, exclusive. Null: open.',
        },
      },
      { description: 'Filters of the request.' },
    ),
    bucket: Type.Union([Type.Enum(['hour', 'day']), Type.Null()], {
      description: 'Span of the buckets. Null: no buckets.',
    }),
    zone: Type.String({ description: 'IANA time zone of the buckets.' }),
    activations: Type.Object(
      {
        total: { ...CountSchema, description: 'Number of events.' },
        contacts: { ...CountSchema, description: 'Number of distinct contacts.' },
      },
      { description: 'Activations within the filters.' },
    ),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum(
          eventKindTable.map(({ kind }) => kind),
          { description: 'Kind of the events.' },
        ),
        total: Type.Integer({ minimum: 0, description: 'Number of human events.' }),
        contacts: Type.Integer({ minimum: 0, description: 'Number of distinct contacts with human events.' }),
        robots: { ...CountSchema, description: 'Number of events by robots and relays.' },
        buckets: Type.Array(
          Type.Object({
            start: Type.String({ format: 'date-time', description: 'Start of the bucket, inclusive.' }),
            total: { ...CountSchema, description: 'Number of human events.' },
            contacts: { ...CountSchema, description: 'Number of distinct contacts in the bucket.' },
            robots: { ...CountSchema, description: 'Number of events by robots and relays.' },
          }),
          { description: 'Counts by hour or day, without empty buckets. Empty if no `bucket` is requested.' },
        ),
      }),
      { description: 'Counts of each kind, including kinds without events.' },
    ),
  },
  { title: 'ReactivitySummary' },
)

export const TimelineQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      description:
        'Start of the page: the `next` of the previous page, or a date, whose earlier events are returned. ' +
        'Absent: the newest events.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of events on a page. Default: 50.' }),
  ),
})
export type TimelineQuery = Static<typeof TimelineQuery>

/** An event of a contact, whatever its channel. */
export const ContactTimelineEvent = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the event.' }),
  at: Type.String({ format: 'date-time', description: 'Time of publication, in UTC.' }),
  channel: Type.Enum([...eventChannels], { description: 'Channel of the event.' }),
  type: Type.Enum([...eventTypes], { description: `Type of the event. ${EVENT_TYPES_IN_WORDS}` }),
  kind: Type.Enum(
    eventKindTable.map(({ kind }) => kind),
    {
      description:
        'Kind of the event: its type, and after a slash a part of it, such as `hits/open` for opened emails.',
    },
  ),
  source: Type.Union(
    [
      Type.Object({
        type: Type.Enum(['action', 'rcs', 'notification', 'displayCampaign'], {
          description: 'Type of the object.',
        }),
        id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the object.' }),
        name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the object. Null: it has no name.' }),
      }),
      Type.Null(),
    ],
    { description: 'Object that was sent or shown, deleted or not. Null: none.' },
  ),
  stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'ID of the message, as in `GET /messages/{stamp}`. Null: none.',
  }),
  classification: Type.Union([Type.Enum(['mpp', 'gsr', 'genericrobot']), Type.Null()], {
    description:
      'Class of a hit or interaction by a robot. `mpp`: Mail Privacy Protection of Apple. `gsr`: an automatic request ' +
      'of Google. `genericrobot`: any other robot. Null: human, or another kind of event.',
  }),
  isTest: Type.Boolean({ description: 'True: event of a test message.' }),
  detail: Type.Object({}, { additionalProperties: true, description: 'Detail of the event, as in its record.' }),
})
export type ContactTimelineEvent = Static<typeof ContactTimelineEvent>

export const TimelinePage = Type.Object({
  items: Type.Array(ContactTimelineEvent, { description: 'Events of the page, newest first.' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: '`before` of the next page. Null: this is the last page.',
  }),
})
export type TimelinePage = Static<typeof TimelinePage>
