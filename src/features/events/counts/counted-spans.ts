import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import type { EventChannel } from '../kinds/event-kinds.ts'

/** Subjects of an account to count, and the channels they were sent by. */
export interface CountedSubjects {
  account: AccountId
  channels: readonly EventChannel[]
  subjects: readonly number[]
}

/** The day of an instant, in UTC as the counts are. */
export const truncateToUtcDay = (instant: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_trunc('day', ${instant}, 'UTC')`

/** Condition on a table of events or counts: what is of some subjects. */
export const isOfCountedSubjects = (
  table: RawBuilder<unknown>,
  { account, channels, subjects }: CountedSubjects,
): RawBuilder<unknown> => sql`
  ${table}.account = ${account} and ${table}.channel = any(${channels}::text[]) and ${table}.subject = any(${subjects}::integer[])`

/**
 * Expressions of a "with": `stale`, quarters with outdated counts; `stale_days`, days with such a quarter; `loose`, spans whose quarters
 * no day includes; `spans`, spans of events that no quarter includes. Counted and uncounted events are read in one statement, so that a
 * quarter recounted meanwhile is never counted twice. If only a store has the events of a quarter, its counts are valid until they are
 * renewed. All other uncounted events are in PostgreSQL, including those before the border: nothing is dropped before it is counted.
 */
export function buildOpenSpans({ account, channels }: CountedSubjects): RawBuilder<unknown> {
  return sql`
    state as materialized (
      select counted_until, least(days_until, ${truncateToUtcDay(sql`counted_until`)}) as days_until from event_counting), stale as materialized (
      select distinct start from stale_event_counts, state
      where account = ${account} and channel = any(${channels}::text[]) and start < counted_until
        and start >= coalesce((select dropped_until from event_store), '-infinity')
    ), stale_days as materialized (
      select distinct ${truncateToUtcDay(sql`start`)} as day from stale, state where start < days_until
    ), loose as materialized (
      select days_until as since, counted_until as until from state
      union all
      select day, day + interval '1 day' from stale_days
    ), spans as (
      select counted_until as since, timestamptz 'infinity' as until from state
      union all
      select start, least(start + ${QUARTER_HOUR_MS} * interval '1 millisecond', counted_until) from stale, state
    )`
}

/** A span of events as far as they are counted, as `selectLooseCounts` takes it. */
export function toCountedQuarters({ start, end }: TimePeriod): RawBuilder<unknown> {
  const [sinceDate, untilDate] = [start, end].map((ms) => (ms === undefined ? null : new Date(ms)))
  return sql`(
    select coalesce(${sinceDate}::timestamptz, '-infinity') as since, least(counted_until, ${untilDate}::timestamptz) as until from state) loose`
}

/** Condition on a day `c`: all its counts hold. */
export const isWholeCountedDay = sql`c.day < (select days_until from state) and c.day not in (select day from stale_days)`

/** Counts `c` of quarters in `spans` that no day holds, and that hold themselves: each span is searched by itself, however many seem to be there. */
export const selectLooseCounts = (
  table: RawBuilder<unknown>,
  countedSubjects: CountedSubjects,
  spans: RawBuilder<unknown> = sql`loose`,
): RawBuilder<unknown> => sql`
  ${spans} cross join lateral (
    select * from ${table} c where ${isOfCountedSubjects(sql`c`, countedSubjects)} and c.start >= loose.since and c.start < loose.until
      and quarter_of(c.start) not in (select start from stale) offset 0) c`

/** Events `e` that no count holds, with a condition. */
export const selectUncountedEvents = (countedSubjects: CountedSubjects): RawBuilder<unknown> => sql`
  spans cross join lateral (
    select * from events e where ${isOfCountedSubjects(sql`e`, countedSubjects)} and e.at >= spans.since and e.at < spans.until offset 0) e where true`
