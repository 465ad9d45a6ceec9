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

/** What of a selection is answered by kept counts, and what by the events themselves. */
interface Plan {
  counted: EventCountSpan
  /** Quarters within, by their start, that are read from the events all the same. */
  open: number[]
  exact: EventCountSpan[]
  /** Whether a store has the events before `border`. */
  isDivided: boolean
  border: number
}

/**
 * What a selection holds, by kind and bucket, in this order. Quarters of an hour that are wholly within its bounds, and
 * counted, are not looked at event by event. The classes of the selection are ignored.
 */
export async function* readBucketCounts(
  db: Db,
  list: EventSelection,
  buckets: SummaryBuckets,
): AsyncGenerator<EventBucketCounts> {
  const selection: EventSelection = { ...list, classes: 'all' }
  const store = findEventStore(db)
  if (store) yield* readDivided(db, store, selection, buckets)
  else yield* streamRows(db, sql`${partsOf(selection, await planOf(db, selection, false), buckets)} order by 1, 2`)
}

/** Parts of kept counts, and of events that are here. */
function partsOf(selection: EventSelection, plan: Plan, { unit, zone }: SummaryBuckets): RawBuilder<EventBucketCounts> {
  return sql<EventBucketCounts>`
    with parts as (
      select kind, start, humans, robots, contacts from event_counts
      where ${ofCounts(selection, plan.counted)} and ${isWithin(selection.activation)}
        and quarter_of(start) <> all(${instants(plan.open)}::timestamptz[])
      union all
      select kind, start, humans, robots, contacts from (${selectEventCounts(eventsOf(selection, plan))}) exact)
    select kind, date_trunc(${unit}, start, ${buildTimeZoneExpression(zone)}) as bucket, sum(humans)::integer as humans, sum(robots)::integer as robots,
      string_agg(contacts, '') as contacts, count(*) as lists
    from parts group by 1, 2`
}

/**
 * The same where the store has what is before a border: that is counted there. The statement that reads here says where the border is
 * in its snapshot; when it moved since the plan was made, all is read anew, before anything is given.
 */
async function* readDivided(
  db: Db,
  store: EventStore,
  selection: EventSelection,
  buckets: SummaryBuckets,
): AsyncGenerator<EventBucketCounts> {
  for (;;) {
    const plan = await planOf(db, selection, true)
    store.border = plan.border
    const spans = clipSpansBefore(plan.exact, plan.border)
    const pieces = await splitSpansIntoBuckets(db, spans, buckets)
    // The store answers before a connection is taken to read here: none is held while it works.
    const stored = await primeRowStream(readStoredBucketCounts(store, selection, { spans, pieces }))
    const here = await primeRowStream(streamRows(db, hereOf(selection, plan, buckets))).catch(async (error) => {
      await stored.end()
      throw error
    })
    try {
      const { value, done } = here.next
      if (!done && value.border > plan.border) continue
      if (!done && value.kind === null) here.next = { done: true, value: undefined }
      return yield* mergeBucketCounts(here, stored)
    } finally {
      await Promise.all([here.end(), stored.end()])
    }
  }
}

/** A part with the border in its snapshot, which comes alone where there is no part: then the kind is null. */
interface PartHere extends EventBucketCounts {
  border: number
}

const border = sql`date_part('epoch', border) * 1000`

function hereOf(selection: EventSelection, plan: Plan, buckets: SummaryBuckets): RawBuilder<PartHere> {
  return sql<PartHere>`
    select p.*, ${border} as border from event_store left join (${partsOf(selection, plan, buckets)}) p on true
    order by p.kind, p.bucket`
}

