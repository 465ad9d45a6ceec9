import type { Db } from '../../../database/connection/connect.ts'
import {
  computeTimeSpanEnd,
  computeTimeSpanStart,
  DAY_MS,
  type TimeSpan,
  timeSpanLengthMs,
} from '../../../lib/time/spans.ts'
import {
  addCappingIncrements,
  type CappingKey,
  type CappingVisit,
  lockCappingKeys,
  type NewCappingIncrement,
  readCappingSums,
  revertCappingIncrements,
} from '../../capping/increments.ts'
import { calendarPeriodSpan } from '../../pressure/counters/periods.ts'
import type { CappedVisit, CappingEntryCount, UncappedVisit } from '../counts/count-visit.ts'
import type { EffectHandlers, RunEffectRequest, RunStepTransaction } from '../stepping/effect-handlers.ts'
import { formatVisitId } from '../stepping/run.ts'
import type { WorkflowRunState } from '../stepping/run-state.ts'
import type { StepperRequest } from '../stepping/step-run.ts'

type CappingRequest = RunEffectRequest<Extract<StepperRequest, { kind: 'capping' }>>

/** Contacts of one key may be in different zones, and clocks of processes differ. */
const KEPT_LONGER_MS = 3 * DAY_MS
const LATEST_MS = Date.parse('9999-12-31T00:00:00Z')

/** The moment behind which increments count in a period (milliseconds). */
export function findCappingPeriodStart(period: TimeSpan, now: number, zone: string): number {
  const { type, unit, value } = period
  // Longer than there was time.
  if (timeSpanLengthMs(period) >= now) return 0
  if (type === 'rolling' || unit === 'MILLISECOND' || unit === 'SECOND')
    return computeTimeSpanStart({ ...period, type: 'rolling' }, now, zone)
  return calendarPeriodSpan({ unit, value }, { now, zone }).start - 1
}

/** When an increment counts in no period any more; later than need be. */
function dropAt(period: TimeSpan, at: number, zone: string): number {
  if (timeSpanLengthMs(period) >= LATEST_MS - at) return LATEST_MS
  // No span of the calendar is longer than its rolling form.
  return Math.min(computeTimeSpanEnd({ ...period, type: 'rolling' }, at, zone) + KEPT_LONGER_MS, LATEST_MS)
}

/** One entry of one visit, with the sum that is stored for it. */
interface Asked extends CappingKey {
  entry: CappingEntryCount
  after: number
  sum: number
}

const nameOf = ({ account, workflow, capping, key }: CappingKey): string =>
  JSON.stringify([account, workflow, capping, key])

/** Entries of visits as the table has them. */
function askedBy({ asked: { entries, visit } }: CappingRequest): Asked[] {
  const { account, workflow, now, zones } = visit
  return entries.map((entry) => ({
    ...{ account, workflow, capping: entry.capping.id, key: entry.key, entry, sum: 0 },
    after: findCappingPeriodStart(entry.capping.period, now, zones.contact),
  }))
}

function messageOf({ threshold, period: { unit, value } }: CappingEntryCount['capping']): string {
  return `${threshold} per ${value === 1 ? unit : `${value} ${unit}`} reached`
}

/** Whether an entry stops a visit; `more` was counted under its key by visits before it. */
function isFull({ entry: { capping }, sum }: Asked, more: number): boolean {
  const { threshold, increment } = capping
  return threshold <= 0 || (increment === 0 ? sum + more >= threshold : sum + more + increment > threshold)
}

/** Decides on one visit, all of its entries or none; `counted` is what visits before it count. */
function decide(asked: readonly Asked[], counted: Map<string, number>): CappedVisit | null {
  const full = asked.find((one) => isFull(one, counted.get(nameOf(one)) ?? 0))
  if (full) {
    const { capping } = full.entry
    return { type: 'capped', action: capping.action, message: messageOf(capping), threshold: capping.threshold }
  }
  for (const one of asked) {
    const name = nameOf(one)
    counted.set(name, (counted.get(name) ?? 0) + one.entry.capping.increment)
  }
  return null
}

function placesOf({ draft, asked: { visit } }: CappingRequest, asked: readonly Asked[]): CappingVisit | null {
  const places = asked.flatMap(({ entry, capping, key }) =>
    entry.capping.increment > 0 ? [[capping, key] as const] : [],
  )
  return places.length === 0
    ? null
    : { workflow: visit.workflow, at: visit.now, owner: formatVisitId(draft.run), places }
}

function incrementsOf({ draft, asked: { visit } }: CappingRequest, asked: readonly Asked[]): NewCappingIncrement[] {
  const at = visit.now
  return asked.flatMap(({ entry: { capping: entry, key }, account, workflow, capping }): NewCappingIncrement[] =>
    entry.increment === 0
      ? []
      : [
          {
            ...{ account, workflow, capping, key, at, owner: formatVisitId(draft.run), increment: entry.increment },
            dropAt: dropAt(entry.period, at, visit.zones.contact),
          },
        ],
  )
}

/** Sums of entries as they are stored, with their keys locked where visits are counted. */
async function withSums(db: Db, asked: readonly Asked[][]): Promise<Asked[][]> {
  const sums = await readCappingSums(db, asked.flat())
  let place = 0
  return asked.map((own) => own.map((one) => ({ ...one, sum: sums[place++]! })))
}

/** Whether visits would be capped now, one after the other; nothing is counted. */
export async function previewCappings(
  db: Db,
  requests: readonly CappingRequest[],
): Promise<(CappedVisit | UncappedVisit)[]> {
  const asked = await withSums(db, requests.map(askedBy))
  const counted = new Map<string, number>()
  return asked.map((own) => decide(own, counted) ?? { type: 'passed', places: null })
}

/** Counts visits under their keys, in their order, unless that would be more than their thresholds. */
export const countVisitCappings: EffectHandlers['capping'] = async ({ tx }: RunStepTransaction, requests) => {
  const asked = requests.map(askedBy)
  await lockCappingKeys(tx, asked.flat())
  const counted = new Map<string, number>()
  const increments: NewCappingIncrement[] = []
  const answers = (await withSums(tx, asked)).map((own, index): CappedVisit | UncappedVisit => {
    const capped = decide(own, counted)
    if (capped) return capped
    increments.push(...incrementsOf(requests[index]!, own))
    return { type: 'passed', places: placesOf(requests[index]!, own) }
  })
  await addCappingIncrements(tx, increments)
  return answers
}

/** Takes back what nodes have counted that failed. */
export async function releaseFailedCappings(
  { tx }: RunStepTransaction,
  drafts: readonly WorkflowRunState[],
): Promise<void> {
  await revertCappingIncrements(
    tx,
    drafts.flatMap(({ run, givenBack }) => (givenBack ? [{ ...givenBack, account: run.account }] : [])),
  )
}
