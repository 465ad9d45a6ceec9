import { type Static, Type } from 'typebox'
import { passedOver } from '../../lib/errors/passed-over.ts'
import { int32Id } from '../../lib/int32.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../actions/reports/short-report-schemas.ts'
import { WindowHours } from '../actions/resource/action-schemas.ts'
import { MessagePressure, MessagePressureBody } from '../pressure/pressure-schemas.ts'

export const MAX_VERSIONS = 50
export const MAX_BUTTONS = 3

const Id = Type.Integer(int32Id)
const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const Name = Type.String({ minLength: 1, maxLength: 255 })
const Instant = Type.String({ format: 'date-time' })
/** ISO 8601 or milliseconds since 1970: read by lib/period.ts, which also says what is no date. */
const GivenInstant = Type.Union([Type.String(), Type.Number()])
const Template = nullable(Type.String({ maxLength: 100_000, description: 'a template' }))

export const expirationUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

const Span = Type.Object({
  unit: Type.Enum([...expirationUnits], { description: 'a month has 30 days, a year 365' }),
  value: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
const PeriodExpiration = Type.Object({ type: Type.Literal('period'), value: Span })
const Expiration = Type.Union([
  PeriodExpiration,
  Type.Object({ type: Type.Literal('date'), value: Type.Object({ date: Instant }) }),
])
export type Expiration = Static<typeof Expiration>

/** From the acceptance of a send, or until a date. */
export const ExpirationBody = Type.Union([
  PeriodExpiration,
  Type.Object({
    type: Type.Literal('date'),
    value: Type.Union([Type.Object({ date: GivenInstant }), GivenInstant]),
  }),
])
export type ExpirationBody = Static<typeof ExpirationBody>

const target = (named: 'route' | 'channel', description: string) =>
  Type.Object({ type: Type.Enum(['literal', named]), value: Type.String({ maxLength: 2048 }) }, { description })
export const Redirection = nullable(
  target('route', 'an address, as a template, or the name of a route of the application'),
)
export const PushChannel = nullable(target('channel', 'a channel of the device, or the name of one of the application'))
export type Target = { type: 'literal' | 'route' | 'channel'; value: string }

const button = { title: Type.String({ maxLength: 1000, description: 'a template' }) }
const Button = Type.Object({ ...button, redirection: Redirection })
export type Button = Static<typeof Button>
export const GivenButtons = Type.Array(Type.Object({ ...button, redirection: Type.Optional(Redirection) }), {
  maxItems: MAX_BUTTONS,
})

const texts = { title: Template, body: Template, icon: Template, thumbnail: Template, image: Template }
export const givenTexts = Type.Partial(Type.Object(texts)).properties
const versionName = nullable(Type.String({ maxLength: 100 }))
const Condition = nullable(
  Type.String({ maxLength: 4000, description: 'as between {% if and %}; null: never chosen by condition' }),
)

const Version = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: versionName,
  master: Type.Boolean({ description: 'what is sent where no condition is true' }),
  condition: Condition,
  content: Type.Object({ ...texts, buttons: Type.Array(Button) }),
  redirection: Redirection,
  channel: PushChannel,
})
export type Version = Static<typeof Version>

const VersionBody = Type.Object({
  id: Type.Optional(nullable(Type.String())),
  name: Type.Optional(versionName),
  master: Type.Optional(Type.Boolean({ description: 'what is sent where no condition is true' })),
  condition: Type.Optional(Condition),
  content: Type.Optional(nullable(Type.Object({ ...givenTexts, buttons: Type.Optional(nullable(GivenButtons)) }))),
  redirection: Type.Optional(Redirection),
  channel: Type.Optional(PushChannel),
})
export type VersionBody = Static<typeof VersionBody>

const SegmentIds = Type.Array(Id, { maxItems: 100 })
const segments = { selected: SegmentIds, excluded: SegmentIds }
const Segments = Type.Object(segments)
const GivenSegments = Type.Object(Type.Partial(Segments).properties)

