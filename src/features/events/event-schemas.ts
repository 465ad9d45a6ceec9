import { type Static, Type } from 'typebox'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { eventChannels, eventKindTable, eventTypes } from './kinds/event-kinds.ts'

const createInstantSchema = (description: string) => Type.Optional(Type.String({ description }))
const classesSchema = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'of hits and interactions: genericrobot, mpp, gsr, human (= none), all; commas and repetition unite; human by default',
  }),
)

export const EventSortParams = {
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by timestamp, then id; ascending by default' })),
}

/** Bounds on the timestamp. */
export const EventPeriodParams = {
  start: createInstantSchema('of the timestamp, inclusive'),
  end: createInstantSchema('of the timestamp, exclusive; absent: all that is published when the request begins'),
}

/** Query parameters that select hits and interactions by class. */
export const HitClassParams = { classification: classesSchema, classifications: classesSchema }

/** Bounds on the activation and on the reaction. */
export const ReactivityBounds = {
  activationStart: createInstantSchema("of the activation's timestamp, inclusive"),
  activationEnd: createInstantSchema("of the activation's timestamp, exclusive"),
  reactivityStart: createInstantSchema("of the reaction's timestamp, inclusive"),
  reactivityEnd: createInstantSchema("of the reaction's timestamp, exclusive"),
}

/** Query parameters that divide a summary into buckets. */
export const ReactivitySummaryParams = {
  bucket: Type.Optional(Type.Enum(['hour', 'day'], { description: 'summary only' })),
  zone: Type.Optional(Type.String({ description: 'summary only: IANA zone of the buckets, UTC by default' })),
}

/** Exactly one of them, once. */
export const ContactEventsQuery = {
  id: Type.Optional(Type.Unknown({ description: 'id of the contact' })),
  unicity: Type.Optional(Type.Unknown({ description: 'concatenated unicity' })),
  hash: Type.Optional(Type.Unknown({ description: 'MD5 of the concatenated unicity' })),
}

export const StampEventsQuery = {
  id: Type.Optional(Type.Unknown({ description: 'uuid of the stamp' })),
  thread: Type.Optional(Type.Unknown({ description: 'uuid of the conversation; instead of id' })),
}

export const PhoneEventsQuery = {
  phone: Type.Optional(Type.Unknown({ description: 'E.164; required' })),
  agent: Type.Optional(Type.Unknown({ description: 'required' })),
  type: Type.Optional(
    Type.Enum(['execution', 'activation', 'cancellation', 'bounce', 'delivery', 'interaction', 'reply'], {
      description: 'only this kind',
    }),
  ),
}

const MillisecondsSchema = Type.Integer({ description: 'milliseconds since 1970' })

/** The record of every event. */
export const PublishedEventRecord = Type.Object(
  {
    type: Type.Enum([...eventTypes], { description: 'which of the possible kinds it is' }),
    id: Type.String({ format: 'uuid', description: 'version 7: ids sort as events do' }),
    timestamp: MillisecondsSchema,
    identity: Type.Object(
      {
        type: buildTypeTag('customer'),
        agency: Type.String({ description: 'code of the agency' }),
        customer: Type.String({ description: 'code of the customer' }),
      },
      { description: 'the account that it is of' },
    ),
    source: Type.Object(
      {
        type: Type.Enum([...eventChannels], { description: 'which of the possible kinds it is' }),
        detail: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'the execution or the activation, and an object named after the kind',
          },
        ),
      },
      { description: 'where it comes from' },
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
        activationStart: { ...NullableDateSchema, description: 'of activations, inclusive; null: from the first on' },
        activationEnd: { ...NullableDateSchema, description: 'of activations, exclusive; null: to the last' },
        reactivityStart: { ...NullableDateSchema, description: 'of reactivities, inclusive; null: from the first on' },
        reactivityEnd: { ...NullableDateSchema, description: 'of reactivities, exclusive; null: to the last' },
      },
      { description: 'what was asked for' },
    ),
    bucket: Type.Union([Type.Enum(['hour', 'day']), Type.Null()], { description: 'span of the buckets; null: none' }),
    zone: Type.String({ description: 'an IANA time zone' }),
    activations: Type.Object(
      {
        total: { ...CountSchema, description: 'how many there are in all' },
        contacts: { ...CountSchema, description: 'how many contacts' },
      },
      { description: 'how many were sent' },
    ),
    kinds: Type.Array(
      Type.Object({
        kind: Type.Enum(
          eventKindTable.map(({ kind }) => kind),
          { description: 'what kind of thing it is' },
        ),
        total: Type.Integer({ minimum: 0, description: 'by humans' }),
        contacts: Type.Integer({ minimum: 0, description: 'distinct' }),
        robots: { ...CountSchema, description: 'by robots and relays' },
        buckets: Type.Array(
          Type.Object({
            start: Type.String({ format: 'date-time', description: 'the start of the time, inclusive' }),
            total: { ...CountSchema, description: 'how many there are in all' },
            contacts: { ...CountSchema, description: 'how many contacts' },
            robots: { ...CountSchema, description: 'by robots and relays' },
          }),
          { description: 'the same by hour or day' },
        ),
      }),
      { description: 'kinds of things' },
    ),
  },
  { title: 'ReactivitySummary' },
)

export const TimelineQuery = Type.Object({
  before: Type.Optional(Type.String({ description: 'the "next" of a page, or a date: what was before it' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'events of a page: 50' })),
})
export type TimelineQuery = Static<typeof TimelineQuery>

/** An event of a contact, whatever its channel. */
export const ContactTimelineEvent = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  at: Type.String({ format: 'date-time', description: 'when it happened' }),
  channel: Type.Enum([...eventChannels], { description: 'the channel that it is sent by' }),
  type: Type.Enum([...eventTypes], { description: 'which of the possible kinds it is' }),
  kind: Type.Enum(
    eventKindTable.map(({ kind }) => kind),
    { description: 'what kind of thing it is' },
  ),
  source: Type.Union(
    [
      Type.Object({
        type: Type.Enum(['action', 'rcs', 'notification', 'displayCampaign'], {
          description: 'which of the possible kinds it is',
        }),
        id: Type.Union([Type.String(), Type.Integer()], { description: 'what names it in this account' }),
        name: Type.Union([Type.String(), Type.Null()], { description: 'the name that people give it' }),
      }),
      Type.Null(),
    ],
    { description: 'what was sent or shown, deleted or not' },
  ),
  stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'of the message, which GET /messages/{stamp} shows as it was',
  }),
  classification: Type.Union([Type.Enum(['mpp', 'gsr', 'genericrobot']), Type.Null()], {
    description: 'of hits and interactions: the machine it was; null: a person',
  }),
  isTest: Type.Boolean({ description: 'of a proof' }),
  detail: Type.Object({}, { additionalProperties: true, description: 'as in the record of the event' }),
})
export type ContactTimelineEvent = Static<typeof ContactTimelineEvent>

export const TimelinePage = Type.Object({
  items: Type.Array(ContactTimelineEvent, { description: 'the items, in their order' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'what the next page is before; null: this is the last',
  }),
})
export type TimelinePage = Static<typeof TimelinePage>
