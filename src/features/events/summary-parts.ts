import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { Period } from '../../lib/period.ts'
import { QUARTER_MS } from '../../lib/spans.ts'
import { conditions, type Selection } from './filters.ts'
import type { Kind } from './kinds.ts'
import { countsOf, quarterOf } from './summary-counts.ts'

/** Buckets by the reaction's timestamp, in a zone. */
export interface Buckets {
  unit: 'hour' | 'day'
  zone: string
}

/** The events of a kind in one bucket. */
export interface Part {
  kind: Kind
  /** Start of the bucket. */
  bucket: Date
  humans: number
  robots: number
  /** The contacts of the former, six bytes each; those of every list within are different and ascend. */
  contacts: Buffer
  lists: number
}

/** A span of time in milliseconds: start inclusive, end exclusive. */
type Span = readonly [start: number, end: number]

/** What of a selection is answered by kept counts, and what by the events themselves. */
interface Plan {
  counted: Span
  /** Quarters within, by their start, that are read from the events all the same. */
  open: number[]
  exact: Span[]
}

/**
 * What a selection holds, by kind and bucket, in this order. Quarters of an hour that are wholly within its bounds, and
 * counted, are not looked at event by event. The classes of the selection are ignored.
 */
export async function* readParts(db: Db, list: Selection, { unit, zone }: Buckets): AsyncGenerator<Part> {
  const selection: Selection = { ...list, classes: 'all' }
  const plan = await planOf(db, selection)
  yield* rows<Part>(
    db,
    sql<Part>`
      with parts as (
        select kind, start, humans, robots, contacts from event_counts
        where ${ofCounts(selection, plan.counted)} and ${isWithin(selection.activation)}
          and quarter_of(start) <> all(${instants(plan.open)}::timestamptz[])
        union all
        select kind, start, humans, robots, contacts from (${countsOf(eventsOf(selection, plan.exact))}) exact)
      select kind, date_trunc(${unit}, start, ${zone}) as bucket, sum(humans)::integer as humans, sum(robots)::integer as robots,
        string_agg(contacts, '') as contacts, count(*) as lists
      from parts group by 1, 2 order by 1, 2`,
  )
}

/** Events of a selection within spans of time. */
function eventsOf(selection: Selection, spans: readonly Span[]): RawBuilder<unknown> {
  const [starts, ends] = [spans.map(([start]) => start), spans.map(([, end]) => end)]
  return sql`
    unnest(${instants(starts)}::timestamptz[], ${instants(ends)}::timestamptz[]) as span (since, until)
      join events e on e.at >= since and e.at < until
    where ${conditions(selection)} and channel = any(${selection.channels ?? []})`
}

async function planOf(db: Db, selection: Selection): Promise<Plan> {
  const { start, end } = narrowed(selection.shown, selection.period)
  const { rows: state } = await sql<{ counted: number; open: number[] }>`
    select (date_part('epoch', counted_until) * 1000)::bigint as counted, array(
        select (date_part('epoch', start) * 1000)::bigint from (${openQuarters(selection, [start, end])}) o order by 1) as open
    from event_counting`.execute(db)
  const { counted = 0, open = [] } = state[0] ?? {}
  const first = Math.ceil(start / QUARTER_MS) * QUARTER_MS
  const last = Math.min(quarterOf(end), counted)
  if (first >= last) return { counted: [start, start], open: [], exact: [[start, end]] }
  const within = open.filter((quarter) => quarter >= first && quarter < last)
  const quarters = within.map((quarter): Span => [quarter, Math.min(quarter + QUARTER_MS, last)])
  return { counted: [first, last], open: within, exact: [[start, first], ...quarters, [last, end]] }
}

/** Quarters that were changed since they were counted, or have reactions to activations on both sides of a bound. */
function openQuarters(selection: Selection, span: Span): RawBuilder<unknown> {
  const { account, channels = [], activation } = selection
  const stale = sql`
    select start from stale_event_counts where account = ${account} and channel = any(${channels})`
  if (activation?.start === undefined && activation?.end === undefined) return sql`${stale} group by 1`
  return sql`
    ${stale} union
    select quarter_of(start) from event_counts
    where ${ofCounts(selection, span)} and not ${isWithin(activation)} and ${touches(activation)}`
}

function ofCounts({ account, channels = [], subject, kinds }: Selection, [start, end]: Span): RawBuilder<unknown> {
  return sql`account = ${account} and channel = any(${channels}) and kind = any(${kinds})
    ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
    and start >= ${new Date(start)} and start < ${new Date(end)}`
}

/** Whether all activations of a row of counts are within a period. */
function isWithin(period: Period | undefined): RawBuilder<unknown> {
  const { start, end } = period ?? {}
  return sql`(${start === undefined ? sql`true` : sql`first_activation_at >= ${instant(start)}`}
    and ${end === undefined ? sql`true` : sql`last_activation_at < ${instant(end)}`})`
}

/** Whether some activation of a row of counts may be within a period. */
function touches({ start, end }: Period): RawBuilder<unknown> {
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
function narrowed(one: Period, other: Period): { start: number; end: number } {
  const start = bounded(Math.max(one.start ?? 0, other.start ?? 0))
  const end = bounded(Math.min(one.end ?? LAST_INSTANT, other.end ?? LAST_INSTANT))
  return { start, end: Math.max(start, end) }
}
