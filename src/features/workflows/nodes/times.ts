import {
  defaultedMember,
  exactlyOneRule,
  listShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import {
  numberShape,
  targetNodeShape,
  textShape,
  timeSpanShape,
  timeZoneShape,
} from '../../../scripting/schemas/values.ts'
import { optionalExpression, requiredExpression } from './members.ts'
import { defineNodeType } from './node-type.ts'

const MAX_SLOTS = 50
const MAX_CASES = 20

const weekdayShape = numberShape(1, 7)
const timeZoneMember = optionalMember(timeZoneShape({ ofContact: true }))
const createClockTimeShape = (pattern: RegExp) => textShape({ most: 5, pattern, words: 'must be a time: "HH:MM"' })
const startTimeShape = createClockTimeShape(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
/** The end of a day is "24:00". */
const endTimeShape = createClockTimeShape(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const daysShape = listShape(weekdayShape, { least: 1, most: 7 })

/** A span of a day of the week; one that ends before it begins ends on the next day. */
const slotsShape = listShape(
  objectShape({
    days: requiredMember(daysShape),
    from: requiredMember(startTimeShape),
    to: requiredMember(endTimeShape),
  }),
  {
    ...{ least: 1, most: MAX_SLOTS },
  },
)

/** Waits for a span, a date, or a time of day. */
export const sleepNode = defineNodeType(
  'sleep',
  objectShape(
    {
      period: optionalMember(timeSpanShape),
      until: optionalExpression('date'),
      slot: optionalMember(
        objectShape({
          hour: requiredMember(numberShape(0, 23)),
          minute: defaultedMember(numberShape(0, 59), 0),
          daysOfWeek: defaultedMember(daysShape, EVERY_DAY),
          timeZone: timeZoneMember,
        }),
      ),
      spread: optionalMember(timeSpanShape),
    },
    exactlyOneRule('period', 'until', 'slot'),
  ),
  { family: 'times', isPause: true },
)

/** Goes on within slots, else waits for the next. */
export const multipleSlotsNode = defineNodeType(
  'multipleslots',
  objectShape({ slots: requiredMember(slotsShape), timeZone: timeZoneMember }),
  {
    family: 'times',
  },
)

/** The slots of the first case that holds. */
export const conditionalSlotsNode = defineNodeType(
  'conditionaltimeslots',
  objectShape({
    cases: requiredMember(
      listShape(
        objectShape({
          condition: requiredExpression('condition'),
          slots: requiredMember(slotsShape),
          next: optionalMember(targetNodeShape),
        }),
        {
          ...{ least: 1, most: MAX_CASES },
        },
      ),
    ),
    default: optionalMember(targetNodeShape),
    timeZone: timeZoneMember,
  }),
  { family: 'times' },
)
