import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { int32IdLimits, MAX_INT32 } from '../../../lib/int32.ts'
import { MailLocalPart, nullableSchema, SmsSenderName } from '../../accounts/sending-settings-schemas.ts'
import { DesignJson } from '../../designs/design-schemas.ts'
import { MessagePressure, MessagePressureBody } from '../../pressure/pressure-schemas.ts'
import { buildExperimentBodySchema, buildExperimentSchema } from '../experiments/experiment-schemas.ts'
import { ShortReport } from '../reports/short-report-schemas.ts'
import { CampaignRunMonitor, LastActionValidation } from './action-progress-schemas.ts'

export const mailSmsActionTypes = ['mailMessage', 'mailCampaign', 'smsMessage', 'smsCampaign'] as const
export type MailSmsActionType = (typeof mailSmsActionTypes)[number]

export const Int32Id = Type.Integer(int32IdLimits)
/** In requests of typed clients 0 stands for what is unset. */
export const Int32IdOrZero = Type.Integer({
  minimum: 0,
  maximum: MAX_INT32,
  description: 'ID of an object. 0 counts as absent.',
})
const CultureSchema = Type.String({
  maxLength: 35,
  description: 'Culture that formats dates and numbers, as a BCP 47 tag such as `fr-FR`.',
})
/** Characters of a part of a content. */
export const MAX_CONTENT_PART_LENGTH = 1_000_000
const ContentPartSchema = nullableSchema(Type.String({ maxLength: MAX_CONTENT_PART_LENGTH }))
const PercentageSchema = Type.Number({ minimum: 0, maximum: 100 })
const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())
/** ISO 8601 or milliseconds since 1970: read by lib/time/period.ts, which also says what is no date. */
const InstantSchema = nullableSchema(Type.Union([Type.String(), Type.Number()]))

/** From whom: what is absent or null comes from the sending profile. */
export const ActionSender = Type.Object(
  {
    prefix: Type.Optional(nullableSchema(MailLocalPart)),
    domain: Type.Optional(
      nullableSchema(
        Type.String({
          minLength: 1,
          maxLength: 253,
          description: 'Domain of the sender address. `defaultdomain`: that of the sender profile.',
        }),
      ),
    ),
    label: Type.Optional(
      nullableSchema(Type.String({ maxLength: 200, description: 'Name of the sender, displayed by mail programs.' })),
    ),
  },
  { description: 'Sender of the email. Members that are absent or null come from the sender profile.' },
)

/** The states, in words. */
export const ACTION_STATES_IN_WORDS =
  '10: incomplete, or the last test found something to repair. 20: complete; can be edited and tested. 30: test requested. 35: test in preparation. 36: test in progress. 38: test passed. 40: validation requested. 50: validated. 55: campaign being sent or paused. 60: campaign sent. RCS actions have only 10, 20, 50, 55 and 60.'

const purposeMembers = {
  type: Type.Enum(['marketing', 'service'], {
    description: '`marketing`: promotional. `service`: answers something the contact did, such as an order.',
  }),
}
const performanceMembers = {
  openingRate: { ...PercentageSchema, description: 'Expected share of contacts that open, in percent.' },
  clickRate: { ...PercentageSchema, description: 'Expected share of contacts that click, in percent.' },
  unsubscribedRate: { ...PercentageSchema, description: 'Expected share of contacts that unsubscribe, in percent.' },
}

