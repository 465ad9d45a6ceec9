import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

/** The channels that limits name. Counters hold their places in this list: it only grows. */
export const pressureChannels = ['email', 'sms', 'rcs', 'notification'] as const
export type PressureChannel = (typeof pressureChannels)[number]
export const messagePurposes = ['marketing', 'service'] as const
/** The purposes, in words. */
const PURPOSES_IN_WORDS = '`marketing`: promotional. `service`: answers something the contact did, such as an order.'
export type MessagePurpose = (typeof messagePurposes)[number]

const Uuid = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** Longer than a trimmed label may be: the domain checks its length. */
const Label = Type.String({
  maxLength: 1000,
  description: 'Label, 1 to 100 characters after trimming, unique in any letter case.',
})
const NullableActor = nullableSchema(
  Type.Object({
    type: Type.Enum(['person', 'key', 'system', 'command'], {
      description: '`person`: a user. `key`: a key. `system`: the service itself. `command`: the command line.',
    }),
    id: nullableSchema(Type.String({ description: 'ID of the user or key. Null: none.' })),
    name: Type.String({ description: 'Name of the user or key.' }),
  }),
)
const authorshipProperties = {
  stamp: Type.Object(
    {
      creation: { ...Instant, description: 'Time of creation, in UTC.' },
      modification: { ...Instant, description: 'Time of the last change, in UTC.' },
    },
    { description: 'Times of creation and of the last change.' },
  ),
  createdBy: Type.String({ description: 'Name of the user or key that created it.' }),
  modifiedBy: Type.String({ description: 'Name of the user or key that changed it last.' }),
  who: Type.Object(
    {
      creation: { ...NullableActor, description: 'User or key that created it. Null: not recorded.' },
      modification: { ...NullableActor, description: 'User or key that changed it last. Null: not recorded.' },
    },
    { description: 'Authors of creation and of the last change.' },
  ),
}
const unreadMembers = {
  id: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  createdBy: ignoredMemberSchema,
  modifiedBy: ignoredMemberSchema,
  who: ignoredMemberSchema,
}

export const PressureTopic = Type.Object({
  id: { ...Uuid, description: 'ID of the topic.' },
  label: Type.String({ description: 'Label of the topic.' }),
  description: nullableSchema(Type.String({ description: 'Description of the topic, for users.' })),
  ...authorshipProperties,
})
export type PressureTopic = Static<typeof PressureTopic>

export const PressureTopicBody = Type.Object({
  ...unreadMembers,
  label: Type.Optional(Label),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 500, description: 'Description of the topic, for users.' })),
  ),
})
export type PressureTopicBody = Static<typeof PressureTopicBody>

const periodProperties = {
  type: Type.Enum(['rolling', 'calendar'], {
    description:
      '`rolling`: the last `value` units before now. `calendar`: the current span of units, such as the current day, in the time zone of the contact.',
  }),
  unit: Type.Enum(['HOUR', 'DAY', 'WEEK', 'MONTH'], { description: 'Unit of `value`. A rolling `MONTH` has 30 days.' }),
  value: Type.Integer({ minimum: 1, maximum: 2208, description: 'Number of units; at most 92 days in total.' }),
}
const windowProperties = {
  from: Type.String({
    pattern: TIME_PATTERN,
    description: 'Start of the window as `HH:MM`, in the time zone of the contact.',
  }),
  to: Type.String({
    pattern: TIME_PATTERN,
    description: 'End of the window as `HH:MM`, exclusive. Before or equal to `from`: on the next day.',
  }),
}
const DaysOfWeek = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  description: 'Days on which the window starts, from 1 (Monday) to 7 (Sunday). Absent: every day.',
})
const scopeProperties = {
  channels: Type.Array(Type.Enum(pressureChannels), { maxItems: 4, description: 'Channels of the limit. Empty: all.' }),
  topics: Type.Array(Uuid, {
    maxItems: 500,
    description: 'IDs of the topics of the limit. Empty: messages of every topic and without one.',
  }),
  purposes: Type.Array(Type.Enum(messagePurposes), {
    maxItems: 2,
    description: `Purposes of the limit. ${PURPOSES_IN_WORDS} Empty: both. Default: \`marketing\`.`,
  }),
}
const CountSchema = Type.Integer({
  minimum: 0,
  maximum: 1000,
  description: 'Maximum number of messages in the period. 0: none.',
})
const ReserveSchema = Type.Integer({
  minimum: 0,
  maximum: 999,
  description:
    'Part of `count` that is reserved for messages with a priority of at least `reservePriority`; less than `count`. Default: 0.',
})
const ReservePrioritySchema = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Lowest priority of messages that may use the reserve. Default: 50.',
})
const LimitType = Type.Enum(['limit'], { description: 'Type of the expression.' })

