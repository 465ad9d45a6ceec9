import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../actions/reports/short-report-schemas.ts'
import { BestTimeWindowHours } from '../actions/resource/action-schemas.ts'
import { MessagePressure, MessagePressureBody } from '../pressure/pressure-schemas.ts'

export const MAX_PUSH_VERSIONS = 50
export const MAX_PUSH_BUTTONS = 3

const IdSchema = Type.Integer(int32IdLimits)
const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const NameSchema = Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' })
const InstantSchema = Type.String({ format: 'date-time' })
/** ISO 8601 or milliseconds since 1970: read by lib/time/period.ts, which also says what is no date. */
const InstantInputSchema = Type.Union([Type.String(), Type.Number()])
const TemplateSchema = nullableSchema(Type.String({ maxLength: 100_000, description: 'a template' }))

export const pushExpirationUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

const SpanSchema = Type.Object({
  unit: Type.Enum([...pushExpirationUnits], { description: 'a month has 30 days, a year 365' }),
  value: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'the value itself' }),
})
const PeriodExpiration = Type.Object({
  type: buildTypeTag('period'),
  value: { ...SpanSchema, description: 'the value itself' },
})
const PushExpiration = Type.Union([
  PeriodExpiration,
  Type.Object({
    type: buildTypeTag('date'),
    value: Type.Object(
      { date: { ...InstantSchema, description: 'when it happened, in UTC' } },
      { description: 'the value itself' },
    ),
  }),
])
export type PushExpiration = Static<typeof PushExpiration>

/** From the acceptance of a send, or until a date. */
export const PushExpirationBody = Type.Union([
  PeriodExpiration,
  Type.Object({
    type: buildTypeTag('date'),
    value: Type.Union(
      [Type.Object({ date: { ...InstantInputSchema, description: 'when it happened, in UTC' } }), InstantInputSchema],
      { description: 'the value itself' },
    ),
  }),
])
export type PushExpirationBody = Static<typeof PushExpirationBody>

const buildTargetSchema = (targetKind: 'route' | 'channel', description: string) =>
  Type.Object(
    {
      type: Type.Enum(['literal', targetKind], { description: 'which of the possible kinds it is' }),
      value: Type.String({ maxLength: 2048, description: 'the value itself' }),
    },
    { description },
  )
export const PushRedirection = nullableSchema(
  buildTargetSchema('route', 'an address, as a template, or the name of a route of the application'),
)
export const PushChannel = nullableSchema(
  buildTargetSchema('channel', 'a channel of the device, or the name of one of the application'),
)
export type NotificationTarget = { type: 'literal' | 'route' | 'channel'; value: string }

const buttonMembers = { title: Type.String({ maxLength: 1000, description: 'a template' }) }
const NotificationButton = Type.Object({ ...buttonMembers, redirection: PushRedirection })
export type NotificationButton = Static<typeof NotificationButton>
export const NotificationButtonBodies = Type.Array(
  Type.Object({ ...buttonMembers, redirection: Type.Optional(PushRedirection) }),
  {
    maxItems: MAX_PUSH_BUTTONS,
    description: 'buttons under the text',
  },
)

const textMembers = {
  title: TemplateSchema,
  body: TemplateSchema,
  icon: TemplateSchema,
  thumbnail: TemplateSchema,
  image: TemplateSchema,
}
export const pushTextBodyMembers = Type.Partial(Type.Object(textMembers)).properties
const VersionNameSchema = nullableSchema(Type.String({ maxLength: 100, description: 'the name that people give it' }))
const ConditionSchema = nullableSchema(
  Type.String({ maxLength: 4000, description: 'as between {% if and %}; null: never chosen by condition' }),
)

const PushVersion = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: VersionNameSchema,
  master: Type.Boolean({ description: 'what is sent where no condition is true' }),
  condition: ConditionSchema,
  content: Type.Object(
    { ...textMembers, buttons: Type.Array(NotificationButton, { description: 'buttons under the text' }) },
    { description: 'what it says or holds' },
  ),
  redirection: PushRedirection,
  channel: PushChannel,
})
export type PushVersion = Static<typeof PushVersion>

