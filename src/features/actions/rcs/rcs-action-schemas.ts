import { type Static, Type } from 'typebox'
import { RcsExpiration, RcsFallback, RcsMessageContent } from '../../../channels/rcs/content/content-schemas.ts'
import { ListPageQuery } from '../../../http/resource/list.ts'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { buildExperimentBodySchema, buildExperimentSchema } from '../experiments/experiment-schemas.ts'
import { ShortReport } from '../reports/short-report-schemas.ts'
import { ActionBody, ActionResponse, Int32Id, Int32IdOrZero } from '../resource/action-schemas.ts'
import { actionListParameters } from '../resource/list-query.ts'

const ActionTypeSchema = Type.Enum(['rcsMessage', 'rcsCampaign'], {
  description:
    'Type of the action. `rcsMessage`: a message on demand, sent to named contacts. `rcsCampaign`: a campaign, sent once to segments.',
})
const TrafficTypeSchema = nullableSchema(
  Type.Enum(['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'], {
    description:
      'Type of traffic declared to RCS Business Messaging, as Google defines it. `AUTHENTICATION`: codes to sign in. ' +
      '`TRANSACTION`: updates of something that exists, such as an order. `PROMOTION`: advertising. `SERVICEREQUEST`: ' +
      'service requests. `ACKNOWLEDGEMENT`: confirmations. Null: `PROMOTION` for marketing, `TRANSACTION` for service.',
  }),
)
const { settings, scheduler, monitor, informations } = ActionResponse.properties
const { templating, purpose, consent, priority, environment, culture, mp } = settings.properties
const ExpirationSchema = nullableSchema(RcsExpiration)

const rcsVersionMembers = {
  content: Type.Optional({
    ...RcsMessageContent,
    description: 'Content of the version. Absent: that of the campaign.',
  }),
}

/** An RCS action as it is answered. */
export const RcsActionResponse = Type.Object({
  ...Type.Omit(ActionResponse, ['type', 'id', 'informations', 'settings', 'content', 'scheduler', 'monitor'])
    .properties,
  type: ActionTypeSchema,
  id: Type.Integer({ description: 'ID of the RCS action.' }),
  informations: {
    ...Type.Omit(informations, ['lastValidation']),
    description: 'Folder, category and state of the action.',
  },
  settings: Type.Object(
    {
      profile: nullableSchema({ ...Int32Id, description: 'ID of the RCS profile to send from. Null: none yet.' }),
      field: {
        ...Int32Id,
        description:
          'ID of the contact field that holds the phone number. Default: the first phone field of the account.',
      },
      purpose,
      trafficType: TrafficTypeSchema,
      expiration: ExpirationSchema,
      consent,
      priority,
      culture,
      mp,
      environment,
      templating,
      experiment: Type.Optional({
        ...buildExperimentSchema(rcsVersionMembers),
        description: 'A/B test of the campaign: its versions, and how the best one is chosen. Absent: none.',
      }),
    },
    { description: 'Settings for composing and sending the messages.' },
  ),
  content: Type.Union([RcsMessageContent, Type.Null()], { description: 'Content of the RCS message. Null: none yet.' }),
  fallback: Type.Union([RcsFallback, Type.Null()], {
    description: 'SMS sent if the RCS message cannot be delivered. Null: none.',
  }),
  scheduler,
  monitor,
})
export type RcsActionResponse = Static<typeof RcsActionResponse>

/** Merged into what is stored before it is read. */
const MergedContentSchema = Type.Optional(
  nullableSchema(
    Type.Object(
      {
        type: Type.Optional(
          Type.String({
            description: 'Type of the content. Another type than the stored one replaces the content as a whole.',
          }),
        ),
      },
      { additionalProperties: true },
    ),
  ),
)

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const RcsActionBody = Type.Object({
  ...ActionBody.properties,
  type: Type.Optional(ActionTypeSchema),
  settings: Type.Optional(
    Type.Object(
      {
        profile: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description: 'ID of the RCS profile to send from. Null: none. 0 counts as absent.',
          }),
        ),
        field: Type.Optional(
          nullableSchema({
            ...Int32IdOrZero,
            description:
              'ID of the contact field that holds the phone number. Null: the first phone field of the account. 0 counts as absent.',
          }),
        ),
        trafficType: Type.Optional(TrafficTypeSchema),
        expiration: Type.Optional(ExpirationSchema),
        ...Type.Pick(ActionBody.properties.settings, [
          'purpose',
          'consent',
          'priority',
          'culture',
          'mp',
          'environment',
          'templating',
        ]).properties,
        experiment: Type.Optional({
          ...nullableSchema(buildExperimentBodySchema(rcsVersionMembers)),
          description: 'A/B test of the campaign, replaced as a whole. Null: removes it.',
        }),
      },
      { description: 'Settings for composing and sending the messages.' },
    ),
  ),
  content: Type.Optional({
    ...MergedContentSchema,
    description: 'Content of the RCS message, merged into the stored content. Null: removes it.',
  }),
  fallback: Type.Optional({
    ...MergedContentSchema,
    description: 'SMS sent if the RCS message cannot be delivered, merged into the stored one. Null: none.',
  }),
  monitor: ignoredMemberSchema,
})
export type RcsActionBody = Static<typeof RcsActionBody>

/** The message, and the fallback sent in its place, as a write leaves them. */
export const RcsMessageParts = Type.Object({
  content: nullableSchema(RcsMessageContent),
  fallback: nullableSchema(RcsFallback),
})
export type RcsMessageParts = Static<typeof RcsMessageParts>

/** One in the list. */
export const ListedRcsAction = Type.Object({ ...RcsActionResponse.properties, report: Type.Optional(ShortReport) })

export const rcsActionStates: readonly number[] = [10, 20, 50, 55, 60]

export const RcsActionListQuery = Type.Object({
  ...ListPageQuery.properties,
  ...actionListParameters,
  type: Type.Optional(
    Type.String({ description: 'Types of action, separated by commas: `rcsMessage`, `rcsCampaign`. Absent: all.' }),
  ),
})

/** Body of a validation; members of tests are refused or ignored. */
export const RcsValidationBody = Type.Object({
  fortest: Type.Optional(
    nullableSchema(Type.Boolean({ description: 'True is refused: RCS actions are tested with proofs.' })),
  ),
  comments: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'Comments, stored with the validation.' })),
  ),
})
export type RcsValidationBody = Static<typeof RcsValidationBody>