const cron = {
  minute: Type.String({ maxLength: 200, description: 'as in cron, 0 to 59' }),
  hour: Type.String({ maxLength: 200, description: 'as in cron, 0 to 23' }),
  dayOfMonth: Type.String({ maxLength: 200, description: 'as in cron, 1 to 31 or L' }),
  month: Type.String({ maxLength: 200, description: 'as in cron, 1 to 12 or JAN to DEC' }),
  dayOfWeek: Type.String({ maxLength: 200, description: 'as in cron, 0 to 7 or MON to SUN; 0 and 7 are Sunday' }),
  timeZone: Type.Object({ id: Type.String({ maxLength: 100, description: 'IANA' }) }),
}
const types = ['asap', 'scheduled', 'cron', 'bestTime'] as const
const nameText = Type.String({ maxLength: 255 })

const Scheduler = Type.Object({
  type: Type.Enum([...types]),
  id: Type.String({ format: 'uuid' }),
  name: nameText,
  segments: Segments,
  startDate: Type.Optional(nullable(Instant)),
  windowHours: Type.Optional(WindowHours),
  ...Type.Partial(Type.Object(cron)).properties,
  lastRun: nullable(Instant),
  nextRun: nullable(Instant),
})

const Task = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: nameText,
  description: Type.String(),
  segments: Segments,
  scheduler: nullable(Scheduler),
})

const SchedulerBody = Type.Object({
  type: Type.Optional(Type.Enum([...types])),
  id: passedOver,
  name: Type.Optional(nullable(nameText)),
  segments: Type.Optional(nullable(GivenSegments)),
  startDate: Type.Optional(nullable(GivenInstant)),
  windowHours: Type.Optional(WindowHours),
  ...Type.Partial(Type.Object(cron)).properties,
  lastRun: passedOver,
  nextRun: passedOver,
})
export type SchedulerBody = Static<typeof SchedulerBody>

const TaskBody = Type.Object({
  id: passedOver,
  name: Type.Optional(nullable(nameText)),
  description: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  segments: Type.Optional(nullable(GivenSegments)),
  scheduler: Type.Optional(nullable(SchedulerBody)),
})
export type TaskBody = Static<typeof TaskBody>

const culture = Type.String({ maxLength: 35, description: 'BCP 47; dates and numbers follow it' })

export const Notification = Type.Object({
  type: Type.Literal('push-app'),
  id: Type.Integer(),
  name: Name,
  description: nullable(Type.String()),
  active: Type.Boolean({ description: 'changed by /activation' }),
  stamp: Type.Object(
    { creation: Instant, modification: Instant },
    { description: 'when it was made and changed last' },
  ),
  settings: Type.Object({
    application: nullable(Type.String({ format: 'uuid' })),
    urgent: Type.Boolean(),
    purpose: Type.Object({ type: Type.Enum(['marketing', 'service']) }),
    expiration: nullable(Expiration),
    mp: MessagePressure,
    culture,
  }),
  task: nullable({ ...Task, description: 'when it is sent, and to whom; null: when asked for' }),
  versions: Type.Array(Version),
})
export type Notification = Static<typeof Notification>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const NotificationBody = Type.Object({
  type: Type.Optional(Type.Literal('push-app')),
  id: passedOver,
  name: Type.Optional(Name),
  description: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  active: passedOver,
  stamp: passedOver,
  settings: Type.Optional(
    Type.Object({
      application: Type.Optional(nullable(Uuid)),
      urgent: Type.Optional(Type.Boolean()),
      purpose: Type.Optional(
        Type.Object({ type: Type.Optional(Type.String({ description: 'marketing or service, in any letter case' })) }),
      ),
      expiration: Type.Optional(nullable(ExpirationBody)),
      mp: Type.Optional(MessagePressureBody),
      culture: Type.Optional(nullable(culture)),
    }),
  ),
  task: Type.Optional(nullable({ ...TaskBody, description: 'when it is sent, and to whom; null: when asked for' })),
  versions: Type.Optional(Type.Array(VersionBody, { minItems: 1, maxItems: MAX_VERSIONS })),
})
export type NotificationBody = Static<typeof NotificationBody>

/** One in the list. */
export const ListedNotification = Type.Object({ ...Notification.properties, report: Type.Optional(ShortReport) })