const PushVersionBody = Type.Object({
  id: Type.Optional(nullableSchema(Type.String({ description: 'what names it in this account' }))),
  name: Type.Optional(VersionNameSchema),
  master: Type.Optional(Type.Boolean({ description: 'what is sent where no condition is true' })),
  condition: Type.Optional(ConditionSchema),
  content: Type.Optional(
    nullableSchema(
      Type.Object(
        { ...pushTextBodyMembers, buttons: Type.Optional(nullableSchema(NotificationButtonBodies)) },
        { description: 'what it says or holds' },
      ),
    ),
  ),
  redirection: Type.Optional(PushRedirection),
  channel: Type.Optional(PushChannel),
})
export type PushVersionBody = Static<typeof PushVersionBody>

const SegmentIdsSchema = Type.Array(IdSchema, { maxItems: 100 })
const segmentMembers = {
  selected: { ...SegmentIdsSchema, description: 'ids of segments whose contacts it is for' },
  excluded: { ...SegmentIdsSchema, description: 'ids of segments whose contacts are left out' },
}
const SegmentsSchema = Type.Object(segmentMembers, { description: 'whose contacts it is for' })
const SegmentsInputSchema = Type.Object(Type.Partial(SegmentsSchema).properties, {
  description: 'whose contacts it is for',
})

const cronMembers = {
  minute: Type.String({ maxLength: 200, description: 'as in cron, 0 to 59' }),
  hour: Type.String({ maxLength: 200, description: 'as in cron, 0 to 23' }),
  dayOfMonth: Type.String({ maxLength: 200, description: 'as in cron, 1 to 31 or L' }),
  month: Type.String({ maxLength: 200, description: 'as in cron, 1 to 12 or JAN to DEC' }),
  dayOfWeek: Type.String({ maxLength: 200, description: 'as in cron, 0 to 7 or MON to SUN; 0 and 7 are Sunday' }),
  timeZone: Type.Object(
    { id: Type.String({ maxLength: 100, description: 'IANA' }) },
    { description: 'an IANA time zone' },
  ),
}
const SCHEDULER_TYPES = ['asap', 'scheduled', 'cron', 'bestTime'] as const
const TaskNameSchema = Type.String({ maxLength: 255, description: 'the name that people give it' })

const SchedulerSchema = Type.Object({
  type: Type.Enum([...SCHEDULER_TYPES], { description: 'which of the possible kinds it is' }),
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: TaskNameSchema,
  segments: SegmentsSchema,
  startDate: Type.Optional(nullableSchema({ ...InstantSchema, description: 'when it begins or began, in UTC' })),
  windowHours: Type.Optional(BestTimeWindowHours),
  ...Type.Partial(Type.Object(cronMembers)).properties,
  lastRun: nullableSchema({ ...InstantSchema, description: 'when it ran last, in UTC' }),
  nextRun: nullableSchema({ ...InstantSchema, description: 'when it runs next, in UTC' }),
})

const TaskSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: TaskNameSchema,
  description: Type.String({ description: 'words that say what it is for' }),
  segments: SegmentsSchema,
  scheduler: nullableSchema({ ...SchedulerSchema, description: 'when it is sent, and to whom' }),
})

const NotificationSchedulerBody = Type.Object({
  type: Type.Optional(Type.Enum([...SCHEDULER_TYPES], { description: 'which of the possible kinds it is' })),
  id: ignoredMemberSchema,
  name: Type.Optional(nullableSchema(TaskNameSchema)),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  startDate: Type.Optional({ ...nullableSchema(InstantInputSchema), description: 'when it begins or began, in UTC' }),
  windowHours: Type.Optional(BestTimeWindowHours),
  ...Type.Partial(Type.Object(cronMembers)).properties,
  lastRun: ignoredMemberSchema,
  nextRun: ignoredMemberSchema,
})
export type NotificationSchedulerBody = Static<typeof NotificationSchedulerBody>

const NotificationTaskBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(nullableSchema(TaskNameSchema)),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
  ),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  scheduler: Type.Optional(
    nullableSchema({ ...NotificationSchedulerBody, description: 'when it is sent, and to whom' }),
  ),
})
export type NotificationTaskBody = Static<typeof NotificationTaskBody>

const CultureSchema = Type.String({ maxLength: 35, description: 'BCP 47; dates and numbers follow it' })

export const NotificationResponse = Type.Object({
  type: buildTypeTag('push-app'),
  id: Type.Integer({ description: 'what names it in this account' }),
  name: NameSchema,
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
  active: Type.Boolean({ description: 'changed by /activation' }),
  stamp: Type.Object(
    {
      creation: { ...InstantSchema, description: 'when it was made, in UTC' },
      modification: { ...InstantSchema, description: 'when it was changed last, in UTC' },
    },
    { description: 'when it was made and changed last' },
  ),
  settings: Type.Object(
    {
      application: nullableSchema(Type.String({ format: 'uuid', description: 'id of the application' })),
      urgent: Type.Boolean({ description: 'whether it goes before others' }),
      purpose: Type.Object(
        { type: Type.Enum(['marketing', 'service'], { description: 'which of the possible kinds it is' }) },
        { description: 'whether it is marketing or a service to the recipient' },
      ),
      expiration: { ...nullableSchema(PushExpiration), description: 'how long it may still be delivered' },
      mp: MessagePressure,
      culture: CultureSchema,
    },
    { description: 'how it is made and sent' },
  ),
  task: nullableSchema({ ...TaskSchema, description: 'when it is sent, and to whom; null: when asked for' }),
  versions: Type.Array(PushVersion, { description: 'the versions of it' }),
})
export type NotificationResponse = Static<typeof NotificationResponse>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const NotificationBody = Type.Object({
  type: Type.Optional(buildTypeTag('push-app')),
  id: ignoredMemberSchema,
  name: Type.Optional(NameSchema),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
  ),
  active: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  settings: Type.Optional(
    Type.Object(
      {
        application: Type.Optional(nullableSchema({ ...UuidSchema, description: 'id of the application' })),
        urgent: Type.Optional(Type.Boolean({ description: 'whether it goes before others' })),
        purpose: Type.Optional(
          Type.Object(
            { type: Type.Optional(Type.String({ description: 'marketing or service, in any letter case' })) },
            { description: 'whether it is marketing or a service to the recipient' },
          ),
        ),
        expiration: Type.Optional({
          ...nullableSchema(PushExpirationBody),
          description: 'how long it may still be delivered',
        }),
        mp: Type.Optional(MessagePressureBody),
        culture: Type.Optional(nullableSchema(CultureSchema)),
      },
      { description: 'how it is made and sent' },
    ),
  ),
  task: Type.Optional(
    nullableSchema({ ...NotificationTaskBody, description: 'when it is sent, and to whom; null: when asked for' }),
  ),
  versions: Type.Optional(
    Type.Array(PushVersionBody, { minItems: 1, maxItems: MAX_PUSH_VERSIONS, description: 'the versions of it' }),
  ),
})
export type NotificationBody = Static<typeof NotificationBody>

/** One in the list. */
export const ListedNotification = Type.Object({
  ...NotificationResponse.properties,
  report: Type.Optional(ShortReport),
})

/** Problem types of the operations that write notifications by status. */
export const notificationRefusals = {
  409:
    'notification-active notification-inactive notification-not-ready notification-state master-version ' +
    'application-inactive application-missing segment-not-test test-too-large',
}
export const notificationChangeRefusals = { ...notificationRefusals, 403: 'approval-required', 410: 'gone' }
