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
import type { EffectHandlers, RunEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'
import { formatVisitId } from '../run-stepper/run.ts'
import type { WorkflowRunState } from '../run-stepper/run-state.ts'
import type { StepperRequest } from '../run-stepper/stepper-requests.ts'

type CappingRequest = RunEffectRequest<Extract<StepperRequest, { kind: 'capping' }>>

/** Contacts of one key may be in different zones, and clocks of processes differ. */
const RETENTION_MARGIN_MS = 3 * DAY_MS
const MAX_DATE_MS = Date.parse('9999-12-31T00:00:00Z')

/** The moment behind which increments count in a period (milliseconds). */
export function findCappingPeriodStart(period: TimeSpan, now: number, zone: string): number {
  const { type, unit, value } = period
  // Longer than there was time.
  if (timeSpanLengthMs(period) >= now) return 0
  if (type === 'rolling' || unit === 'MILLISECOND' || unit === 'SECOND')
    return computeTimeSpanStart({ ...period, type: 'rolling' }, now, zone)
  return calendarPeriodSpan({ unit, value }, { now, zone }).start - 1
}

/** Computes when an increment no longer counts in any period; the result may be later than necessary. */
function computeDropTime(period: TimeSpan, at: number, zone: string): number {
  if (timeSpanLengthMs(period) >= MAX_DATE_MS - at) return MAX_DATE_MS
  // No span of the calendar is longer than its rolling form.
  return Math.min(computeTimeSpanEnd({ ...period, type: 'rolling' }, at, zone) + RETENTION_MARGIN_MS, MAX_DATE_MS)
}

/** One entry of one visit, with the sum that is stored for it. */
interface VisitEntry extends CappingKey {
  entry: CappingEntryCount
  after: number
  sum: number
}

const toCappingName = ({ account, workflow, capping, key }: CappingKey): string =>
  JSON.stringify([account, workflow, capping, key])

/** Entries of visits as the table has them. */
function listVisitEntries({ asked: { entries, visit } }: CappingRequest): VisitEntry[] {
  const { account, workflow, now, zones } = visit
  return entries.map((entry) => ({
    account,
    workflow,
    capping: entry.capping.id,
    key: entry.key,
    entry,
    sum: 0,
    after: findCappingPeriodStart(entry.capping.period, now, zones.contact),
  }))
}

function formatCappingMessage({ threshold, period: { unit, value } }: CappingEntryCount['capping']): string {
  return `${threshold} per ${value === 1 ? unit : `${value} ${unit}`} reached`
}

/** Returns true if an entry stops a visit. `earlierCount` was counted under its key by earlier visits. */
function isThresholdReached({ entry: { capping }, sum }: VisitEntry, earlierCount: number): boolean {
  const { threshold, increment } = capping
  return (
    threshold <= 0 || (increment === 0 ? sum + earlierCount >= threshold : sum + earlierCount + increment > threshold)
  )
}

/** Decides on one visit, all of its entries or none; `runningCounts` is what visits before it count. */
function decideVisit(visitEntries: readonly VisitEntry[], earlierCounts: Map<string, number>): CappedVisit | null {
  const fullEntry = visitEntries.find((visitEntry) =>
    isThresholdReached(visitEntry, earlierCounts.get(toCappingName(visitEntry)) ?? 0),
  )
  if (fullEntry) {
    const { capping } = fullEntry.entry
    return {
      type: 'capped',
      action: capping.action,
      message: formatCappingMessage(capping),
      threshold: capping.threshold,
    }
  }
  for (const visitEntry of visitEntries) {
    const name = toCappingName(visitEntry)
    earlierCounts.set(name, (earlierCounts.get(name) ?? 0) + visitEntry.entry.capping.increment)
  }
  return null
}

function buildCappingVisit(
  { draft, asked: { visit } }: CappingRequest,
  countedEntries: readonly VisitEntry[],
): CappingVisit | null {
  const cappingPositions = countedEntries.flatMap(({ entry, capping, key }) =>
    entry.capping.increment > 0 ? [[capping, key] as const] : [],
  )
  return cappingPositions.length === 0
    ? null
    : { workflow: visit.workflow, at: visit.now, owner: formatVisitId(draft.run), places: cappingPositions }
}

function buildIncrements(
  { draft, asked: { visit } }: CappingRequest,
  countedEntries: readonly VisitEntry[],
): NewCappingIncrement[] {
  const countedAt = visit.now
  return countedEntries.flatMap(
    ({ entry: { capping: entry, key }, account, workflow, capping }): NewCappingIncrement[] =>
      entry.increment === 0
        ? []
        : [
            {
              account,
              workflow,
              capping,
              key,
              at: countedAt,
              owner: formatVisitId(draft.run),
              increment: entry.increment,
              dropAt: computeDropTime(entry.period, countedAt, visit.zones.contact),
            },
          ],
  )
}

/** Sums of entries as they are stored, with their keys locked where visits are counted. */
async function readEntrySums(db: Db, entriesByVisit: readonly VisitEntry[][]): Promise<VisitEntry[][]> {
  const sums = await readCappingSums(db, entriesByVisit.flat())
  let sumIndex = 0
  return entriesByVisit.map((entryGroup) =>
    entryGroup.map((summedEntry) => ({ ...summedEntry, sum: sums[sumIndex++]! })),
  )
}

/** Evaluates whether visits would be capped now, one after the other, without counting them. */
export async function previewCappings(
  db: Db,
  requests: readonly CappingRequest[],
): Promise<(CappedVisit | UncappedVisit)[]> {
  const previewEntries = await readEntrySums(db, requests.map(listVisitEntries))
  const previewCounts = new Map<string, number>()
  return previewEntries.map(
    (previewGroup) => decideVisit(previewGroup, previewCounts) ?? { type: 'passed', places: null },
  )
}

/** Counts visits under their keys, in their order, unless that would be more than their thresholds. */
export const countVisitCappings: EffectHandlers['capping'] = async ({ tx }: RunStepTransaction, requests) => {
  const requestEntries = requests.map(listVisitEntries)
  await lockCappingKeys(tx, requestEntries.flat())
  const runningCounts = new Map<string, number>()
  const increments: NewCappingIncrement[] = []
  const visitResults = (await readEntrySums(tx, requestEntries)).map(
    (visitGroup, index): CappedVisit | UncappedVisit => {
      const cappedVisit = decideVisit(visitGroup, runningCounts)
      if (cappedVisit) return cappedVisit
      increments.push(...buildIncrements(requests[index]!, visitGroup))
      return { type: 'passed', places: buildCappingVisit(requests[index]!, visitGroup) }
    },
  )
  await addCappingIncrements(tx, increments)
  return visitResults
}

/** Takes back what nodes have counted that failed. */
export async function releaseFailedCappings(
  { tx }: RunStepTransaction,
  drafts: readonly WorkflowRunState[],
): Promise<void> {
  await revertCappingIncrements(
    tx,
    drafts.flatMap(({ run, failedCapping }) => (failedCapping ? [{ ...failedCapping, account: run.account }] : [])),
  )
}
