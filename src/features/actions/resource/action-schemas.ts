import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { int32IdLimits, MAX_INT32 } from '../../../lib/int32.ts'
import { MailLocalPart, nullableSchema, SmsSenderName } from '../../accounts/sending-settings-schemas.ts'
import { DesignJson } from '../../designs/design-schemas.ts'
import { MessagePressure, MessagePressureBody } from '../../pressure/pressure-schemas.ts'
import { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import { buildExperimentBodySchema, buildExperimentSchema } from '../experiments/experiment-schemas.ts'
import { ShortReport } from '../reports/short-report-schemas.ts'

export const mailSmsActionTypes = ['mailMessage', 'mailCampaign', 'smsMessage', 'smsCampaign'] as const
export type MailSmsActionType = (typeof mailSmsActionTypes)[number]

export const Int32Id = Type.Integer(int32IdLimits)
/** In requests of typed clients 0 stands for what is unset. */
export const Int32IdOrZero = Type.Integer({ minimum: 0, maximum: MAX_INT32, description: '0: not given' })
const CultureSchema = Type.String({ maxLength: 35, description: 'BCP 47; dates and numbers follow it' })
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
    domain: Type.Optional(nullableSchema(Type.String({ minLength: 1, maxLength: 253, description: 'a domain name' }))),
    label: Type.Optional(nullableSchema(Type.String({ maxLength: 200, description: 'the name that people see' }))),
  },
  { description: 'where it comes from' },
)

const purposeMembers = {
  type: Type.Enum(['marketing', 'service'], { description: 'which of the possible kinds it is' }),
}
const performanceMembers = {
  openingRate: { ...PercentageSchema, description: 'percent of contacts that open' },
  clickRate: { ...PercentageSchema, description: 'percent of contacts that click' },
  unsubscribedRate: { ...PercentageSchema, description: 'percent of contacts that unsubscribe' },
}

/** Settings of both channels; `templating` and `culture` are written in one form, and read in more. */
const commonSettings = {
  purpose: Type.Object(purposeMembers, { description: 'whether it is marketing or a service to the recipient' }),
  consent: Type.Enum([0, 1, 2], {
    description: '0 none needed, 1 the opt-in field, 2 the double opt-in field must say yes',
  }),
  priority: Type.Boolean({ description: 'every message uses the urgent lane' }),
  environment: { ...FreeObjectSchema, description: 'values that every template of it reads' },
  field: { ...Int32Id, description: 'id of the field' },
  sendingProfile: nullableSchema({
    ...Int32Id,
    description: 'id of the profile that it is sent from; null: the default one',
  }),
  mp: MessagePressure,
  webAnalyser: nullableSchema({
    ...Int32Id,
    description: 'id of the analyser whose parameters redirects add; null: none',
  }),
}
const emailSettings = {
  editionMode: Type.Enum([0, 1, 2], { description: '0 made in a visual editor, 1 HTML, 2 text' }),
  contentFormat: Type.Enum([1, 2, 3], { description: '1 HTML, 2 HTML and text, 3 text' }),
  importance: Type.Boolean({ description: 'marked important for mail readers' }),
  useFormLinkSSL: Type.Boolean({ description: 'kept, and changes nothing' }),
  performance: Type.Object(performanceMembers, { description: 'rates that are expected' }),
  archive: Type.Boolean({ description: 'keep every sent message' }),
}
const smsSettings = {
  smsFormat: Type.Enum([1, 2, 3], { description: '1 GSM-7, 2 UCS-2, 3 automatic' }),
  smsType: Type.Enum([1, 2], { description: '1 standard, 2 premium' }),
  countries: Type.Array(Type.String({ minLength: 2, maxLength: 3 }), {
    maxItems: 300,
    description: 'ISO 3166 alpha-3; none: all',
  }),
  sender: nullableSchema(SmsSenderName),
}
const emailContentMembers = {
  subject: nullableSchema(Type.String({ maxLength: 998, description: 'the subject of the mail' })),
  html: { ...ContentPartSchema, description: 'the text in HTML' },
  text: { ...ContentPartSchema, description: 'the text, plain' },
  amp: { ...ContentPartSchema, description: 'the content in AMP for Email' },
}
const smsContentMembers = { textContent: { ...ContentPartSchema, description: 'the plain text beside the HTML' } }
/** Only for a scheduler that uses the best time of each contact. */
export const BestTimeWindowHours = Type.Integer({
  minimum: 1,
  maximum: 24,
  description: "of bestTime: hours from startDate on that a contact's best one is taken of; 24 unless given",
})
const schedulerMembers = {
  type: Type.Enum(['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'], {
    description: 'which of the possible kinds it is',
  }),
  windowHours: BestTimeWindowHours,
  speed: Type.Integer({
    minimum: 0,
    maximum: MAX_INT32,
    description: 'messages an hour; 0: as fast as gateways allow',
  }),
  timeZoneField: nullableSchema({ ...Int32Id, description: "id of the text field that holds the contact's zone" }),
}
const SegmentIdsSchema = Type.Array(Int32Id, { maxItems: 1000 })
const segmentMembers = {
  selected: { ...SegmentIdsSchema, description: 'ids of segments whose contacts it is for' },
  excluded: Type.Array(Int32Id, { maxItems: 2, description: 'ids of segments whose contacts are left out' }),
}

