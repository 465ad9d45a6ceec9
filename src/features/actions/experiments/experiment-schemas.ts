import { type Static, type TProperties, Type } from 'typebox'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ExperimentGoal, ExperimentGoalBody, GoalResult } from '../goals/goal-schemas.ts'

const VersionIdSchema = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,32}$',
  description: 'ID of the version: letters, digits, `-` and `_`.',
})
const InstantSchema = Type.String({ format: 'date-time' })
const toNullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const ExperimentMetric = Type.Union(
  [
    Type.Enum(['opens', 'clicks']),
    Type.Object({
      link: Type.Union(
        [Type.Integer({ minimum: 0, maximum: MAX_INT32 }), Type.String({ minLength: 1, maxLength: 255 })],
        { description: 'Number or name of the link.' },
      ),
    }),
  ],
  {
    description:
      'Success of a version. `opens`: an open. `clicks`: any click. `link`: a click on that link. `opens` is refused for SMS.',
  },
)
export type ExperimentMetric = Static<typeof ExperimentMetric>

const DecideAfterSchema = Type.Object(
  {
    type: Type.Optional(buildTypeTag('rolling')),
    unit: Type.Enum(['MINUTE', 'HOUR', 'DAY', 'WEEK'], { description: 'Unit of `value`.' }),
    value: Type.Integer({
      minimum: 1,
      maximum: 10_080,
      description: 'Number of units, from 1 hour to 7 days in total.',
    }),
  },
  {
    description:
      'Duration of the measurement, from 1 hour to 7 days, after the last message of the shares has its outcome.',
  },
)
const ShareSchema = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  description: 'Share of the audience that receives the version, in percent, with up to two decimals.',
})
const HoldoutSchema = Type.Number({
  minimum: 0,
  maximum: 50,
  description: 'Share of the audience that receives nothing, in percent. Default: 0.',
})
const MinimumSchema = Type.Integer({
  minimum: 10,
  maximum: 100_000,
  description: 'Number of contacts each version must be sent to for a clear winner. Default: 100.',
})
const DecideSchema = Type.Enum(['auto', 'ask'], {
  description:
    '`auto`: the best version is sent to the rest of the audience automatically. `ask`: a user or key decides. Default: `auto`.',
})

/** Builds the schema of an experiment whose versions have these members in addition to their id and share. */
export function buildExperimentSchema<Members extends TProperties>(members: Members) {
  const VersionSchema = Type.Object({ id: VersionIdSchema, share: ShareSchema, ...members })
  return Type.Object({
    versions: Type.Array(VersionSchema, {
      minItems: 2,
      maxItems: 5,
      description: 'Versions that are compared, 2 to 5.',
    }),
    holdout: HoldoutSchema,
    metric: ExperimentMetric,
    decideAfter: DecideAfterSchema,
    minimum: MinimumSchema,
    decide: DecideSchema,
    goal: Type.Optional({
      ...ExperimentGoal,
      description: 'Event by which the versions are compared with the contacts held out. Absent: none.',
    }),
  })
}

/** The same as it is given: `holdout`, `minimum` and `decide` have defaults. */
export function buildExperimentBodySchema<Members extends TProperties>(members: Members) {
  const { properties } = buildExperimentSchema(members)
  return Type.Object({
    ...properties,
    holdout: Type.Optional(HoldoutSchema),
    minimum: Type.Optional(MinimumSchema),
    decide: Type.Optional(DecideSchema),
    goal: Type.Optional(
      nullableSchema({
        ...ExperimentGoalBody,
        description: 'Event by which the versions are compared with the contacts held out. Null or absent: none.',
      }),
    ),
  })
}

const rateMembers = {
  sent: Type.Integer({ description: 'Number of contacts the version was sent to without a refusal.' }),
  successes: Type.Integer({
    description: 'Number of these contacts with a success within `decideAfter` of their own send.',
  }),
  rate: toNullable(Type.Number(), 'Share of these contacts with a success, from 0 to 1. Null: sent to none yet.'),
  mean: Type.Number({
    description: 'Mean of the posterior distribution of the rate; the version with the highest mean is the best.',
  }),
  interval: Type.Object(
    { low: Type.Number({ description: 'Lower bound.' }), high: Type.Number({ description: 'Upper bound.' }) },
    { description: 'Interval that contains the true rate with a probability of 95 %.' },
  ),
  probability: Type.Number({ description: 'Probability that the version is the best.' }),
}

/** State of an experiment and its results. */
export const ExperimentResult = Type.Object({
  state: Type.Enum(['planned', 'sending', 'measuring', 'asking', 'decided', 'over'], {
    description:
      '`planned`: not started. `sending`: messages of the shares have no outcome yet. `measuring`: until `decidesAt`. `asking`: waiting for a decision by request. `decided`: a version was chosen. `over`: ended without a decision.',
  }),
  metric: ExperimentMetric,
  minimum: Type.Integer({ description: 'Number of contacts each version must be sent to for a clear winner.' }),
  decide: DecideSchema,
  settledAt: toNullable(InstantSchema, 'Time when every message of the shares had its outcome, in UTC. Null: not yet.'),
  decidesAt: toNullable(InstantSchema, 'Time when the measurement ends, in UTC. Null: it has not started.'),
  versions: Type.Array(Type.Object({ id: VersionIdSchema, share: ShareSchema, ...rateMembers }), {
    description: 'Results of the versions.',
  }),
  holdout: Type.Object(
    { share: HoldoutSchema, contacts: Type.Integer({ description: 'Number of contacts held out.' }) },
    { description: 'Contacts held out, who receive nothing.' },
  ),
  waiting: Type.Integer({ description: 'Number of contacts of the rest of the audience that wait for the decision.' }),
  best: toNullable(VersionIdSchema, 'ID of the version with the highest mean. Null: nothing sent yet.'),
  isClear: Type.Boolean({
    description:
      'True: there is a clear winner. False: a version is below the minimum, or the best has a probability below 95 %.',
  }),
  decision: toNullable(
    Type.Object({
      version: VersionIdSchema,
      at: { ...InstantSchema, description: 'Time of the decision, in UTC.' },
      by: Type.Enum(['auto', 'person'], { description: '`auto`: automatic. `person`: by a user or key.' }),
      isClear: Type.Boolean({ description: 'True: the chosen version was the clear winner at that time.' }),
    }),
    'Version that was chosen for the rest of the audience. Null: none yet.',
  ),
  goal: toNullable(GoalResult, 'Results by the goal. Null: the experiment has no goal.'),
})
export type ExperimentResult = Static<typeof ExperimentResult>

export const ExperimentDecisionBody = Type.Object({ version: VersionIdSchema })
