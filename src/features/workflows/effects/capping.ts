import type { Db } from '../../../database/connection/connect.ts'
import { beginningOf, DAY_MS, endOf, lengthOf, type Span } from '../../../lib/time/spans.ts'
import {
  addIncrements,
  type CappingKey,
  type CappingPlaces,
  giveBack,
  lockCappings,
  type NewIncrement,
  sumsOf,
} from '../../capping/increments.ts'
import { calendarSpan } from '../../pressure/counters/periods.ts'
import type { Capped, CountedEntry, Passed } from '../counts/count-visit.ts'
import type { Performers, Request, StepTransaction } from '../stepping/effect-handlers.ts'
import { visitId } from '../stepping/run.ts'
import type { Draft } from '../stepping/run-state.ts'
import type { Wanted } from '../stepping/step-run.ts'

type CappingRequest = Request<Extract<Wanted, { kind: 'capping' }>>

/** Contacts of one key may be in different zones, and clocks of processes differ. */
const KEPT_LONGER_MS = 3 * DAY_MS
const LATEST_MS = Date.parse('9999-12-31T00:00:00Z')

/** The moment behind which increments count in a period (milliseconds). */
export function periodStart(period: Span, now: number, zone: string): number {
  const { type, unit, value } = period
  // Longer than there was time.
  if (lengthOf(period) >= now) return 0
  if (type === 'rolling' || unit === 'MILLISECOND' || unit === 'SECOND')
    return beginningOf({ ...period, type: 'rolling' }, now, zone)
  return calendarSpan({ unit, value }, { now, zone }).start - 1
}

/** When an increment counts in no period any more; later than need be. */
function dropAt(period: Span, at: number, zone: string): number {
  if (lengthOf(period) >= LATEST_MS - at) return LATEST_MS
  // No span of the calendar is longer than its rolling form.
  return Math.min(endOf({ ...period, type: 'rolling' }, at, zone) + KEPT_LONGER_MS, LATEST_MS)
}

/** One entry of one visit, with the sum that is stored for it. */
interface Asked extends CappingKey {
  entry: CountedEntry
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
    after: periodStart(entry.capping.period, now, zones.contact),
  }))
}

function messageOf({ threshold, period: { unit, value } }: CountedEntry['capping']): string {
  return `${threshold} per ${value === 1 ? unit : `${value} ${unit}`} reached`
}

/** Whether an entry stops a visit; `more` was counted under its key by visits before it. */
function isFull({ entry: { capping }, sum }: Asked, more: number): boolean {
  const { threshold, increment } = capping
  return threshold <= 0 || (increment === 0 ? sum + more >= threshold : sum + more + increment > threshold)
}

/** Decides on one visit, all of its entries or none; `counted` is what visits before it count. */
function decide(asked: readonly Asked[], counted: Map<string, number>): Capped | null {
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

function placesOf({ draft, asked: { visit } }: CappingRequest, asked: readonly Asked[]): CappingPlaces | null {
  const places = asked.flatMap(({ entry, capping, key }) =>
    entry.capping.increment > 0 ? [[capping, key] as const] : [],
  )
  return places.length === 0 ? null : { workflow: visit.workflow, at: visit.now, owner: visitId(draft.run), places }
}

function incrementsOf({ draft, asked: { visit } }: CappingRequest, asked: readonly Asked[]): NewIncrement[] {
  const at = visit.now
  return asked.flatMap(({ entry: { capping: entry, key }, account, workflow, capping }): NewIncrement[] =>
    entry.increment === 0
      ? []
      : [
          {
            ...{ account, workflow, capping, key, at, owner: visitId(draft.run), increment: entry.increment },
            dropAt: dropAt(entry.period, at, visit.zones.contact),
          },
        ],
  )
}

/** Sums of entries as they are stored, with their keys locked where visits are counted. */
async function withSums(db: Db, asked: readonly Asked[][]): Promise<Asked[][]> {
  const sums = await sumsOf(db, asked.flat())
  let place = 0
  return asked.map((own) => own.map((one) => ({ ...one, sum: sums[place++]! })))
}

/** Whether visits would be capped now, one after the other; nothing is counted. */
export async function checkCappings(db: Db, requests: readonly CappingRequest[]): Promise<(Capped | Passed)[]> {
  const asked = await withSums(db, requests.map(askedBy))
  const counted = new Map<string, number>()
  return asked.map((own) => decide(own, counted) ?? { type: 'passed', places: null })
}

/** Counts visits under their keys, in their order, unless that would be more than their thresholds. */
export const countCappings: Performers['capping'] = async ({ tx }: StepTransaction, requests) => {
  const asked = requests.map(askedBy)
  await lockCappings(tx, asked.flat())
  const counted = new Map<string, number>()
  const increments: NewIncrement[] = []
  const answers = (await withSums(tx, asked)).map((own, index): Capped | Passed => {
    const capped = decide(own, counted)
    if (capped) return capped
    increments.push(...incrementsOf(requests[index]!, own))
    return { type: 'passed', places: placesOf(requests[index]!, own) }
  })
  await addIncrements(tx, increments)
  return answers
}

/** Takes back what nodes have counted that failed. */
export async function giveBackFailed({ tx }: StepTransaction, drafts: readonly Draft[]): Promise<void> {
  await giveBack(
    tx,
    drafts.flatMap(({ run, givenBack }) => (givenBack ? [{ ...givenBack, account: run.account }] : [])),
  )
}
