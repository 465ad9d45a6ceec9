import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { buildTimeZoneExpression } from '../../../database/rows/zones.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import { type EventCountSpan, readStoredBucketCounts, type StoredBucketCounts } from '../columnar/counts.ts'
import { type EventStore, findEventStore } from '../columnar/store.ts'
import { buildEventConditions, type EventSelection } from '../history/filters.ts'
import { clipSpansBefore, mergeBucketCounts, primeRowStream, splitSpansIntoBuckets } from './stored-parts.ts'
import { selectEventCounts, toQuarterStart } from './summary-counts.ts'

/** Buckets by the reaction's timestamp, in a zone. */
export interface SummaryBuckets {
  unit: 'hour' | 'day'
  zone: string
}

/** The events of a kind in one bucket; the contacts of every list within are different and ascend. */
export type EventBucketCounts = StoredBucketCounts

/** Parts of a selection: those answered by stored counts, and those read from the events. */
interface CountPlan {
  counted: EventCountSpan
  /** Quarters within, by their start, that are read from the events all the same. */
  open: number[]
  exact: EventCountSpan[]
  /** True if a store has the events before `border`. */
  isDivided: boolean
  border: number
}

/**
 * Counts the events of a selection, by kind and bucket, in this order. Counted quarters of an hour that are entirely within its bounds are
 * not read event by event. The classes of the selection are ignored.
 */
export async function* readBucketCounts(
  db: Db,
  list: EventSelection,
  buckets: SummaryBuckets,
): AsyncGenerator<EventBucketCounts> {
  const selection: EventSelection = { ...list, classes: 'all' }
  const store = findEventStore(db)
  if (store) yield* readDividedCounts(db, store, selection, buckets)
  else
    yield* streamRows(db, sql`${selectParts(selection, await loadPlan(db, selection, false), buckets)} order by 1, 2`)
}

/** Parts of kept counts, and of events that are here. */
function selectParts(
  selection: EventSelection,
  plan: CountPlan,
  { unit, zone }: SummaryBuckets,
): RawBuilder<EventBucketCounts> {
  return sql<EventBucketCounts>`
    with parts as (
      select kind, start, humans, robots, contacts from event_counts
      where ${buildCountCondition(selection, plan.counted)} and ${buildWithinCondition(selection.activation)}
        and quarter_of(start) <> all(${toDates(plan.open)}::timestamptz[])
      union all
      select kind, start, humans, robots, contacts from (${selectEventCounts(selectSpanEvents(selection, plan))}) exact)
    select kind, date_trunc(${unit}, start, ${buildTimeZoneExpression(zone)}) as bucket, sum(humans)::integer as humans, sum(robots)::integer as robots,
      string_agg(contacts, '') as contacts, count(*) as lists
    from parts group by 1, 2`
}

/**
 * Does the same if the store has the events before a border: they are counted there. The statement that reads PostgreSQL returns the
 * border in its snapshot; if the border moved since the plan was made, everything is read again before anything is returned.
 */
async function* readDividedCounts(
  db: Db,
  store: EventStore,
  selection: EventSelection,
  buckets: SummaryBuckets,
): AsyncGenerator<EventBucketCounts> {
  for (;;) {
    const plan = await loadPlan(db, selection, true)
    store.border = plan.border
    const spans = clipSpansBefore(plan.exact, plan.border)
    const bucketBoundaries = await splitSpansIntoBuckets(db, spans, buckets)
    // The store answers before a connection is taken to read here: none is held while it works.
    const storeStream = await primeRowStream(
      readStoredBucketCounts(store, selection, { spans, pieces: bucketBoundaries }),
    )
    const localStream = await primeRowStream(streamRows(db, selectLocalParts(selection, plan, buckets))).catch(
      async (error) => {
        await storeStream.end()
        throw error
      },
    )
    try {
      const { value, done } = localStream.next
      if (!done && value.border > plan.border) continue
      if (!done && value.kind === null) localStream.next = { done: true, value: undefined }
      return yield* mergeBucketCounts(localStream, storeStream)
    } finally {
      await Promise.all([localStream.end(), storeStream.end()])
    }
  }
}

/** A part with the border in its snapshot, which comes alone where there is no part: then the kind is null. */
interface LocalPart extends EventBucketCounts {
  border: number
}

const borderMs = sql`date_part('epoch', border) * 1000`

function selectLocalParts(selection: EventSelection, plan: CountPlan, buckets: SummaryBuckets): RawBuilder<LocalPart> {
  return sql<LocalPart>`
    select p.*, ${borderMs} as border from event_store left join (${selectParts(selection, plan, buckets)}) p on true
    order by p.kind, p.bucket`
}

