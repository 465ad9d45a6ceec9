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
      Type.Array(buildItemSchema(rule), { maxItems: MAX_EVENT_FILTER_ITEMS, description: 'any of these; absent: all' }),
    ] as const,
)

const EventTypeSchema = Type.Enum([...goalEventTypes.keys()], { description: 'as listeners of workflows name it' })
const members = {
  type: EventTypeSchema,
  ...Object.fromEntries(LIST_SCHEMAS.map(([name, list]) => [name, Type.Optional(list)])),
}

const WithinSchema = Type.Object(
  {
    type: Type.Optional(buildTypeTag('rolling')),
    unit: Type.Enum(['MINUTE', 'HOUR', 'DAY', 'WEEK'], { description: 'the unit of the number beside it' }),
    value: Type.Integer({ minimum: 1, maximum: 43_200, description: 'the value itself' }),
  },
  { description: 'from 1 hour to 30 days, from the send of each contact; of those held out from when they were' },
)

/** Event that is compared with the held-out contacts, as stored: absent lists match all. */
export const ExperimentGoal = Type.Object({
  event: Type.Object(members, { description: 'the event that it is about' }),
  within: WithinSchema,
})

/** The same as it is given. */
export const ExperimentGoalBody = Type.Object({
  event: Type.Object(
    {
      ...members,
      filter: Type.Optional(Type.Unknown({ description: 'conditions are refused: they are of workflows' })),
    },
    { description: 'the event that it is about' },
  ),
  within: WithinSchema,
})

const rateMembers = {
  contacts: Type.Integer({ description: 'contacts compared: those sent to but those refused, or those held out' }),
  reached: Type.Integer({ description: 'of those, to whom the event happened in time' }),
  rate: Type.Union([Type.Number(), Type.Null()], { description: 'a share of the whole, from 0 to 1' }),
  interval: Type.Object(
    { low: Type.Number({ description: 'its lower end' }), high: Type.Number({ description: 'its upper end' }) },
    { description: 'holds the rate with 95 %' },
  ),
}

/** Counts of the contacts that reached the goal of an experiment. */
export const GoalResult = Type.Object({
  ...ExperimentGoal.properties,
  countedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when it was counted for good, after the time of all of them; null: figures may still grow',
  }),
  versions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      ...rateMembers,
      lift: Type.Union(
        [
          Type.Object({
            difference: Type.Number({ description: 'of the rates' }),
            relative: Type.Union([Type.Number(), Type.Null()], {
              description: 'the difference by the rate of those held out; null: that is 0',
            }),
            probability: Type.Number({ description: 'that the rate is higher than that of those held out' }),
          }),
          Type.Null(),
        ],
        { description: 'against those held out; null: nobody is, or it was sent to nobody' },
      ),
    }),
    { description: 'the versions of it' },
  ),
  holdout: Type.Object(rateMembers, { description: 'those who get nothing, for comparison' }),
})
export type GoalResult = Static<typeof GoalResult>
