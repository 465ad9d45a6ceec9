import { defaulted, exactlyOne, list, object, optional, required } from '../../../scripting/schemas/objects.ts'
import { number, period, target, text, zone } from '../../../scripting/schemas/values.ts'
import { optionalValue, requiredValue } from './members.ts'
import { nodeType } from './node-type.ts'

const MAX_SLOTS = 50
const MAX_CASES = 20

const weekday = number(1, 7)
const timeZone = optional(zone({ ofContact: true }))
const clockTime = (pattern: RegExp) => text({ most: 5, pattern, words: 'must be a time: "HH:MM"' })
const from = clockTime(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
/** The end of a day is "24:00". */
const to = clockTime(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const days = list(weekday, { least: 1, most: 7 })

/** A span of a day of the week; one that ends before it begins ends on the next day. */
const slots = list(object({ days: required(days), from: required(from), to: required(to) }), {
  ...{ least: 1, most: MAX_SLOTS },
})

/** Waits for a span, a date, or a time of day. */
export const sleep = nodeType(
  'sleep',
  object(
    {
      period: optional(period),
      until: optionalValue('date'),
      slot: optional(
        object({
          hour: required(number(0, 23)),
          minute: defaulted(number(0, 59), 0),
          daysOfWeek: defaulted(days, EVERY_DAY),
          timeZone,
        }),
      ),
      spread: optional(period),
    },
    exactlyOne('period', 'until', 'slot'),
  ),
  { family: 'times', isPause: true },
)

/** Goes on within slots, else waits for the next. */
export const multipleSlots = nodeType('multipleslots', object({ slots: required(slots), timeZone }), {
  family: 'times',
})

/** The slots of the first case that holds. */
export const conditionalSlots = nodeType(
  'conditionaltimeslots',
  object({
    cases: required(
      list(object({ condition: requiredValue('condition'), slots: required(slots), next: optional(target) }), {
        ...{ least: 1, most: MAX_CASES },
      }),
    ),
    default: optional(target),
    timeZone,
  }),
  { family: 'times' },
)