/** Members of a version of an experiment that replace those of the campaign. */
const { html, text, amp } = emailContentMembers
const versionMembers = {
  subject: Type.Optional(emailContentMembers.subject),
  content: Type.Optional(
    Type.Object(Type.Partial(Type.Object({ html, text, amp, ...smsContentMembers })).properties, {
      description: 'what it says or holds',
    }),
  ),
  from: Type.Optional(ActionSender),
}
const ExperimentSchema = buildExperimentSchema(versionMembers)
const ExperimentBodySchema = buildExperimentBodySchema(versionMembers)

const toPartial = <T extends Record<string, TSchema>>(properties: T) => Type.Partial(Type.Object(properties)).properties

export const LastActionValidation = Type.Object({
  phase: Type.Enum(['test', 'production'], { description: 'which of the two it was' }),
  result: Type.Enum(['running', 'passed', 'failed', 'repair', 'stopped'], { description: 'what came of it' }),
  startedAt: Type.String({ format: 'date-time', description: 'when it began, in UTC' }),
  endedAt: nullableSchema(
    Type.String({ format: 'date-time', description: 'when it ended, in UTC; null while it goes on' }),
  ),
  recipients: Type.Integer({ description: 'how many contacts it is for' }),
  sent: Type.Integer({ description: 'how many were sent' }),
  refused: Type.Integer({ description: 'how many were refused' }),
  comments: nullableSchema(Type.String({ description: 'words kept with the validation' })),
  errors: Type.Array(ReportedFlaw, { description: 'what must be repaired' }),
  findings: Type.Array(ReportedFlaw, { description: 'what may be wrong, and stops nothing' }),
})
export type LastActionValidation = Static<typeof LastActionValidation>

const MomentSchema = Type.Object({
  at: nullableSchema(Type.String({ format: 'date-time', description: 'when it happened' })),
})

export const CampaignRunMonitor = Type.Object({
  recipients: Type.Integer({ description: 'how many contacts it is for' }),
  sent: Type.Integer({ description: 'how many were sent' }),
  cancelled: Type.Integer({ description: 'not handed over, for a reason' }),
  refused: Type.Integer({ description: 'for good, by a gateway' }),
  held: Type.Integer({ description: 'in doubt after a crash' }),
  pending: Type.Integer({ description: 'to be sent yet' }),
  postponed: Type.Integer({ description: 'by pressure; a part of pending' }),
  deferred: Type.Integer({ description: 'deferred by the remote; a part of pending' }),
  started: { ...MomentSchema, description: 'when it began, in UTC' },
  lastSent: { ...MomentSchema, description: 'when the last one was sent' },
})
export type CampaignRunMonitor = Static<typeof CampaignRunMonitor>

const schedulerResponse = {
  type: schedulerMembers.type,
  startDate: nullableSchema(Type.String({ description: 'when it begins or began, in UTC' })),
  endDate: nullableSchema(Type.String({ description: 'when it ends or ended, in UTC' })),
}

export const ActionResponse = Type.Object({
  type: Type.Enum(mailSmsActionTypes, { description: 'which of the possible kinds it is' }),
  id: Type.String({ description: 'what names it in this account' }),
  state: Type.Integer({ description: 'where it stands on its way' }),
  name: Type.String({ description: 'the name that people give it' }),
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  updateDate: Type.String({ format: 'date-time', description: 'when it was changed last, in UTC' }),
  informations: Type.Object(
    {
      folder: Type.Integer({ description: 'id of the folder' }),
      category: Type.Integer({ description: 'id of the category' }),
      state: Type.Integer({ description: 'where it stands on its way' }),
      paused: Type.Boolean({ description: 'whether it is held for now' }),
      lastValidation: nullableSchema({
        ...LastActionValidation,
        description: 'the last test or validation; null: none yet',
      }),
    },
    { description: 'what is known of it beside its content' },
  ),
  settings: Type.Object(
    {
      templating: Type.Object(
        { version: Type.Enum(['2', '4', '4.1'], { description: 'which version it is' }) },
        { description: 'the language of templates' },
      ),
      ...commonSettings,
      culture: CultureSchema,
      ...toPartial(emailSettings),
      ...toPartial(smsSettings),
      experiment: Type.Optional({ ...ExperimentSchema, description: 'versions that are compared' }),
    },
    { description: 'how it is made and sent' },
  ),
  content: Type.Object(
    {
      headers: Type.Optional(
        Type.Object(
          { from: ActionSender, reply: nullableSchema(Type.String({ description: 'the answer that came' })) },
          { description: 'headers of the message, by name' },
        ),
      ),
      ...toPartial(emailContentMembers),
      ...toPartial(smsContentMembers),
      design: Type.Optional(DesignJson),
    },
    { description: 'what it says or holds' },
  ),
  scheduler: Type.Optional(
    Type.Object(
      {
        ...schedulerMembers,
        ...schedulerResponse,
        windowHours: Type.Optional(BestTimeWindowHours),
        segments: Type.Object(segmentMembers, { description: 'whose contacts it is for' }),
      },
      { description: 'when it is sent, and to whom' },
    ),
  ),
  monitor: Type.Optional(nullableSchema({ ...CampaignRunMonitor, description: 'how far sending is' })),
})
export type ActionResponse = Static<typeof ActionResponse>

