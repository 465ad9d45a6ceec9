import { type Static, type TSchema, Type } from 'typebox'
import { int32IdLimits } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { type EventFilterRule, listenedEventTypes, MAX_EVENT_FILTER_ITEMS } from '../../events/kinds/listened-types.ts'

/** Events that no contact can reach a goal by: nobody is there before or after them. */
const CONTACTLESS_EVENTS = new Set(['target.created', 'target.deleted', 'import.completed'])

/** The types of events that a goal may be, each with the members that filter it. */
export const goalEventTypes = new Map(
  [...listenedEventTypes]
    .filter(([type]) => !CONTACTLESS_EVENTS.has(type))
    .map(([type, { members }]) => [type, members]),
)

const buildItemSchema = ({ of, ...rule }: EventFilterRule): TSchema => {
  if (of !== 'ids') return Type.String()
  const isOfActions = 'what' in rule && rule.what !== 'field' && rule.what !== 'segment'
  return isOfActions ? Type.Union([Type.String(), Type.Integer(int32IdLimits)]) : Type.Integer(int32IdLimits)
}

const RULES_BY_MEMBER = new Map([...goalEventTypes.values()].flatMap((members) => Object.entries(members)))
const LIST_SCHEMAS = [...RULES_BY_MEMBER].map(
  ([name, rule]) =>
    [
      name,
      Type.Array(buildItemSchema(rule), {
        maxItems: MAX_EVENT_FILTER_ITEMS,
        description: 'Values that match, any of them. Absent: all.',
      }),
    ] as const,
)

const EventTypeSchema = Type.Enum([...goalEventTypes.keys()], {
  description: 'Type of the event, as in the listeners of workflows.',
})
const members = {
  type: EventTypeSchema,
  ...Object.fromEntries(LIST_SCHEMAS.map(([name, list]) => [name, Type.Optional(list)])),
}

const WithinSchema = Type.Object(
  {
    type: Type.Optional(buildTypeTag('rolling')),
    unit: Type.Enum(['MINUTE', 'HOUR', 'DAY', 'WEEK'], { description: 'Unit of `value`.' }),
    value: Type.Integer({
      minimum: 1,
      maximum: 43_200,
      description: 'Number of units, from 1 hour to 30 days in total.',
    }),
  },
  {
    description:
      'Time within which the event counts, from 1 hour to 30 days. It starts when the message is sent to the contact, or when the contact is held out.',
  },
)

/** Event that is compared with the held-out contacts, as stored: absent lists match all. */
export const ExperimentGoal = Type.Object({
  event: Type.Object(members, { description: 'Event that counts as reaching the goal.' }),
  within: WithinSchema,
})

/** The same as it is given. */
export const ExperimentGoalBody = Type.Object({
  event: Type.Object(
    {
      ...members,
      filter: Type.Optional(Type.Unknown({ description: 'Refused: conditions are for workflows only.' })),
    },
    { description: 'Event that counts as reaching the goal.' },
  ),
  within: WithinSchema,
})

const rateMembers = {
  contacts: Type.Integer({
    description: 'Number of contacts compared: those the version was sent to without a refusal, or those held out.',
  }),
  reached: Type.Integer({ description: 'Number of these contacts that reached the goal in time.' }),
  rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Share of the contacts that reached the goal, from 0 to 1. Null: no contacts yet.',
  }),
  interval: Type.Object(
    { low: Type.Number({ description: 'Lower bound.' }), high: Type.Number({ description: 'Upper bound.' }) },
    { description: 'Interval that contains the true rate with a probability of 95 %.' },
  ),
}

/** Counts of the contacts that reached the goal of an experiment. */
export const GoalResult = Type.Object({
  ...ExperimentGoal.properties,
  countedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'Time of the final count, in UTC, after the time of every contact has passed. Null: the figures may still grow.',
  }),
  versions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the version.' }),
      ...rateMembers,
      lift: Type.Union(
        [
          Type.Object({
            difference: Type.Number({ description: 'Rate of the version minus the rate of the contacts held out.' }),
            relative: Type.Union([Type.Number(), Type.Null()], {
              description: 'Difference divided by the rate of the contacts held out. Null: that rate is 0.',
            }),
            probability: Type.Number({
              description: 'Probability that the rate of the version is higher than that of the contacts held out.',
            }),
          }),
          Type.Null(),
        ],
        {
          description:
            'Improvement over the contacts held out. Null: no contacts were held out, or the version was sent to none.',
        },
      ),
    }),
    { description: 'Results of the versions.' },
  ),
  holdout: Type.Object(rateMembers, { description: 'Results of the contacts held out, who receive nothing.' }),
})
export type GoalResult = Static<typeof GoalResult>