/** Events of a selection within spans of time, from the border on where there is one; each span is a lookup in the index. */
function selectSpanEvents(selection: EventSelection, { exact, isDivided }: CountPlan): RawBuilder<unknown> {
  const [starts, ends] = [exact.map(([start]) => start), exact.map(([, end]) => end)]
  const spanStart = isDivided ? sql`greatest(span.since, (select border from event_store))` : sql`span.since`
  return sql`
    unnest(${toDates(starts)}::timestamptz[], ${toDates(ends)}::timestamptz[]) as span (since, until)
    cross join lateral (
      select * from events where ${buildEventConditions(selection)} and channel = any(${selection.channels ?? []})
        and at >= ${spanStart} and at < span.until offset 0) e
    where true`
}

async function loadPlan(db: Db, selection: EventSelection, isDivided: boolean): Promise<CountPlan> {
  const { start, end } = intersectPeriods(selection.shown, selection.period)
  const { rows: stateRows } = await sql<{ counted: number; open: number[]; border?: number | null }>`
    select (date_part('epoch', counted_until) * 1000)::bigint as counted, array(
        select (date_part('epoch', start) * 1000)::bigint from (${selectOpenQuarters(selection, [start, end])}) o order by 1) as open
        ${isDivided ? sql`, (select ${borderMs} from event_store) as border` : sql``}
    from event_counting`.execute(db)
  const { counted: countedUntil = 0, open: openStarts = [], border: borderTime } = stateRows[0] ?? {}
  const borderState = { isDivided, border: borderTime ?? Number.NEGATIVE_INFINITY }
  const firstQuarter = Math.ceil(start / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  const lastQuarter = Math.min(toQuarterStart(end), countedUntil)
  if (firstQuarter >= lastQuarter) return { ...borderState, counted: [start, start], open: [], exact: [[start, end]] }
  const openStartsWithin = openStarts.filter((quarter) => quarter >= firstQuarter && quarter < lastQuarter)
  const openSpans = openStartsWithin.map(
    (quarter): EventCountSpan => [quarter, Math.min(quarter + QUARTER_HOUR_MS, lastQuarter)],
  )
  return {
    ...borderState,
    counted: [firstQuarter, lastQuarter],
    open: openStartsWithin,
    exact: [[start, firstQuarter], ...openSpans, [lastQuarter, end]],
  }
}

/** Quarters that were changed since they were counted, or have reactions to activations on both sides of a bound. */
function selectOpenQuarters(selection: EventSelection, span: EventCountSpan): RawBuilder<unknown> {
  const { account, channels = [], activation } = selection
  const staleQuarters = sql`
    select start from stale_event_counts where account = ${account} and channel = any(${channels})`
  if (activation?.start === undefined && activation?.end === undefined) return sql`${staleQuarters} group by 1`
  return sql`
    ${staleQuarters} union
    select quarter_of(start) from event_counts
    where ${buildCountCondition(selection, span)} and not ${buildWithinCondition(activation)} and ${buildOverlapCondition(activation)}`
}

function buildCountCondition(
  { account, channels = [], subject, kinds }: EventSelection,
  [start, end]: EventCountSpan,
): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${channels}) and kind = any(${kinds})
    ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
    and start >= ${new Date(start)} and start < ${new Date(end)}`
}

/** Condition that all activations of a row of counts are within a period. */
function buildWithinCondition(period: TimePeriod | undefined): RawBuilder<unknown> {
  const { start, end } = period ?? {}
  return sql`(${start === undefined ? sql`true` : sql`first_activation_at >= ${toDate(start)}`}
    and ${end === undefined ? sql`true` : sql`last_activation_at < ${toDate(end)}`})`
}

/** Condition that some activation of a row of counts may be within a period. */
function buildOverlapCondition({ start, end }: TimePeriod): RawBuilder<unknown> {
  return sql`(${start === undefined ? sql`true` : sql`last_activation_at >= ${toDate(start)}`}
    and ${end === undefined ? sql`true` : sql`first_activation_at < ${toDate(end)}`})`
}

const LAST_INSTANT_MS = Date.UTC(9999, 11, 31)

/** No event is outside 1970 to 9999. */
function clampInstant(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_INSTANT_MS)
}

function toDate(ms: number): Date {
  return new Date(clampInstant(ms))
}

function toDates(times: readonly number[]): Date[] {
  return times.map(toDate)
}

/** Returns the intersection of two periods; at most 1970 to 9999. */
function intersectPeriods(firstPeriod: TimePeriod, secondPeriod: TimePeriod): { start: number; end: number } {
  const start = clampInstant(Math.max(firstPeriod.start ?? 0, secondPeriod.start ?? 0))
  const end = clampInstant(Math.min(firstPeriod.end ?? LAST_INSTANT_MS, secondPeriod.end ?? LAST_INSTANT_MS))
  return { start, end: Math.max(start, end) }
}