/** Settings of both channels; `templating` and `culture` are written in one form, and read in more. */
const commonSettings = {
  purpose: Type.Object(purposeMembers, { description: 'Purpose of the messages.' }),
  consent: Type.Enum([0, 1, 2], {
    description:
      'Consent required of a contact. 0: none. 1: the opt-in field of the account must be affirmative. 2: the double opt-in field must be. Default: 0.',
  }),
  priority: Type.Boolean({ description: 'Send every message in the urgent lane. Default: false.' }),
  environment: {
    ...FreeObjectSchema,
    description: 'Free values that templates read as `environment`; at most 64 KiB.',
  },
  field: {
    ...Int32Id,
    description:
      'ID of the contact field that holds the address or phone number. Default: the first suitable field of the account.',
  },
  sendingProfile: nullableSchema({
    ...Int32Id,
    description: 'ID of the sender profile. Null: the default profile of the channel.',
  }),
  mp: MessagePressure,
  webAnalyser: nullableSchema({
    ...Int32Id,
    description: 'ID of the web analyser whose query parameters are added to link targets. Null: none.',
  }),
}
const emailSettings = {
  editionMode: Type.Enum([0, 1, 2], {
    description: 'Editor of the content, for information. 0: visual editor. 1: HTML. 2: text. Default: 1.',
  }),
  contentFormat: Type.Enum([1, 2, 3], {
    description:
      'Parts of the email. 1: HTML only. 2: HTML and text; an empty text part is derived from the HTML. 3: text only. Default: 2, or 3 if `editionMode` is 2.',
  }),
  importance: Type.Boolean({ description: 'Mark the emails as important for mail programs. Default: false.' }),
  useFormLinkSSL: Type.Boolean({ description: 'Stored without effect.' }),
  performance: Type.Object(performanceMembers, {
    description: 'Rates expected by the author; nothing depends on them.',
  }),
  archive: Type.Boolean({ description: 'Archive every sent email as it was sent. Default: false.' }),
}
const smsSettings = {
  smsFormat: Type.Enum([1, 2, 3], {
    description:
      'Alphabet of the SMS. 1: GSM-7; characters without an equivalent are an error. 2: UCS-2. 3: GSM-7 if every character fits, else UCS-2. Default: 3.',
  }),
  smsType: Type.Enum([1, 2], {
    description:
      'Route of the SMS. 1: standard, from a number that can be answered. 2: premium, with a named sender or high priority. Default: 1.',
  }),
  countries: Type.Array(Type.String({ minLength: 2, maxLength: 3 }), {
    maxItems: 300,
    description: 'Countries to send to, as ISO 3166 alpha-3 codes. Empty: all.',
  }),
  sender: nullableSchema(SmsSenderName),
}
const emailContentMembers = {
  subject: nullableSchema(Type.String({ maxLength: 998, description: 'Subject of the email, as a template.' })),
  html: { ...ContentPartSchema, description: 'HTML part of the email, as a template.' },
  text: { ...ContentPartSchema, description: 'Text part of the email, as a template.' },
  amp: { ...ContentPartSchema, description: 'AMP part of the email, as a template.' },
}
const smsContentMembers = {
  textContent: {
    ...ContentPartSchema,
    description: 'Text of the SMS, as a template; at most 8 SMS segments once rendered.',
  },
}
/** Only for a scheduler that uses the best time of each contact. */
export const BestTimeWindowHours = Type.Integer({
  minimum: 1,
  maximum: 24,
  description:
    'For `bestTime` only: length of the window, in hours from `startDate`, from which the best hour of each contact is chosen. Default: 24.',
})
const schedulerMembers = {
  type: Type.Enum(['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'], {
    description:
      '`asap`: starts on validation. `scheduled`: starts at `startDate`. `timeZoneSchedule`: sent at `startDate` in the time zone of each contact. `bestTime`: sent at the best hour of each contact within a window. Default: `asap`.',
  }),
  windowHours: BestTimeWindowHours,
  speed: Type.Integer({
    minimum: 0,
    maximum: MAX_INT32,
    description: 'Messages per hour, spread evenly. 0: as fast as the gateways allow.',
  }),
  timeZoneField: nullableSchema({
    ...Int32Id,
    description:
      'ID of the text field that holds the time zone of the contact: an IANA name or an offset. Null, or a value that cannot be read: the time zone of the account.',
  }),
}
const SegmentIdsSchema = Type.Array(Int32Id, { maxItems: 1000 })
const segmentMembers = {
  selected: {
    ...SegmentIdsSchema,
    description: 'IDs of the segments whose contacts receive the campaign. At least one is required at validation.',
  },
  excluded: Type.Array(Int32Id, { maxItems: 2, description: 'IDs of at most 2 segments whose contacts are excluded.' }),
}

/** Members of a version of an experiment that replace those of the campaign. */
const { html, text, amp } = emailContentMembers
const versionMembers = {
  subject: Type.Optional(emailContentMembers.subject),
  content: Type.Optional(
    Type.Object(Type.Partial(Type.Object({ html, text, amp, ...smsContentMembers })).properties, {
      description: 'Content of the version; absent members are those of the campaign.',
    }),
  ),
  from: Type.Optional(ActionSender),
}
const ExperimentSchema = buildExperimentSchema(versionMembers)
const ExperimentBodySchema = buildExperimentBodySchema(versionMembers)

const toPartial = <T extends Record<string, TSchema>>(properties: T) => Type.Partial(Type.Object(properties)).properties