export const PressureLimit = Type.Object({
  type: LimitType,
  count: CountSchema,
  period: Type.Object(periodProperties, { description: 'Period over which messages are counted, at most 92 days.' }),
  ...scopeProperties,
  reserve: ReserveSchema,
  reservePriority: ReservePrioritySchema,
  window: nullableSchema(
    Type.Object(
      { ...windowProperties, daysOfWeek: Type.Optional(DaysOfWeek) },
      { description: 'Hours during which the limit applies. With `count` 0: quiet hours. Null: always.' },
    ),
  ),
})
export type PressureLimit = Static<typeof PressureLimit>

const PressureLimitBody = Type.Object({
  type: LimitType,
  count: CountSchema,
  period: Type.Object(periodProperties, { description: 'Period over which messages are counted, at most 92 days.' }),
  channels: Type.Optional(nullableSchema(scopeProperties.channels)),
  topics: Type.Optional(nullableSchema(scopeProperties.topics)),
  purposes: Type.Optional(nullableSchema(scopeProperties.purposes)),
  reserve: Type.Optional(nullableSchema(ReserveSchema)),
  reservePriority: Type.Optional(nullableSchema(ReservePrioritySchema)),
  window: Type.Optional(
    nullableSchema(
      Type.Object(
        { ...windowProperties, daysOfWeek: Type.Optional(nullableSchema(DaysOfWeek)) },
        { description: 'Hours during which the limit applies. With `count` 0: quiet hours. Null: always.' },
      ),
    ),
  ),
})
export type PressureLimitBody = Static<typeof PressureLimitBody>

const Conjunction = Type.Enum(['and', 'or'], {
  description:
    '`and`: the rule stops a message if any limit that applies to it is reached. `or`: only if all of them are.',
})

export const PressurePredicate = Type.Object({
  type: Conjunction,
  expressions: Type.Array(PressureLimit, { description: 'Limits of the rule.' }),
})
export type PressurePredicate = Static<typeof PressurePredicate>

export const PressureRule = Type.Object({
  id: { ...Uuid, description: 'ID of the rule.' },
  label: Type.String({ description: 'Label of the rule.' }),
  active: Type.Boolean({ description: 'False: the rule is stored but not applied.' }),
  predicate: { ...PressurePredicate, description: 'Limits of the rule, and how they are combined.' },
  ...authorshipProperties,
})
export type PressureRule = Static<typeof PressureRule>

export const PressureRuleBody = Type.Object({
  ...unreadMembers,
  label: Type.Optional(Label),
  active: Type.Optional(Type.Boolean({ description: 'False: the rule is stored but not applied. Default: true.' })),
  predicate: Type.Optional(
    Type.Object(
      {
        type: Conjunction,
        expressions: Type.Array(PressureLimitBody, {
          minItems: 1,
          maxItems: 20,
          description: 'Limits of the rule, 1 to 20.',
        }),
      },
      { description: 'Limits of the rule, and how they are combined. Replaced as a whole.' },
    ),
  ),
})
export type PressureRuleBody = Static<typeof PressureRuleBody>

const ZoneField = nullableSchema(Type.Integer(int32IdLimits))
export const PressureSettings = Type.Object({
  timeZoneField: {
    ...ZoneField,
    description:
      'ID of the text field that holds the time zone of the contact: an IANA name or an offset. Null, or a value that cannot be read: the time zone of the account.',
  },
})
export type PressureSettings = Static<typeof PressureSettings>
export const PressureSettingsBody = Type.Partial(PressureSettings)
export type PressureSettingsBody = Static<typeof PressureSettingsBody>