/** An action in the list. */
export const ListedAction = Type.Object({
  ...Type.Pick(ActionResponse, ['type', 'id', 'name', 'creationDate', 'state', 'monitor']).properties,
  informations: Type.Object(
    {
      folder: Type.Integer({ description: 'id of the folder' }),
      category: Type.Integer({ description: 'id of the category' }),
      state: Type.Integer({ description: 'where it stands on its way' }),
    },
    { description: 'what is known of it beside its content' },
  ),
  settings: Type.Object(
    { templating: ActionResponse.properties.settings.properties.templating },
    { description: 'how it is made and sent' },
  ),
  scheduler: Type.Optional(Type.Object(schedulerResponse, { description: 'when it is sent, and to whom' })),
  report: Type.Optional(ShortReport),
})
export type ListedAction = Static<typeof ListedAction>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const ActionBody = Type.Object({
  type: Type.Optional(Type.Enum(mailSmsActionTypes, { description: 'which of the possible kinds it is' })),
  id: ignoredMemberSchema,
  state: ignoredMemberSchema,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'the name that people give it' })),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
  ),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  information: ignoredMemberSchema,
  informations: Type.Optional(
    Type.Object(
      {
        folder: Type.Optional(nullableSchema(Int32IdOrZero)),
        category: Type.Optional(nullableSchema(Int32IdOrZero)),
        state: ignoredMemberSchema,
        paused: ignoredMemberSchema,
        lastValidation: ignoredMemberSchema,
      },
      { description: 'what is known of it beside its content' },
    ),
  ),
  settings: Type.Optional(
    Type.Object(
      {
        ...toPartial({ ...commonSettings, ...emailSettings, ...smsSettings }),
        templating: Type.Optional(
          Type.Object(
            { version: Type.Optional(Type.Enum(['2', '4', '4.1', 2, 4, 4.1], { description: 'which version it is' })) },
            { description: 'the language of templates' },
          ),
        ),
        field: Type.Optional(Int32IdOrZero),
        sendingProfile: Type.Optional(nullableSchema(Int32IdOrZero)),
        webAnalyser: Type.Optional(nullableSchema(Int32IdOrZero)),
        purpose: Type.Optional(
          Type.Object(
            {
              type: Type.Optional(Type.String({ description: 'marketing or service, in any letter case' })),
            },
            { description: 'whether it is marketing or a service to the recipient' },
          ),
        ),
        culture: Type.Optional(nullableSchema(CultureSchema)),
        performance: Type.Optional(
          Type.Object(
            toPartial({
              ...performanceMembers,
              unsubscribeRate: { ...PercentageSchema, description: 'read as unsubscribedRate' },
            }),
            { description: 'rates that are expected' },
          ),
        ),
        mp: Type.Optional(MessagePressureBody),
        experiment: Type.Optional({
          ...nullableSchema(ExperimentBodySchema),
          description: 'versions that are compared',
        }),
      },
      { description: 'how it is made and sent' },
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
                nullableSchema(Type.String({ format: 'email', maxLength: 254, description: 'the answer that came' })),
              ),
            },
            { description: 'headers of the message, by name' },
          ),
        ),
        ...toPartial({ ...emailContentMembers, ...smsContentMembers }),
        design: Type.Optional(nullableSchema(DesignJson)),
      },
      { description: 'what it says or holds' },
    ),
  ),
  scheduler: Type.Optional(
    nullableSchema(
      Type.Object(
        {
          ...toPartial(schedulerMembers),
          startDate: Type.Optional({ ...InstantSchema, description: 'when it begins or began, in UTC' }),
          endDate: Type.Optional({ ...InstantSchema, description: 'when it ends or ended, in UTC' }),
          segments: Type.Optional(Type.Object(toPartial(segmentMembers), { description: 'whose contacts it is for' })),
        },
        { description: 'when it is sent, and to whom' },
      ),
    ),
  ),
  monitor: ignoredMemberSchema,
})
export type ActionBody = Static<typeof ActionBody>
