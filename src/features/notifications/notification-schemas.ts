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
const NameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the notification, 1 to 255 characters; need not be unique.',
})
const InstantSchema = Type.String({ format: 'date-time' })
/** ISO 8601 or milliseconds since 1970: read by lib/time/period.ts, which also says what is no date. */
const InstantInputSchema = Type.Union([Type.String(), Type.Number()])
const TemplateSchema = nullableSchema(Type.String({ maxLength: 100_000, description: 'Liquid template. Null: empty.' }))

export const pushExpirationUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

const SpanSchema = Type.Object({
  unit: Type.Enum([...pushExpirationUnits], { description: 'Unit of the period; a month has 30 days, a year 365.' }),
  value: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of units. The period is at least 1 minute; more than 28 days act as 28 days.',
  }),
})
const PeriodExpiration = Type.Object({
  type: buildTypeTag('period'),
  value: { ...SpanSchema, description: 'Period from the acceptance of the message.' },
})
const PushExpiration = Type.Union([
  PeriodExpiration,
  Type.Object({
    type: buildTypeTag('date'),
    value: Type.Object(
      { date: { ...InstantSchema, description: 'Time until which the message can still be delivered, in UTC.' } },
      { description: 'Date of expiration.' },
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
      [
        Type.Object({
          date: { ...InstantInputSchema, description: 'Time until which the message can still be delivered, in UTC.' },
        }),
        InstantInputSchema,
      ],
      { description: 'Date of expiration, as an object or as the date itself.' },
    ),
  }),
])
export type PushExpirationBody = Static<typeof PushExpirationBody>

const buildTargetSchema = (targetKind: 'route' | 'channel', description: string) =>
  Type.Object(
    {
      type: Type.Enum(['literal', targetKind], {
        description: `Form of the value. \`literal\`: the value itself. \`${targetKind}\`: the name of a ${targetKind} of the application.`,
      }),
      value: Type.String({ maxLength: 2048, description: 'The value, or the name.' }),
    },
    { description },
  )
export const PushRedirection = nullableSchema(
  buildTargetSchema(
    'route',
    'Address that a tap opens, as a Liquid template, or a route of the application. Null or empty: the default route of the application, if there is one.',
  ),
)
export const PushChannel = nullableSchema(
  buildTargetSchema(
    'channel',
    'Channel of the device, or one of the application. Null: the default channel of the application, if there is one.',
  ),
)
export type NotificationTarget = { type: 'literal' | 'route' | 'channel'; value: string }

const buttonMembers = {
  title: Type.String({
    maxLength: 1000,
    description: 'Text of the button, a Liquid template; 1 to 40 characters after rendering.',
  }),
}
const NotificationButton = Type.Object({ ...buttonMembers, redirection: PushRedirection })
export type NotificationButton = Static<typeof NotificationButton>
export const NotificationButtonBodies = Type.Array(
  Type.Object({ ...buttonMembers, redirection: Type.Optional(PushRedirection) }),
  {
    maxItems: MAX_PUSH_BUTTONS,
    description: 'Buttons below the text, at most 3.',
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
const VersionNameSchema = nullableSchema(
  Type.String({ maxLength: 100, description: 'Name of the version. Null: none.' }),
)
const ConditionSchema = nullableSchema(
  Type.String({
    maxLength: 4000,
    description:
      'Liquid condition, as between `{% if` and `%}`. The first version whose condition holds for the ' +
      'contact is sent. Null: never chosen by condition. Ignored for the master.',
  }),
)

const PushVersion = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the version.' }),
  name: VersionNameSchema,
  master: Type.Boolean({
    description:
      'True for the master version, which is sent if no condition holds; exactly one version is the ' + 'master.',
  }),
  condition: ConditionSchema,
  content: Type.Object(
    { ...textMembers, buttons: Type.Array(NotificationButton, { description: 'Buttons below the text, at most 3.' }) },
    { description: 'Texts, images and buttons; Liquid templates.' },
  ),
  redirection: PushRedirection,
  channel: PushChannel,
})
export type PushVersion = Static<typeof PushVersion>

