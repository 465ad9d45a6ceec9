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
  description: 'sent on request, or once to segments',
})
const TrafficTypeSchema = nullableSchema(
  Type.Enum(['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'], {
    description: 'null: PROMOTION for marketing, TRANSACTION for service',
  }),
)
const { settings, scheduler, monitor, informations } = ActionResponse.properties
const { templating, purpose, consent, priority, environment, culture, mp } = settings.properties
const ExpirationSchema = nullableSchema(RcsExpiration)

const rcsVersionMembers = {
  content: Type.Optional({ ...RcsMessageContent, description: 'what it says or holds' }),
}

/** An RCS action as it is answered. */
export const RcsActionResponse = Type.Object({
  ...Type.Omit(ActionResponse, ['type', 'id', 'informations', 'settings', 'content', 'scheduler', 'monitor'])
    .properties,
  type: ActionTypeSchema,
  id: Type.Integer({ description: 'what names it in this account' }),
  informations: {
    ...Type.Omit(informations, ['lastValidation']),
    description: 'what is known of it beside its content',
  },
  settings: Type.Object(
    {
      profile: nullableSchema({ ...Int32Id, description: 'id of the profile that it is sent from' }),
      field: { ...Int32Id, description: 'id of the field' },
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
        description: 'versions that are compared',
      }),
    },
    { description: 'how it is made and sent' },
  ),
  content: Type.Union([RcsMessageContent, Type.Null()], { description: 'what it says or holds' }),
  fallback: Type.Union([RcsFallback, Type.Null()], { description: 'the SMS that goes out instead' }),
  scheduler,
  monitor,
})
export type RcsActionResponse = Static<typeof RcsActionResponse>

/** Merged into what is stored before it is read. */
const MergedContentSchema = Type.Optional(
  nullableSchema(
    Type.Object(
      { type: Type.Optional(Type.String({ description: 'which of the possible kinds it is' })) },
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
        profile: Type.Optional(nullableSchema(Int32IdOrZero)),
        field: Type.Optional(nullableSchema(Int32IdOrZero)),
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
          description: 'versions that are compared',
        }),
      },
      { description: 'how it is made and sent' },
    ),
  ),
  content: Type.Optional({ ...MergedContentSchema, description: 'what it says or holds' }),
  fallback: Type.Optional({ ...MergedContentSchema, description: 'the SMS that goes out instead' }),
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
  type: Type.Optional(Type.String({ description: 'of rcsMessage, rcsCampaign, separated by commas' })),
})

/** Body of a validation; members of tests are refused or ignored. */
export const RcsValidationBody = Type.Object({
  fortest: Type.Optional(
    nullableSchema(Type.Boolean({ description: 'true is refused: proofs are what tests are here' })),
  ),
  comments: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words kept with the validation' })),
  ),
})
export type RcsValidationBody = Static<typeof RcsValidationBody>