const schedulerResponse = {
  type: schedulerMembers.type,
  startDate: nullableSchema(
    Type.String({
      description:
        'Start of the campaign. Required at validation, except for `asap`, which ignores it and shows the true start once sending begins. For `timeZoneSchedule` it is a local time, and an offset is dropped. In UTC. Null: not set.',
    }),
  ),
  endDate: nullableSchema(
    Type.String({
      description: 'Instant after which nothing more is sent; unsent messages expire. Null: no end. In UTC.',
    }),
  ),
}

export const ActionResponse = Type.Object({
  type: Type.Enum(mailSmsActionTypes, {
    description:
      'Type of the action. `mailMessage`, `smsMessage`: a message on demand, sent to named contacts. `mailCampaign`, `smsCampaign`: a campaign, sent once to segments.',
  }),
  id: Type.String({ description: 'ID of the action.' }),
  state: Type.Integer({
    description: `State of the action. ${ACTION_STATES_IN_WORDS}`,
  }),
  name: Type.String({ description: 'Name of the action.' }),
  description: nullableSchema(Type.String({ description: 'Description of the action, for users.' })),
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  updateDate: Type.String({ format: 'date-time', description: 'Time of the last change, in UTC.' }),
  informations: Type.Object(
    {
      folder: Type.Integer({
        description: 'ID of the folder: a number for use by clients, which the service does not check.',
      }),
      category: Type.Integer({ description: 'ID of the category.' }),
      state: Type.Integer({ description: 'State of the action, as in `state`.' }),
      paused: Type.Boolean({ description: 'True: the campaign is paused.' }),
      lastValidation: nullableSchema({
        ...LastActionValidation,
        description: 'Result of the last test or validation. Null: none yet.',
      }),
    },
    { description: 'Folder, category and state of the action.' },
  ),
  settings: Type.Object(
    {
      templating: Type.Object(
        {
          version: Type.Enum(['2', '4', '4.1'], {
            description:
              'Version of the template language. All run the same language; only `4.1` lets a send replace the content. Default: `4.1`.',
          }),
        },
        { description: 'Template language.' },
      ),
      ...commonSettings,
      culture: CultureSchema,
      ...toPartial(emailSettings),
      ...toPartial(smsSettings),
      experiment: Type.Optional({
        ...ExperimentSchema,
        description: 'A/B test of the campaign: its versions, and how the best one is chosen. Absent: none.',
      }),
    },
    { description: 'Settings for composing and sending the messages.' },
  ),
  content: Type.Object(
    {
      headers: Type.Optional(
        Type.Object(
          {
            from: ActionSender,
            reply: nullableSchema(
              Type.String({ description: 'Reply-to address. Null: that of the sender profile, if it has one.' }),
            ),
          },
          { description: 'Sender and reply-to address.' },
        ),
      ),
      ...toPartial(emailContentMembers),
      ...toPartial(smsContentMembers),
      design: Type.Optional(DesignJson),
    },
    { description: 'Content of the message.' },
  ),
  scheduler: Type.Optional(
    Type.Object(
      {
        ...schedulerMembers,
        ...schedulerResponse,
        windowHours: Type.Optional(BestTimeWindowHours),
        segments: Type.Object(segmentMembers, { description: 'Audience of the campaign.' }),
      },
      { description: 'Time and audience of a campaign; absent for messages on demand.' },
    ),
  ),
  monitor: Type.Optional(
    nullableSchema({
      ...CampaignRunMonitor,
      description: 'Progress of sending. Null: not started. Absent for messages on demand.',
    }),
  ),
})
export type ActionResponse = Static<typeof ActionResponse>

