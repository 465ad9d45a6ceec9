import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

/** The channels that limits name. Counters hold their places in this list: it only grows. */
export const pressureChannels = ['email', 'sms', 'rcs', 'notification'] as const
export type PressureChannel = (typeof pressureChannels)[number]
export const messagePurposes = ['marketing', 'service'] as const
export type MessagePurpose = (typeof messagePurposes)[number]

const Uuid = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** Longer than a trimmed label may be: the domain checks its length. */
const Label = Type.String({ maxLength: 1000, description: '1 to 100 characters after trimming' })
const NullableActor = nullableSchema(
  Type.Object({
    type: Type.Enum(['person', 'key', 'system', 'command'], { description: 'which of the possible kinds it is' }),
    id: nullableSchema(Type.String({ description: 'what names it in this account' })),
    name: Type.String({ description: 'the name that people give it' }),
  }),
)
const authorshipProperties = {
  stamp: Type.Object(
    {
      creation: { ...Instant, description: 'when it was made, in UTC' },
      modification: { ...Instant, description: 'when it was changed last, in UTC' },
    },
    { description: 'when it was made and changed last' },
  ),
  createdBy: Type.String({ description: 'name of the key or person' }),
  modifiedBy: Type.String({ description: 'name of the key or person' }),
  who: Type.Object(
    {
      creation: { ...NullableActor, description: 'who made it' },
      modification: { ...NullableActor, description: 'who changed it last' },
    },
    { description: 'the key or person; null: before that was kept' },
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
  id: { ...Uuid, description: 'what names it in this account' },
  label: Type.String({ description: 'the name that people see' }),
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
  ...authorshipProperties,
})
export type PressureTopic = Static<typeof PressureTopic>

export const PressureTopicBody = Type.Object({
  ...unreadMembers,
  label: Type.Optional(Label),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 500, description: 'words that say what it is for' })),
  ),
})
export type PressureTopicBody = Static<typeof PressureTopicBody>

const periodProperties = {
  type: Type.Enum(['rolling', 'calendar'], {
    description: 'the last units before now, or the current span, aligned on unit starts in the zone of the contact',
  }),
  unit: Type.Enum(['HOUR', 'DAY', 'WEEK', 'MONTH'], { description: 'the unit of the number beside it' }),
  value: Type.Integer({ minimum: 1, maximum: 2208, description: 'at most 92 days in all' }),
}
const windowProperties = {
  from: Type.String({ pattern: TIME_PATTERN, description: 'HH:MM in the zone of the contact' }),
  to: Type.String({ pattern: TIME_PATTERN, description: 'exclusive; before or at from: of the next day' }),
}
const DaysOfWeek = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  minItems: 1,
  maxItems: 7,
  description: 'on which the window begins: 1 Monday to 7 Sunday; absent: every day',
})
const scopeProperties = {
  channels: Type.Array(Type.Enum(pressureChannels), { maxItems: 4, description: 'empty: all' }),
  topics: Type.Array(Uuid, { maxItems: 500, description: 'empty: every topic and none' }),
  purposes: Type.Array(Type.Enum(messagePurposes), { maxItems: 2, description: 'empty: both' }),
}
const CountSchema = Type.Integer({ minimum: 0, maximum: 1000, description: 'messages at most in the period' })
const ReserveSchema = Type.Integer({
  minimum: 0,
  maximum: 999,
  description: 'of the count, kept for messages of a priority of at least reservePriority',
})
const ReservePrioritySchema = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'priority from which messages may use the reserve',
})
const LimitType = Type.Enum(['limit'], { description: 'which of the possible kinds it is' })

export const PressureLimit = Type.Object({
  type: LimitType,
  count: CountSchema,
  period: Type.Object(periodProperties, { description: 'a length of time' }),
  ...scopeProperties,
  reserve: ReserveSchema,
  reservePriority: ReservePrioritySchema,
  window: nullableSchema(
    Type.Object(
      { ...windowProperties, daysOfWeek: Type.Optional(DaysOfWeek) },
      { description: 'hours in which it applies; null: always' },
    ),
  ),
})
export type PressureLimit = Static<typeof PressureLimit>

