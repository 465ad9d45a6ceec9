import { createHash } from 'node:crypto'
import { parseInstant } from '../../../lib/time/period.ts'
import { computeTimeSpanEnd, findFirstInstant, timeSpanLengthMs, toLocalDateTime } from '../../../lib/time/spans.ts'
import { type LeavePlan, type NodeSteps, type NodeVisit, type PausePlan, StepFailure } from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import type { conditionalSlotsNode, multipleSlotsNode, sleepNode } from '../nodes/times.ts'
import { findNextSlotStart, type WeekdaySlot } from './slots.ts'

/** A zone that settings name: the contact's, another, or that of the workflow where they name none. */
export function resolveSettingsZone({ zones }: NodeVisit, zone: { id: string } | null): string {
  return zone === null ? zones.workflow : zone.id === 'contact' ? zones.contact : zone.id
}

/** An instant that an expression gave, in milliseconds. Throws StepFailure for what is no date. */
export function requireInstantValue(value: unknown): number {
  const instant = parseInstant(value)
  if (instant === undefined) throw new StepFailure('type-mismatch', 'The expression does not give a date.')
  return instant
}

function planPause(until: number, { next, now }: NodeVisit): LeavePlan | PausePlan {
  if (until <= now) return { type: 'leave', next, outcome: 'done' }
  return { type: 'pause', until, waits: [], needed: 'one' }
}

/** The stable random part of a span that a run sleeps longer: the same whenever its visit is repeated. */
function computeSpreadMs({ run, node, visit }: NodeVisit, spanMs: number): number {
  const digest = createHash('sha256').update(`${run}:${node}:${visit}`).digest()
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * spanMs)
}

type SleepSlot = NonNullable<NodeSettingsOf<typeof sleepNode>['slot']>

/** The next time of day on one of the days. */
function findNextSlotTime({ hour, minute, daysOfWeek }: SleepSlot, now: number, zone: string): number {
  const today = toLocalDateTime(now, zone).toPlainDate()
  for (let daysAhead = 0; daysAhead <= 8; daysAhead++) {
    const day = today.add({ days: daysAhead })
    const slotInstant = findFirstInstant(day.toPlainDateTime({ hour: hour ?? 0, minute }), zone)
    if (slotInstant > now && daysOfWeek.includes(day.dayOfWeek)) return slotInstant
  }
  throw new StepFailure('slot', 'No day of the week is named.')
}

function computeSleepEnd(visit: NodeVisit<NodeSettingsOf<typeof sleepNode>>): number {
  const { period, until, slot } = visit.settings
  if (period) return computeTimeSpanEnd(period, visit.now, visit.zones.contact)
  if (until) return requireInstantValue(visit.value(until))
  return findNextSlotTime(slot!, visit.now, resolveSettingsZone(visit, slot!.timeZone))
}

const planWakeUp = ({ next }: NodeVisit): LeavePlan => ({ type: 'leave', next, outcome: 'done' })

export const sleepSteps: NodeSteps<NodeSettingsOf<typeof sleepNode>> = {
  enter(visit) {
    const { spread } = visit.settings
    return planPause(computeSleepEnd(visit) + (spread ? computeSpreadMs(visit, timeSpanLengthMs(spread)) : 0), visit)
  },
  woken: planWakeUp,
}

const isCompleteSlot = (slot: { days: number[] | null; from: string | null; to: string | null }): boolean =>
  slot.days !== null && slot.from !== null && slot.to !== null

export const multipleSlotsSteps: NodeSteps<NodeSettingsOf<typeof multipleSlotsNode>> = {
  enter(visit) {
    const { slots, timeZone } = visit.settings
    return planPause(
      findNextSlotStart(
        slots!.filter(isCompleteSlot) as WeekdaySlot[],
        visit.now,
        resolveSettingsZone(visit, timeZone),
      ) ?? visit.now,
      visit,
    )
  },
  woken: planWakeUp,
}

export const conditionalSlotsSteps: NodeSteps<NodeSettingsOf<typeof conditionalSlotsNode>> = {
  enter(visit) {
    const { cases, default: otherwise, timeZone } = visit.settings
    const caseIndex = cases!.findIndex(({ condition }) => condition !== null && visit.holds(condition))
    if (caseIndex < 0) return { type: 'leave', next: otherwise ?? visit.next, outcome: 'branch', branch: 'default' }
    const matchingCase = cases![caseIndex]!
    const next = matchingCase.next ?? visit.next
    const start = findNextSlotStart(
      matchingCase.slots!.filter(isCompleteSlot) as WeekdaySlot[],
      visit.now,
      resolveSettingsZone(visit, timeZone),
    )
    if (start === null) return { type: 'leave', next, outcome: 'branch', branch: `case ${caseIndex}` }
    return { type: 'pause', until: start, waits: [], needed: 'one', memo: { found: caseIndex } }
  },
  woken({ settings, next, memo }) {
    const { found: caseIndex } = memo as { found: number }
    return {
      type: 'leave',
      next: settings.cases![caseIndex]?.next ?? next,
      outcome: 'branch',
      branch: `case ${caseIndex}`,
    }
  },
}