const PushVersionBody = Type.Object({
  id: Type.Optional(
    nullableSchema(
      Type.String({
        description: 'ID of the version. Absent, or an ID that the notification does not have: a new version.',
      }),
    ),
  ),
  name: Type.Optional(VersionNameSchema),
  master: Type.Optional(
    Type.Boolean({
      description:
        'True for the master version, which is sent if no condition holds; exactly one version is the ' +
        'master. Absent: unchanged, or false for a new version.',
    }),
  ),
  condition: Type.Optional(ConditionSchema),
  content: Type.Optional(
    nullableSchema(
      Type.Object(
        { ...pushTextBodyMembers, buttons: Type.Optional(nullableSchema(NotificationButtonBodies)) },
        { description: 'Texts, images and buttons; Liquid templates.' },
      ),
    ),
  ),
  redirection: Type.Optional(PushRedirection),
  channel: Type.Optional(PushChannel),
})
export type PushVersionBody = Static<typeof PushVersionBody>

const SegmentIdsSchema = Type.Array(IdSchema, { maxItems: 100 })
const segmentMembers = {
  selected: { ...SegmentIdsSchema, description: 'IDs of the segments whose contacts receive the notification.' },
  excluded: { ...SegmentIdsSchema, description: 'IDs of the segments whose contacts are left out.' },
}
const SegmentsSchema = Type.Object(segmentMembers, {
  description:
    'Contacts who receive the notification: those of the selected segments without those of the ' +
    'excluded ones, with a device that uses the application.',
})
const SegmentsInputSchema = Type.Object(Type.Partial(SegmentsSchema).properties, {
  description:
    'Contacts who receive the notification: those of the selected segments without those of the ' +
    'excluded ones, with a device that uses the application.',
})

const cronMembers = {
  minute: Type.String({ maxLength: 200, description: 'Minutes, in cron syntax: 0 to 59. Default: `*`.' }),
  hour: Type.String({ maxLength: 200, description: 'Hours, in cron syntax: 0 to 23. Default: `*`.' }),
  dayOfMonth: Type.String({
    maxLength: 200,
    description: 'Days of the month, in cron syntax: 1 to 31, or `L` for the last day. Default: `*`.',
  }),
  month: Type.String({ maxLength: 200, description: 'Months, in cron syntax: 1 to 12, or JAN to DEC. Default: `*`.' }),
  dayOfWeek: Type.String({
    maxLength: 200,
    description: 'Days of the week, in cron syntax: 0 to 7, or MON to SUN; 0 and 7 are Sunday. Default: `*`.',
  }),
  timeZone: Type.Object(
    { id: Type.String({ maxLength: 100, description: 'IANA time zone, such as `Europe/Paris`.' }) },
    { description: 'Time zone of the time fields. Default: that of the account.' },
  ),
}
const SCHEDULER_TYPES = ['asap', 'scheduled', 'cron', 'bestTime'] as const
const TaskNameSchema = Type.String({ maxLength: 255, description: 'Name, for users. Default: an empty string.' })

const SchedulerSchema = Type.Object({
  type: Type.Enum([...SCHEDULER_TYPES], {
    description:
      'Type of the scheduler. `asap`: runs once after each activation. `scheduled`: runs once at ' +
      '`startDate`. `cron`: runs at each match of the time fields. `bestTime`: sent at the best hour of ' +
      'each contact within a window.',
  }),
  id: Type.String({ format: 'uuid', description: 'ID of the scheduler.' }),
  name: TaskNameSchema,
  segments: SegmentsSchema,
  startDate: Type.Optional(
    nullableSchema({ ...InstantSchema, description: 'Time of the start, in UTC, for `scheduled` and `bestTime`.' }),
  ),
  windowHours: Type.Optional(BestTimeWindowHours),
  ...Type.Partial(Type.Object(cronMembers)).properties,
  lastRun: nullableSchema({ ...InstantSchema, description: 'Time of the last run, in UTC. Null: none.' }),
  nextRun: nullableSchema({ ...InstantSchema, description: 'Time of the next run, in UTC. Null: none is planned.' }),
})

const TaskSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the task.' }),
  name: TaskNameSchema,
  description: Type.String({ description: 'Description of the task, for users.' }),
  segments: SegmentsSchema,
  scheduler: nullableSchema({
    ...SchedulerSchema,
    description: 'Times at which the notification is sent by itself. Null: none.',
  }),
})