const PressureLimitBody = Type.Object({
  type: LimitType,
  count: CountSchema,
  period: Type.Object(periodProperties, { description: 'a length of time' }),
  channels: Type.Optional(nullableSchema(scopeProperties.channels)),
  topics: Type.Optional(nullableSchema(scopeProperties.topics)),
  purposes: Type.Optional(nullableSchema(scopeProperties.purposes)),
  reserve: Type.Optional(nullableSchema(ReserveSchema)),
  reservePriority: Type.Optional(nullableSchema(ReservePrioritySchema)),
  window: Type.Optional(
    nullableSchema(
      Type.Object(
        { ...windowProperties, daysOfWeek: Type.Optional(nullableSchema(DaysOfWeek)) },
        { description: 'hours in which it applies; null: always' },
      ),
    ),
  ),
})
export type PressureLimitBody = Static<typeof PressureLimitBody>

const Conjunction = Type.Enum(['and', 'or'], { description: 'which of the possible kinds it is' })

export const PressurePredicate = Type.Object({
  type: Conjunction,
  expressions: Type.Array(PressureLimit, { description: 'limits' }),
})
export type PressurePredicate = Static<typeof PressurePredicate>

export const PressureRule = Type.Object({
  id: { ...Uuid, description: 'what names it in this account' },
  label: Type.String({ description: 'the name that people see' }),
  active: Type.Boolean({ description: 'whether it is in use' }),
  predicate: { ...PressurePredicate, description: 'limits; and: a message must keep all of them; or: one of them' },
  ...authorshipProperties,
})
export type PressureRule = Static<typeof PressureRule>

export const PressureRuleBody = Type.Object({
  ...unreadMembers,
  label: Type.Optional(Label),
  active: Type.Optional(Type.Boolean({ description: 'whether it is in use' })),
  predicate: Type.Optional(
    Type.Object(
      {
        type: Conjunction,
        expressions: Type.Array(PressureLimitBody, { minItems: 1, maxItems: 20, description: 'limits' }),
      },
      { description: 'limits; and: a message must keep all of them; or: one of them' },
    ),
  ),
})
export type PressureRuleBody = Static<typeof PressureRuleBody>

const ZoneField = nullableSchema(Type.Integer(int32IdLimits))
export const PressureSettings = Type.Object({
  timeZoneField: { ...ZoneField, description: 'text field that holds an IANA name or an offset' },
})
export type PressureSettings = Static<typeof PressureSettings>
export const PressureSettingsBody = Type.Partial(PressureSettings)
export type PressureSettingsBody = Static<typeof PressureSettingsBody>

const messagePressureProperties = {
  use: Type.Boolean({ description: 'rules of pressure may stop a message' }),
  increment: Type.Boolean({ description: 'a message counts for later ones' }),
  topic: nullableSchema({ ...Uuid, description: 'id of the topic' }),
  priority: Type.Integer({ minimum: 0, maximum: 100, description: 'what the reserve of a limit asks for' }),
  onLimit: Type.Enum(['cancel', 'postpone'], { description: 'what becomes of a message that a rule stops' }),
  postponeHours: Type.Integer({ minimum: 1, maximum: 168, description: 'how long it waits at most' }),
}
/** `settings.mp` of whatever sends. */
export const MessagePressure = Type.Object(messagePressureProperties, {
  description: 'how marketing pressure concerns it',
})
export type MessagePressure = Static<typeof MessagePressure>
export const MessagePressureBody = {
  ...Type.Partial(MessagePressure),
  description: 'how marketing pressure concerns it',
}

const NullableUntil = Type.Union([Type.Integer(), Type.Null()], { description: 'milliseconds' })
const WaitingMessage = Type.Object({
  channel: Type.Enum(pressureChannels, { description: 'the channel that it is sent by' }),
  type: Type.String({ description: 'which of the possible kinds it is' }),
  id: Type.Union([Type.String(), Type.Integer()], { description: 'what names it in this account' }),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'milliseconds since 1970' }),
      id: { ...Uuid, description: 'what names it in this account' },
      thread: { ...Uuid, description: 'what names one conversation or send' },
      set: { ...Uuid, description: 'id of the batch: a request, or a run' },
    },
    { description: 'what names one send' },
  ),
  until: Type.Integer({ description: 'milliseconds' }),
})
/** Counts of a contact under one limit of an active rule. */
export const ContactPressure = Type.Object({
  rule: Type.Object(
    {
      id: { ...Uuid, description: 'what names it in this account' },
      label: Type.String({ description: 'the name that people see' }),
    },
    { description: 'the rule that applies' },
  ),
  expression: Type.Integer({ description: 'place of the limit in the rule' }),
  ...scopeProperties,
  count: Type.Integer({ description: 'how many there are' }),
  limit: Type.Integer({ description: 'the most that there may be' }),
  remaining: Type.Integer({ description: 'messages that still fit' }),
  until: NullableUntil,
  waiting: Type.Array(WaitingMessage, { description: 'messages that wait for room' }),
})
export type ContactPressure = Static<typeof ContactPressure>

