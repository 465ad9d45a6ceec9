import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../actions/reports/short-report-schemas.ts'
import { BestTimeWindowHours } from '../actions/resource/action-schemas.ts'
import { MessagePressure, MessagePressureBody } from '../pressure/pressure-schemas.ts'

export const MAX_PUSH_VERSIONS = 50
export const MAX_PUSH_BUTTONS = 3

const IdSchema = Type.Integer(int32IdLimits)
const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const NameSchema = Type.String({ minLength: 1, maxLength: 255 })
const InstantSchema = Type.String({ format: 'date-time' })
/** ISO 8601 or milliseconds since 1970: read by lib/time/period.ts, which also says what is no date. */
const InstantInputSchema = Type.Union([Type.String(), Type.Number()])
const TemplateSchema = nullableSchema(Type.String({ maxLength: 100_000, description: 'a template' }))

export const pushExpirationUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

const SpanSchema = Type.Object({
  unit: Type.Enum([...pushExpirationUnits], { description: 'a month has 30 days, a year 365' }),
  value: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
const PeriodExpiration = Type.Object({ type: Type.Literal('period'), value: SpanSchema })
const PushExpiration = Type.Union([
  PeriodExpiration,
  Type.Object({ type: Type.Literal('date'), value: Type.Object({ date: InstantSchema }) }),
])
export type PushExpiration = Static<typeof PushExpiration>

/** From the acceptance of a send, or until a date. */
export const PushExpirationBody = Type.Union([
  PeriodExpiration,
  Type.Object({
    type: Type.Literal('date'),
    value: Type.Union([Type.Object({ date: InstantInputSchema }), InstantInputSchema]),
  }),
])
export type PushExpirationBody = Static<typeof PushExpirationBody>

const buildTargetSchema = (targetKind: 'route' | 'channel', description: string) =>
  Type.Object({ type: Type.Enum(['literal', targetKind]), value: Type.String({ maxLength: 2048 }) }, { description })
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
const VersionNameSchema = nullableSchema(Type.String({ maxLength: 100 }))
const ConditionSchema = nullableSchema(
  Type.String({ maxLength: 4000, description: 'as between {% if and %}; null: never chosen by condition' }),
)

const PushVersion = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: VersionNameSchema,
  master: Type.Boolean({ description: 'what is sent where no condition is true' }),
  condition: ConditionSchema,
  content: Type.Object({ ...textMembers, buttons: Type.Array(NotificationButton) }),
  redirection: PushRedirection,
  channel: PushChannel,
})
export type PushVersion = Static<typeof PushVersion>

const PushVersionBody = Type.Object({
  id: Type.Optional(nullableSchema(Type.String())),
  name: Type.Optional(VersionNameSchema),
  master: Type.Optional(Type.Boolean({ description: 'what is sent where no condition is true' })),
  condition: Type.Optional(ConditionSchema),
  content: Type.Optional(
    nullableSchema(
      Type.Object({ ...pushTextBodyMembers, buttons: Type.Optional(nullableSchema(NotificationButtonBodies)) }),
    ),
  ),
  redirection: Type.Optional(PushRedirection),
  channel: Type.Optional(PushChannel),
})
export type PushVersionBody = Static<typeof PushVersionBody>

const SegmentIdsSchema = Type.Array(IdSchema, { maxItems: 100 })
const segmentMembers = { selected: SegmentIdsSchema, excluded: SegmentIdsSchema }
const SegmentsSchema = Type.Object(segmentMembers)
const SegmentsInputSchema = Type.Object(Type.Partial(SegmentsSchema).properties)

const cronMembers = {
  minute: Type.String({ maxLength: 200, description: 'as in cron, 0 to 59' }),
  hour: Type.String({ maxLength: 200, description: 'as in cron, 0 to 23' }),
  dayOfMonth: Type.String({ maxLength: 200, description: 'as in cron, 1 to 31 or L' }),
  month: Type.String({ maxLength: 200, description: 'as in cron, 1 to 12 or JAN to DEC' }),
  dayOfWeek: Type.String({ maxLength: 200, description: 'as in cron, 0 to 7 or MON to SUN; 0 and 7 are Sunday' }),
  timeZone: Type.Object({ id: Type.String({ maxLength: 100, description: 'IANA' }) }),
}
const SCHEDULER_TYPES = ['asap', 'scheduled', 'cron', 'bestTime'] as const
const TaskNameSchema = Type.String({ maxLength: 255 })