/** Events of a selection within spans of time, from the border on where there is one; each span is a lookup in the index. */
function eventsOf(selection: EventSelection, { exact, isDivided }: Plan): RawBuilder<unknown> {
  const [starts, ends] = [exact.map(([start]) => start), exact.map(([, end]) => end)]
  const since = isDivided ? sql`greatest(span.since, (select border from event_store))` : sql`span.since`
  return sql`
    unnest(${instants(starts)}::timestamptz[], ${instants(ends)}::timestamptz[]) as span (since, until)
    cross join lateral (
      select * from events where ${buildEventConditions(selection)} and channel = any(${selection.channels ?? []})
        and at >= ${since} and at < span.until offset 0) e
    where true`
}

async function planOf(db: Db, selection: EventSelection, isDivided: boolean): Promise<Plan> {
  const { start, end } = narrowed(selection.shown, selection.period)
  const { rows: state } = await sql<{ counted: number; open: number[]; border?: number | null }>`
    select (date_part('epoch', counted_until) * 1000)::bigint as counted, array(
        select (date_part('epoch', start) * 1000)::bigint from (${openQuarters(selection, [start, end])}) o order by 1) as open
        ${isDivided ? sql`, (select ${border} from event_store) as border` : sql``}
    from event_counting`.execute(db)
  const { counted = 0, open = [], border: found } = state[0] ?? {}
  const divided = { isDivided, border: found ?? Number.NEGATIVE_INFINITY }
  const first = Math.ceil(start / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  const last = Math.min(toQuarterStart(end), counted)
  if (first >= last) return { ...divided, counted: [start, start], open: [], exact: [[start, end]] }
  const within = open.filter((quarter) => quarter >= first && quarter < last)
  const quarters = within.map((quarter): EventCountSpan => [quarter, Math.min(quarter + QUARTER_HOUR_MS, last)])
  return { ...divided, counted: [first, last], open: within, exact: [[start, first], ...quarters, [last, end]] }
}

/** Quarters that were changed since they were counted, or have reactions to activations on both sides of a bound. */
function openQuarters(selection: EventSelection, span: EventCountSpan): RawBuilder<unknown> {
  const { account, channels = [], activation } = selection
  const stale = sql`
    select start from stale_event_counts where account = ${account} and channel = any(${channels})`
  if (activation?.start === undefined && activation?.end === undefined) return sql`${stale} group by 1`
  return sql`
    ${stale} union
    select quarter_of(start) from event_counts
    where ${ofCounts(selection, span)} and not ${isWithin(activation)} and ${touches(activation)}`
}

function ofCounts(
  { account, channels = [], subject, kinds }: EventSelection,
  [start, end]: EventCountSpan,
): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${channels}) and kind = any(${kinds})
    ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
    and start >= ${new Date(start)} and start < ${new Date(end)}`
}

/** Whether all activations of a row of counts are within a period. */
function isWithin(period: TimePeriod | undefined): RawBuilder<unknown> {
  const { start, end } = period ?? {}
  return sql`(${start === undefined ? sql`true` : sql`first_activation_at >= ${instant(start)}`}
    and ${end === undefined ? sql`true` : sql`last_activation_at < ${instant(end)}`})`
}

/** Whether some activation of a row of counts may be within a period. */
function touches({ start, end }: TimePeriod): RawBuilder<unknown> {
  return sql`(${start === undefined ? sql`true` : sql`last_activation_at >= ${instant(start)}`}
    and ${end === undefined ? sql`true` : sql`first_activation_at < ${instant(end)}`})`
}

const LAST_INSTANT = Date.UTC(9999, 11, 31)

/** No event is outside 1970 to 9999. */
function bounded(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_INSTANT)
}

function instant(ms: number): Date {
  return new Date(bounded(ms))
}

function instants(all: readonly number[]): Date[] {
  return all.map(instant)
}

/** What two periods have in common; 1970 to 9999 at most. */
function narrowed(one: TimePeriod, other: TimePeriod): { start: number; end: number } {
  const start = bounded(Math.max(one.start ?? 0, other.start ?? 0))
  const end = bounded(Math.min(one.end ?? LAST_INSTANT, other.end ?? LAST_INSTANT))
  return { start, end: Math.max(start, end) }
}