const NotificationSchedulerBody = Type.Object({
  type: Type.Optional(
    Type.Enum([...SCHEDULER_TYPES], {
      description:
        'Type of the scheduler. `asap`: runs once after each activation. `scheduled`: runs once at ' +
        '`startDate`. `cron`: runs at each match of the time fields. `bestTime`: sent at the best hour of ' +
        'each contact within a window.',
    }),
  ),
  id: ignoredMemberSchema,
  name: Type.Optional(nullableSchema(TaskNameSchema)),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  startDate: Type.Optional({
    ...nullableSchema(InstantInputSchema),
    description: 'Time of the start, in UTC, for `scheduled` and `bestTime`.',
  }),
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
    nullableSchema(
      Type.String({ maxLength: 4000, description: 'Description of the task, for users. Default: an empty string.' }),
    ),
  ),
  segments: Type.Optional(nullableSchema(SegmentsInputSchema)),
  scheduler: Type.Optional(
    nullableSchema({
      ...NotificationSchedulerBody,
      description: 'Times at which the notification is sent by itself. Null: none.',
    }),
  ),
})
export type NotificationTaskBody = Static<typeof NotificationTaskBody>

const CultureSchema = Type.String({
  maxLength: 35,
  description:
    'Language and country that dates and numbers are formatted for, as a BCP 47 tag. Default: the ' +
    'setting of the account.',
})

export const NotificationResponse = Type.Object({
  type: buildTypeTag('push-app'),
  id: Type.Integer({ description: 'ID of the notification.' }),
  name: NameSchema,
  description: nullableSchema(Type.String({ description: 'Description of the notification, for users. Null: none.' })),
  active: Type.Boolean({
    description: 'True if the notification is active and can be sent. Changed by activation only.',
  }),
  stamp: Type.Object(
    {
      creation: { ...InstantSchema, description: 'Time of creation, in UTC.' },
      modification: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
    },
    { description: 'Times of creation and of the last change.' },
  ),
  settings: Type.Object(
    {
      application: nullableSchema(
        Type.String({
          format: 'uuid',
          description: 'ID of the application whose devices receive the notification. Null: not set.',
        }),
      ),
      urgent: Type.Boolean({ description: 'True: sent with high priority. Default: false.' }),
      purpose: Type.Object(
        {
          type: Type.Enum(['marketing', 'service'], {
            description:
              'Purpose. `marketing`: advertising. `service`: information that the contact needs. Default: ' +
              '`marketing`.',
          }),
        },
        { description: 'Purpose of the notification.' },
      ),
      expiration: {
        ...nullableSchema(PushExpiration),
        description: 'Period or date after which the message is no longer delivered. Null: after 28 days, the maximum.',
      },
      mp: MessagePressure,
      culture: CultureSchema,
    },
    { description: 'Settings for sending the notification.' },
  ),
  task: nullableSchema({
    ...TaskSchema,
    description: 'Task that sends the notification by itself while it is active. Null: it is sent on request only.',
  }),
  versions: Type.Array(PushVersion, {
    description: 'Versions of the notification; conditions choose one for each contact.',
  }),
})
export type NotificationResponse = Static<typeof NotificationResponse>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const NotificationBody = Type.Object({
  type: Type.Optional(buildTypeTag('push-app')),
  id: ignoredMemberSchema,
  name: Type.Optional(NameSchema),
  description: Type.Optional(
    nullableSchema(
      Type.String({ maxLength: 4000, description: 'Description of the notification, for users. Null: none.' }),
    ),
  ),
  active: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  settings: Type.Optional(
    Type.Object(
      {
        application: Type.Optional(
          nullableSchema({
            ...UuidSchema,
            description: 'ID of the application whose devices receive the notification. Null: not set.',
          }),
        ),
        urgent: Type.Optional(Type.Boolean({ description: 'True: sent with high priority. Default: false.' })),
        purpose: Type.Optional(
          Type.Object(
            {
              type: Type.Optional(
                Type.String({
                  description: 'Purpose, in any letter case: `marketing` or `service`. Default: `marketing`.',
                }),
              ),
            },
            { description: 'Purpose of the notification.' },
          ),
        ),
        expiration: Type.Optional({
          ...nullableSchema(PushExpirationBody),
          description:
            'Period or date after which the message is no longer delivered. Null: after 28 days, the maximum.',
        }),
        mp: Type.Optional(MessagePressureBody),
        culture: Type.Optional(nullableSchema(CultureSchema)),
      },
      { description: 'Settings for sending the notification.' },
    ),
  ),
  task: Type.Optional(
    nullableSchema({
      ...NotificationTaskBody,
      description: 'Task that sends the notification by itself while it is active. Null: it is sent on request only.',
    }),
  ),
  versions: Type.Optional(
    Type.Array(PushVersionBody, {
      minItems: 1,
      maxItems: MAX_PUSH_VERSIONS,
      description:
        'Versions of the notification; the list replaces the previous one, so a version that is left out ' +
        'is deleted. Absent at creation: one empty master version.',
    }),
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