const messagePressureProperties = {
  use: Type.Boolean({
    description: 'True: rules can stop the messages. Default: true for marketing, false for service.',
  }),
  increment: Type.Boolean({
    description: 'True: the messages count towards limits. Default: true for marketing, false for service.',
  }),
  topic: nullableSchema({ ...Uuid, description: 'ID of the topic the messages count under. Null: none.' }),
  priority: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Priority; the reserve of a limit requires a minimum. Default: 50.',
  }),
  onLimit: Type.Enum(['cancel', 'postpone'], {
    description:
      'Action if a rule stops a message. `cancel`: it is cancelled. `postpone`: it waits until the limit allows it, and is cancelled if that would be more than `postponeHours` after the first stop. Default: `cancel`.',
  }),
  postponeHours: Type.Integer({
    minimum: 1,
    maximum: 168,
    description: 'Maximum delay of a postponed message, in hours. Default: 24.',
  }),
}
/** `settings.mp` of whatever sends. */
export const MessagePressure = Type.Object(messagePressureProperties, {
  description: 'Marketing pressure settings of the messages.',
})
export type MessagePressure = Static<typeof MessagePressure>
export const MessagePressureBody = {
  ...Type.Partial(MessagePressure),
  description: 'Marketing pressure settings of the messages.',
}

const NullableUntil = Type.Union([Type.Integer(), Type.Null()], {
  description:
    'Earliest time at which the limit allows another message if nothing more is sent, in milliseconds since 1970. Null: the limit is not reached, or its `count` is 0.',
})
const WaitingMessage = Type.Object({
  channel: Type.Enum(pressureChannels, { description: 'Channel of the message.' }),
  type: Type.String({ description: 'Type of the action or notification.' }),
  id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the action or notification.' }),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
      id: { ...Uuid, description: 'ID of the message.' },
      thread: { ...Uuid, description: 'ID of the thread.' },
      set: { ...Uuid, description: 'ID of the batch: a request or campaign run.' },
    },
    { description: 'Identifiers of the message.' },
  ),
  until: Type.Integer({ description: 'Time when the message is checked again, in milliseconds since 1970.' }),
})
/** Counts of a contact under one limit of an active rule. */
export const ContactPressure = Type.Object({
  rule: Type.Object(
    {
      id: { ...Uuid, description: 'ID of the rule.' },
      label: Type.String({ description: 'Label of the rule.' }),
    },
    { description: 'Rule that the limit belongs to.' },
  ),
  expression: Type.Integer({ description: 'Index of the limit in the rule, from 0.' }),
  ...scopeProperties,
  count: Type.Integer({ description: 'Number of messages counted in the period.' }),
  limit: Type.Integer({ description: 'Maximum number of messages in the period.' }),
  remaining: Type.Integer({ description: 'Number of messages that the limit still allows.' }),
  until: NullableUntil,
  waiting: Type.Array(WaitingMessage, { description: 'Messages to the contact that the limit postpones.' }),
})
export type ContactPressure = Static<typeof ContactPressure>

/** A kind of message, and where a list of those who could not get it goes on. */
export const ContactsAtLimitQuery = Type.Object({
  channel: Type.Optional(
    Type.Enum(pressureChannels, { description: 'Channel of the kind of message. Default: `email`.' }),
  ),
  purpose: Type.Optional(
    Type.Enum(messagePurposes, {
      description: `Purpose of the kind of message. ${PURPOSES_IN_WORDS} Default: \`marketing\`.`,
    }),
  ),
  topic: Type.Optional(
    Type.String({ format: 'uuid', description: 'ID of the topic of the kind of message. Absent: no topic.' }),
  ),
  priority: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Priority of the kind of message. Default: 50.' }),
  ),
  rule: Type.Optional(
    Type.String({ format: 'uuid', description: 'ID of an active rule to check alone. Absent: all active rules.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Number of contacts per page. Default: 50.' }),
  ),
  after: Type.Optional(Type.String({ description: 'Value of `next` from the previous page.' })),
  at: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Share of the range of contact IDs at which the page starts, from 0 to 1. Cannot be combined with `after`.',
    }),
  ),
})
export type ContactsAtLimitQuery = Static<typeof ContactsAtLimitQuery>

