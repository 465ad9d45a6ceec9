import { type Static, Type } from 'typebox'
import { RcsContent, RcsExpiration, RcsFallback } from '../../../channels/rcs/content/content-schemas.ts'
import { PageQuery } from '../../../http/resource/list.ts'
import { passedOver } from '../../../lib/errors/passed-over.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { experimentBodyOf, experimentOf } from '../experiments/experiment-schemas.ts'
import { ShortReport } from '../reports/short-report-schemas.ts'
import { Action, ActionBody, GivenId, Id } from '../resource/action-schemas.ts'
import { actionListParameters } from '../resource/list-query.ts'

const ActionTypeName = Type.Enum(['rcsMessage', 'rcsCampaign'], { description: 'sent on request, or once to segments' })
const TrafficType = nullable(
  Type.Enum(['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'], {
    description: 'null: PROMOTION for marketing, TRANSACTION for service',
  }),
)
const { settings, scheduler, monitor, informations } = Action.properties
const { templating, purpose, consent, priority, environment, culture, mp } = settings.properties
const Expiration = nullable(RcsExpiration)

const versionMembers = { content: Type.Optional(RcsContent) }

/** An RCS action as it is answered. */
export const RcsAction = Type.Object({
  ...Type.Omit(Action, ['type', 'id', 'informations', 'settings', 'content', 'scheduler', 'monitor']).properties,
  type: ActionTypeName,
  id: Type.Integer(),
  informations: Type.Omit(informations, ['lastValidation']),
  settings: Type.Object({
    profile: nullable(Id),
    field: Id,
    ...{
      purpose,
      trafficType: TrafficType,
      expiration: Expiration,
      consent,
      priority,
      culture,
      mp,
      environment,
      templating,
    },
    experiment: Type.Optional(experimentOf(versionMembers)),
  }),
  content: Type.Union([RcsContent, Type.Null()]),
  fallback: Type.Union([RcsFallback, Type.Null()]),
  scheduler,
  monitor,
})
export type RcsAction = Static<typeof RcsAction>

/** Merged into what is stored before it is read. */
const Merged = Type.Optional(
  nullable(Type.Object({ type: Type.Optional(Type.String()) }, { additionalProperties: true })),
)

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const RcsActionBody = Type.Object({
  ...ActionBody.properties,
  type: Type.Optional(ActionTypeName),
  settings: Type.Optional(
    Type.Object({
      profile: Type.Optional(nullable(GivenId)),
      field: Type.Optional(nullable(GivenId)),
      trafficType: Type.Optional(TrafficType),
      expiration: Type.Optional(Expiration),
      ...Type.Pick(ActionBody.properties.settings, [
        'purpose',
        'consent',
        'priority',
        'culture',
        'mp',
        'environment',
        'templating',
      ]).properties,
      experiment: Type.Optional(nullable(experimentBodyOf(versionMembers))),
    }),
  ),
  content: Merged,
  fallback: Merged,
  monitor: passedOver,
})
export type RcsActionBody = Static<typeof RcsActionBody>

/** What a write leaves as the message and what is sent in its place. */
export const RcsParts = Type.Object({ content: nullable(RcsContent), fallback: nullable(RcsFallback) })
export type RcsParts = Static<typeof RcsParts>

/** One in the list. */
export const ListedRcsAction = Type.Object({ ...RcsAction.properties, report: Type.Optional(ShortReport) })

export const rcsStates: readonly number[] = [10, 20, 50, 55, 60]

export const ListQuery = Type.Object({
  ...PageQuery.properties,
  ...actionListParameters,
  type: Type.Optional(Type.String({ description: 'of rcsMessage, rcsCampaign, separated by commas' })),
})

/** What a validation may bring; members of tests are refused or passed over. */
export const RcsValidationBody = Type.Object({
  fortest: Type.Optional(nullable(Type.Boolean({ description: 'true is refused: proofs are what tests are here' }))),
  comments: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
})
export type RcsValidationBody = Static<typeof RcsValidationBody>