const SchedulerSchema = Type.Object({
  type: Type.Enum([...SCHEDULER_TYPES]),
  id: Type.String({ format: 'uuid' }),
  name: TaskNameSchema,
  segments: SegmentsSchema,
  startDate: Type.Optional(nullableSchema(InstantSchema)),
  windowHours: Type.Optional(BestTimeWindowHours),
  ...Type.Partial(Type.Object(cronMembers)).properties,
  lastRun: nullableSchema(InstantSchema),
  nextRun: nullableSchema(InstantSchema),
})

const TaskSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: TaskNameSchema,
  description: Type.String(),
  segments: SegmentsSchema,
  scheduler: nullableSchema(SchedulerSchema),
})

const NotificationSchedulerBody = Type.Object({
  type: Type.Optional(Type.Enum([...SCHEDULER_TYPES])),
  id: ignoredMemberSchema,
  name: Type.Optional(nullableSchema(TaskNameSchema)),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  startDate: Type.Optional(nullableSchema(InstantInputSchema)),
  windowHours: Type.Optional(BestTimeWindowHours),
  ...Type.Partial(Type.Object(cronMembers)).properties,
  lastRun: ignoredMemberSchema,
  nextRun: ignoredMemberSchema,
})
export type NotificationSchedulerBody = Static<typeof NotificationSchedulerBody>

const NotificationTaskBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(nullableSchema(TaskNameSchema)),
  description: Type.Optional(nullableSchema(Type.String({ maxLength: 4000 }))),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  scheduler: Type.Optional(nullableSchema(NotificationSchedulerBody)),
})
export type NotificationTaskBody = Static<typeof NotificationTaskBody>

const CultureSchema = Type.String({ maxLength: 35, description: 'BCP 47; dates and numbers follow it' })

export const NotificationResponse = Type.Object({
  type: Type.Literal('push-app'),
  id: Type.Integer(),
  name: NameSchema,
  description: nullableSchema(Type.String()),
  active: Type.Boolean({ description: 'changed by /activation' }),
  stamp: Type.Object(
    { creation: InstantSchema, modification: InstantSchema },
    { description: 'when it was made and changed last' },
  ),
  settings: Type.Object({
    application: nullableSchema(Type.String({ format: 'uuid' })),
    urgent: Type.Boolean(),
    purpose: Type.Object({ type: Type.Enum(['marketing', 'service']) }),
    expiration: nullableSchema(PushExpiration),
    mp: MessagePressure,
    culture: CultureSchema,
  }),
  task: nullableSchema({ ...TaskSchema, description: 'when it is sent, and to whom; null: when asked for' }),
  versions: Type.Array(PushVersion),
})
export type NotificationResponse = Static<typeof NotificationResponse>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const NotificationBody = Type.Object({
  type: Type.Optional(Type.Literal('push-app')),
  id: ignoredMemberSchema,
  name: Type.Optional(NameSchema),
  description: Type.Optional(nullableSchema(Type.String({ maxLength: 4000 }))),
  active: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  settings: Type.Optional(
    Type.Object({
      application: Type.Optional(nullableSchema(UuidSchema)),
      urgent: Type.Optional(Type.Boolean()),
      purpose: Type.Optional(
        Type.Object({ type: Type.Optional(Type.String({ description: 'marketing or service, in any letter case' })) }),
      ),
      expiration: Type.Optional(nullableSchema(PushExpirationBody)),
      mp: Type.Optional(MessagePressureBody),
      culture: Type.Optional(nullableSchema(CultureSchema)),
    }),
  ),
  task: Type.Optional(
    nullableSchema({ ...NotificationTaskBody, description: 'when it is sent, and to whom; null: when asked for' }),
  ),
  versions: Type.Optional(Type.Array(PushVersionBody, { minItems: 1, maxItems: MAX_PUSH_VERSIONS })),
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