const stopProperties = {
  rule: Type.Object(
    {
      id: { ...Uuid, description: 'ID of the rule.' },
      label: Type.String({ description: 'Label of the rule.' }),
    },
    { description: 'Rule that stops the message.' },
  ),
  expression: Type.Integer({ description: 'Index of the limit in the rule, from 0.' }),
  limit: Type.Integer({ description: 'Maximum number of messages in the period.' }),
  until: {
    ...NullableUntil,
    description:
      'Time until which the message is stopped if nothing more is sent, in milliseconds since 1970. Null: indefinitely.',
  },
}
/** Contacts to whom a kind of message would not go now, because of what they got. */
export const ContactsAtLimit = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the contact.' }),
      unicity: Type.String({ description: 'Unicity of the contact: the values of its unicity fields.' }),
      ...stopProperties,
      count: Type.Integer({ description: 'Number of messages counted in the period.' }),
    }),
    { description: 'Contacts at a limit, by ascending ID.' },
  ),
  total: Type.Integer({ description: 'Number of contacts at a limit.' }),
  exact: Type.Boolean({ description: 'True: `total` is exact. False: it is an estimate.' }),
  next: nullableSchema(
    Type.String({ description: 'Value of `after` for the next page. Null: this is the last page.' }),
  ),
  closed: Type.Array(Type.Object(stopProperties), {
    description:
      'Rules that stop every contact now, such as quiet hours, in the time zone of the account. Their contacts are not in `items`.',
  }),
})
export type ContactsAtLimit = Static<typeof ContactsAtLimit>

const Moment = Type.Union([Type.String(), Type.Number()], { description: 'ISO 8601, or milliseconds since 1970.' })
export const BacktestBody = Type.Object({
  rule: { ...PressureRuleBody, description: 'Rule to test, in the form of a request body; `active` is ignored.' },
  start: {
    ...Moment,
    description: 'Start of the period, inclusive. ISO 8601, or milliseconds since 1970.',
  },
  end: { ...Moment, description: 'End of the period, exclusive. ISO 8601, or milliseconds since 1970.' },
})
export type BacktestBody = Static<typeof BacktestBody>

const backtestCounts = {
  messages: Type.Integer({ description: 'Number of messages replayed.' }),
  stopped: Type.Integer({ description: 'Number of messages that the rule would have stopped.' }),
}
export const BacktestResult = Type.Object({
  ...backtestCounts,
  contacts: Type.Integer({ description: 'Number of contacts with a stopped message.' }),
  byAction: Type.Array(
    Type.Object({
      type: Type.String({ description: 'Type of the action or notification.' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the action or notification.' }),
      name: Type.String({ description: 'Name of the action or notification.' }),
      ...backtestCounts,
    }),
    { description: 'Results by action or notification.' },
  ),
  byDay: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'Date in the time zone of the account.' }),
      ...backtestCounts,
    }),
    {
      description: 'Results by day.',
    },
  ),
})
export type BacktestResult = Static<typeof BacktestResult>

/** Messages of a contact that count together. */
export const CountedMessages = Type.Object({
  start: { ...Instant, description: 'Start of the quarter of an hour in which the messages were counted, in UTC.' },
  channel: Type.Enum(pressureChannels, { description: 'Channel of the messages.' }),
  purpose: Type.Enum(messagePurposes, { description: `Purpose of the messages. ${PURPOSES_IN_WORDS}` }),
  topic: nullableSchema(
    Type.Object(
      {
        id: { ...Uuid, description: 'ID of the topic.' },
        label: Type.String({ description: 'Label of the topic.' }),
      },
      { description: 'Topic of the messages. Null: none.' },
    ),
  ),
  count: Type.Integer({ description: 'Number of messages.' }),
})
export type CountedMessages = Static<typeof CountedMessages>
