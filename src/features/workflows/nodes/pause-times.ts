import { parseInstant } from '../../../lib/time/period.ts'
import { type LeavePlan, type NodeVisit, type PausePlan, StepFailure } from './node-contract.ts'

/** A zone that settings name: the contact's, another, or that of the workflow where they name none. */
export function resolveSettingsZone({ zones }: NodeVisit, zone: { id: string } | null): string {
  return zone === null ? zones.workflow : zone.id === 'contact' ? zones.contact : zone.id
}

/** An instant that an expression gave, in milliseconds. Throws StepFailure for what is no date. */
export function requireInstantValue(value: unknown): number {
  const instant = parseInstant(value)
  if (instant === undefined) throw new StepFailure('type-mismatch', 'The expression does not return a date.')
  return instant
}

/** Plans a pause until a moment (milliseconds); the run goes on at once where that is past. */
export function planTimedPause(until: number, { next, now }: NodeVisit): LeavePlan | PausePlan {
  if (until <= now) return { type: 'leave', next, outcome: 'done' }
  return { type: 'pause', until, waits: [], needed: 'one' }
}

/** Plans how a run goes on when its pause is over. */
export const planPauseEnd = ({ next }: NodeVisit): LeavePlan => ({ type: 'leave', next, outcome: 'done' })