/** A kind of message, and where a list of those who could not get it goes on. */
export const ContactsAtLimitQuery = Type.Object({
  channel: Type.Optional(Type.Enum(pressureChannels, { description: 'default email' })),
  purpose: Type.Optional(Type.Enum(messagePurposes, { description: 'default marketing' })),
  topic: Type.Optional(Type.String({ format: 'uuid', description: 'default none' })),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'default 50' })),
  rule: Type.Optional(Type.String({ format: 'uuid', description: 'this active rule alone' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'contacts of a page: 50' })),
  after: Type.Optional(Type.String({ description: 'the "next" of a page' })),
  at: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'the page that begins at this share of the ids; not beside after',
    }),
  ),
})
export type ContactsAtLimitQuery = Static<typeof ContactsAtLimitQuery>

const stopProperties = {
  rule: Type.Object(
    {
      id: { ...Uuid, description: 'what names it in this account' },
      label: Type.String({ description: 'the name that people see' }),
    },
    { description: 'the rule that applies' },
  ),
  expression: Type.Integer({ description: 'place of the limit in the rule' }),
  limit: Type.Integer({ description: 'the most that there may be' }),
  until: {
    ...NullableUntil,
    description: 'milliseconds: when one more would fit, if nothing more were sent; null: never',
  },
}
/** Contacts to whom a kind of message would not go now, because of what they got. */
export const ContactsAtLimit = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      unicity: Type.String({ description: 'the values of the unicity fields' }),
      ...stopProperties,
      count: Type.Integer({ description: 'how many there are' }),
    }),
    { description: 'the items, in their order' },
  ),
  total: Type.Integer({ description: 'how many there are in all' }),
  exact: Type.Boolean({ description: 'false: an estimate, as zones of contacts differ or counting takes too long' }),
  next: nullableSchema(Type.String({ description: 'value of `after` for the next page; null: this is the last' })),
  closed: Type.Array(Type.Object(stopProperties), {
    description: 'rules that stop everybody now, such as quiet hours, in the zone of the account; not among the items',
  }),
})
export type ContactsAtLimit = Static<typeof ContactsAtLimit>

const Moment = Type.Union([Type.String(), Type.Number()], { description: 'ISO 8601, or milliseconds since 1970' })
export const BacktestBody = Type.Object({
  rule: { ...PressureRuleBody, description: 'the rule that applies' },
  start: Moment,
  end: Moment,
})
export type BacktestBody = Static<typeof BacktestBody>

const backtestCounts = {
  messages: Type.Integer({ description: 'how many messages' }),
  stopped: Type.Integer({ description: 'how many were stopped' }),
}
export const BacktestResult = Type.Object({
  ...backtestCounts,
  contacts: Type.Integer({ description: 'of whom a message would have been stopped' }),
  byAction: Type.Array(
    Type.Object({
      type: Type.String({ description: 'which of the possible kinds it is' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'what names it in this account' }),
      name: Type.String({ description: 'the name that people give it' }),
      ...backtestCounts,
    }),
    { description: 'the same by what they were sent by' },
  ),
  byDay: Type.Array(
    Type.Object({ date: Type.String({ format: 'date', description: 'when it happened, in UTC' }), ...backtestCounts }),
    {
      description: 'the same by day',
    },
  ),
})
export type BacktestResult = Static<typeof BacktestResult>

/** Messages of a contact that count together. */
export const CountedMessages = Type.Object({
  start: { ...Instant, description: 'of the quarter of an hour they were counted in' },
  channel: Type.Enum(pressureChannels, { description: 'the channel that it is sent by' }),
  purpose: Type.Enum(messagePurposes, { description: 'whether it is marketing or a service to the recipient' }),
  topic: nullableSchema(
    Type.Object(
      {
        id: { ...Uuid, description: 'what names it in this account' },
        label: Type.String({ description: 'the name that people see' }),
      },
      { description: 'the topic; null: none' },
    ),
  ),
  count: Type.Integer({ description: 'how many there are' }),
})
export type CountedMessages = Static<typeof CountedMessages>
