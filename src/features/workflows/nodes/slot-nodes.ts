import { listShape, objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import { targetNodeShape, textShape } from '../../../scripting/schemas/values.ts'
import type { NodeVisit } from './node-contract.ts'
import { defineNodeType } from './node-type.ts'
import { planPauseEnd, planTimedPause, resolveSettingsZone } from './pause-times.ts'
import { requiredExpression, timeZoneMember, weekdaysShape } from './setting-members.ts'
import { findNextSlotStart, type WeekdaySlot } from './weekday-slots.ts'

const MAX_SLOTS = 50
const MAX_CASES = 20

const createClockTimeShape = (pattern: RegExp) => textShape({ most: 5, pattern, words: 'must be a time: "HH:MM"' })
const startTimeShape = createClockTimeShape(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
/** The end of a day is "24:00". */
const endTimeShape = createClockTimeShape(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)

/** A span of a day of the week; one that ends before it begins ends on the next day. */
const slotsShape = listShape(
  objectShape({
    days: requiredMember(weekdaysShape),
    from: requiredMember(startTimeShape),
    to: requiredMember(endTimeShape),
  }),
  { least: 1, most: MAX_SLOTS },
)

type SlotSettings = { [Member in keyof WeekdaySlot]: number[] | string | null }

const isCompleteSlot = ({ days, from, to }: SlotSettings): boolean => days !== null && from !== null && to !== null

/** Null inside a slot; else when the next begins (milliseconds). */
function findSettingsSlotStart(
  visit: NodeVisit,
  { slots, timeZone }: { slots: readonly SlotSettings[] | null; timeZone: { id: string } | null },
): number | null {
  const completeSlots = slots!.filter(isCompleteSlot) as unknown as WeekdaySlot[]
  return findNextSlotStart(completeSlots, visit.now, resolveSettingsZone(visit, timeZone))
}

/** Goes on within slots, else waits for the next. */
const multipleSlotsNode = defineNodeType({
  type: 'multipleslots',
  isPure: true,
  settings: objectShape({ slots: requiredMember(slotsShape), timeZone: timeZoneMember }),
  enter: (visit) => planTimedPause(findSettingsSlotStart(visit, visit.settings) ?? visit.now, visit),
  resumeAfterWait: planPauseEnd,
})

/** The slots of the first case that holds. */
const conditionalSlotsNode = defineNodeType({
  type: 'conditionaltimeslots',
  isPure: true,
  settings: objectShape({
    cases: requiredMember(
      listShape(
        objectShape({
          condition: requiredExpression('condition'),
          slots: requiredMember(slotsShape),
          next: optionalMember(targetNodeShape),
        }),
        { least: 1, most: MAX_CASES },
      ),
    ),
    default: optionalMember(targetNodeShape),
    timeZone: timeZoneMember,
  }),
  enter(visit) {
    const { cases, default: otherwise, timeZone } = visit.settings
    const caseIndex = cases!.findIndex(({ condition }) => condition !== null && visit.holds(condition))
    if (caseIndex < 0) return { type: 'leave', next: otherwise ?? visit.next, outcome: 'branch', branch: 'default' }
    const { slots, next } = cases![caseIndex]!
    const start = findSettingsSlotStart(visit, { slots, timeZone })
    if (start === null)
      return { type: 'leave', next: next ?? visit.next, outcome: 'branch', branch: `case ${caseIndex}` }
    return { type: 'pause', until: start, waits: [], needed: 'one', memo: { found: caseIndex } }
  },
  resumeAfterWait({ settings, next, memo }) {
    const { found: caseIndex } = memo as { found: number }
    return {
      type: 'leave',
      next: settings.cases![caseIndex]?.next ?? next,
      outcome: 'branch',
      branch: `case ${caseIndex}`,
    }
  },
})

export const slotNodeTypes = [multipleSlotsNode, conditionalSlotsNode]
