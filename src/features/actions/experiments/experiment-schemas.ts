import { type Static, type TProperties, Type } from 'typebox'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ExperimentGoal, ExperimentGoalBody, GoalResult } from '../goals/goal-schemas.ts'

const VersionIdSchema = Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$', description: 'letters, digits, - and _' })
const InstantSchema = Type.String({ format: 'date-time' })
const toNullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const ExperimentMetric = Type.Union(
  [
    Type.Enum(['opens', 'clicks']),
    Type.Object({
      link: Type.Union(
        [Type.Integer({ minimum: 0, maximum: MAX_INT32 }), Type.String({ minLength: 1, maxLength: 255 })],
        { description: 'address of a page' },
      ),
    }),
  ],
  { description: 'what counts as a success: an open, a click, or a click on the link of a number or name' },
)
export type ExperimentMetric = Static<typeof ExperimentMetric>

const DecideAfterSchema = Type.Object(
  {
    type: Type.Optional(buildTypeTag('rolling')),
    unit: Type.Enum(['MINUTE', 'HOUR', 'DAY', 'WEEK'], { description: 'the unit of the number beside it' }),
    value: Type.Integer({ minimum: 1, maximum: 10_080, description: 'the value itself' }),
  },
  { description: 'from 1 hour to 7 days' },
)
const ShareSchema = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  description: 'percent of the audience, two decimals',
})
const HoldoutSchema = Type.Number({ minimum: 0, maximum: 50, description: 'percent of the audience that gets nothing' })
const MinimumSchema = Type.Integer({
  minimum: 10,
  maximum: 100_000,
  description: 'contacts each version must be sent to',
})
const DecideSchema = Type.Enum(['auto', 'ask'], { description: 'auto: the best one by itself; ask: by a person' })

/** Builds the schema of an experiment whose versions have these members in addition to their id and share. */
export function buildExperimentSchema<Members extends TProperties>(members: Members) {
  const VersionSchema = Type.Object({ id: VersionIdSchema, share: ShareSchema, ...members })
  return Type.Object({
    versions: Type.Array(VersionSchema, { minItems: 2, maxItems: 5, description: 'the versions of it' }),
    holdout: HoldoutSchema,
    metric: ExperimentMetric,
    decideAfter: DecideAfterSchema,
    minimum: MinimumSchema,
    decide: DecideSchema,
    goal: Type.Optional({ ...ExperimentGoal, description: 'what those who get nothing are compared by' }),
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
      nullableSchema({ ...ExperimentGoalBody, description: 'what those who get nothing are compared by' }),
    ),
  })
}

const rateMembers = {
  sent: Type.Integer({ description: 'contacts that it was sent to, but those refused' }),
  successes: Type.Integer({
    description: 'of those, who did what the metric says within decideAfter of their own send',
  }),
  rate: toNullable(Type.Number(), 'a share of the whole, from 0 to 1'),
  mean: Type.Number({ description: 'of the posterior distribution; the highest is the best' }),
  interval: Type.Object(
    { low: Type.Number({ description: 'its lower end' }), high: Type.Number({ description: 'its upper end' }) },
    { description: 'holds the rate with 95 %' },
  ),
  probability: Type.Number({ description: 'to be the best' }),
}

/** State of an experiment and its results. */
export const ExperimentResult = Type.Object({
  state: Type.Enum(['planned', 'sending', 'measuring', 'asking', 'decided', 'over'], {
    description:
      'planned: not begun; sending: messages of the shares have no outcome yet; measuring: until decidesAt; asking: waits for a person; over: ended without a rest to decide of',
  }),
  metric: ExperimentMetric,
  minimum: Type.Integer({ description: 'contacts each version must be sent to' }),
  decide: DecideSchema,
  settledAt: toNullable(InstantSchema, 'when all messages of the shares had an outcome, in UTC; null: not yet'),
  decidesAt: toNullable(InstantSchema, 'when the time of the experiment is over, in UTC; null: it has not begun'),
  versions: Type.Array(Type.Object({ id: VersionIdSchema, share: ShareSchema, ...rateMembers }), {
    description: 'the versions of it',
  }),
  holdout: Type.Object(
    { share: HoldoutSchema, contacts: Type.Integer({ description: 'how many contacts' }) },
    { description: 'those who get nothing, for comparison' },
  ),
  waiting: Type.Integer({ description: 'contacts of the rest that wait for the decision' }),
  best: toNullable(VersionIdSchema),
  isClear: Type.Boolean({ description: 'false: no clear winner, below the minimum or below 95 %' }),
  decision: toNullable(
    Type.Object({
      version: VersionIdSchema,
      at: { ...InstantSchema, description: 'when it happened' },
      by: Type.Enum(['auto', 'person'], { description: 'who did it' }),
      isClear: Type.Boolean({ description: 'whether there was a clear winner then' }),
    }),
    'the version that was chosen; null: none yet',
  ),
  goal: toNullable(GoalResult, 'how many reached the goal; null: it has none'),
})
export type ExperimentResult = Static<typeof ExperimentResult>

export const ExperimentDecisionBody = Type.Object({ version: VersionIdSchema })