/** An action in the list. */
export const ListedAction = Type.Object({
  ...Type.Pick(ActionResponse, ['type', 'id', 'name', 'creationDate', 'state', 'monitor']).properties,
  informations: Type.Object(
    {
      folder: Type.Integer({
        description: 'ID of the folder: a number for use by clients, which the service does not check.',
      }),
      category: Type.Integer({ description: 'ID of the category.' }),
      state: Type.Integer({ description: 'State of the action, as in `state`.' }),
    },
    { description: 'Folder, category and state of the action.' },
  ),
  settings: Type.Object(
    { templating: ActionResponse.properties.settings.properties.templating },
    { description: 'Settings for composing and sending the messages.' },
  ),
  scheduler: Type.Optional(
    Type.Object(schedulerResponse, { description: 'Time and audience of a campaign; absent for messages on demand.' }),
  ),
  report: Type.Optional(ShortReport),
})
export type ListedAction = Static<typeof ListedAction>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const ActionBody = Type.Object({
  type: Type.Optional(
    Type.Enum(mailSmsActionTypes, {
      description:
        'Type of the action. `mailMessage`, `smsMessage`: a message on demand, sent to named contacts. `mailCampaign`, `smsCampaign`: a campaign, sent once to segments. Required at creation; cannot be changed.',
    }),
  ),
  id: ignoredMemberSchema,
  state: ignoredMemberSchema,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Name of the action, 1 to 255 characters after trimming. Required at creation; need not be unique.',
    }),
  ),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'Description of the action, for users.' })),
  ),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  information: ignoredMemberSchema,
  informations: Type.Optional(
    Type.Object(
      {
        folder: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description:
              'ID of the folder, which the service does not check. Null: the default folder of the account. 0 counts as absent.',
          }),
        ),
        category: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description: 'ID of the category. Null: the default category. 0 counts as absent.',
          }),
        ),
        state: ignoredMemberSchema,
        paused: ignoredMemberSchema,
        lastValidation: ignoredMemberSchema,
      },
      { description: 'Folder, category and state of the action.' },
    ),
  ),
  settings: Type.Optional(
    Type.Object(
      {
        ...toPartial({ ...commonSettings, ...emailSettings, ...smsSettings }),
        templating: Type.Optional(
          Type.Object(
            {
              version: Type.Optional(
                Type.Enum(['2', '4', '4.1', 2, 4, 4.1], {
                  description:
                    'Version of the template language, as a string or number. All run the same language; only `4.1` lets a send replace the content. Default: `4.1`.',
                }),
              ),
            },
            { description: 'Template language.' },
          ),
        ),
        field: Type.Optional({
          ...Int32IdOrZero,
          description:
            'ID of the contact field that holds the address or phone number. 0 counts as absent. Default: the first suitable field of the account.',
        }),
        sendingProfile: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description: 'ID of the sender profile. Null: the default profile of the channel. 0 counts as absent.',
          }),
        ),
        webAnalyser: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description:
              'ID of the web analyser whose query parameters are added to link targets. Null: none. 0 counts as absent.',
          }),
        ),
        purpose: Type.Optional(
          Type.Object(
            {
              type: Type.Optional(
                Type.String({ description: '`marketing` or `service`, in any letter case. Default: `marketing`.' }),
              ),
            },
            { description: 'Purpose of the messages.' },
          ),
        ),
        culture: Type.Optional(nullableSchema(CultureSchema)),
        performance: Type.Optional(
          Type.Object(
            toPartial({
              ...performanceMembers,
              unsubscribeRate: { ...PercentageSchema, description: 'Read as `unsubscribedRate`.' },
            }),
            { description: 'Rates expected by the author; nothing depends on them.' },
          ),
        ),
        mp: Type.Optional(MessagePressureBody),
        experiment: Type.Optional({
          ...nullableSchema(ExperimentBodySchema),
          description: 'A/B test of the campaign, replaced as a whole. Null: removes it.',
        }),
      },
      { description: 'Settings for composing and sending the messages.' },
    ),
  ),
  content: Type.Optional(
    Type.Object(
      {
        headers: Type.Optional(
          Type.Object(
            {
              from: Type.Optional(ActionSender),
              reply: Type.Optional(
                nullableSchema(
                  Type.String({
                    format: 'email',
                    maxLength: 254,
                    description: 'Reply-to address. Null: that of the sender profile, if it has one.',
                  }),
                ),
              ),
            },
            { description: 'Sender and reply-to address.' },
          ),
        ),
        ...toPartial({ ...emailContentMembers, ...smsContentMembers }),
        design: Type.Optional(nullableSchema(DesignJson)),
      },
      { description: 'Content of the message.' },
    ),
  ),
  scheduler: Type.Optional(
    nullableSchema(
      Type.Object(
        {
          ...toPartial(schedulerMembers),
          startDate: Type.Optional({
            ...InstantSchema,
            description:
              'Start of the campaign. Required at validation, except for `asap`, which ignores it and shows the true start once sending begins. For `timeZoneSchedule` it is a local time, and an offset is dropped. ISO 8601, or milliseconds since 1970. Null: not set.',
          }),
          endDate: Type.Optional({
            ...InstantSchema,
            description:
              'Instant after which nothing more is sent; unsent messages expire. Null: no end. Must be after `startDate`. ISO 8601, or milliseconds since 1970.',
          }),
          segments: Type.Optional(Type.Object(toPartial(segmentMembers), { description: 'Audience of the campaign.' })),
        },
        { description: 'Time and audience of the campaign. Refused for messages on demand.' },
      ),
    ),
  ),
  monitor: ignoredMemberSchema,
})
export type ActionBody = Static<typeof ActionBody>
