import { type RawBuilder, sql } from 'kysely'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import {
  type CountedSubjects,
  isOfCountedSubjects,
  isWholeCountedDay,
  selectLooseCounts,
  selectUncountedEvents,
  toCountedQuarters,
} from './counted-spans.ts'
import type { selectEventFacets } from './detail-facets.ts'

/**
 * What is said of messages on demand by day of their execution: rows of `asked_counts`. `rows`: as `selectEventFacets` and `selectRequestedEvents` make them; `since`: where the
 * first quarter begins, when that is a piece. Events without a contact are rows of their own.
 */
export function selectRequestedCounts(rows: RawBuilder<unknown>, since = 0): RawBuilder<unknown> {
  const contact = sql`case when facet in ('', 'link') and kind <> 'activations' then contact end`
  return sql`
    select account, channel, subject, start, asked_day, kind, facet, detail,
      coalesce(string_agg(moment, '' order by moment) filter (where classification is null), '') as moments,
      coalesce(string_agg(substr(int8send(contact), 3), '' order by moment) filter (where classification is null), '') as contacts,
      coalesce(string_agg(moment, '' order by moment) filter (where classification is not null), '') as machines
    from (
      select account, channel, subject, greatest(quarter_of(at), ${new Date(since)}) as start, (asked / ${DAY_MS}::bigint)::integer as asked_day,
        kind, facet, detail, classification, ${contact} as contact, int4send((asked % ${DAY_MS}::bigint)::integer) as moment
      from (${rows}) e where asked is not null) of_day
    group by account, channel, subject, start, asked_day, kind, facet, detail, contact is null`
}

/** Days from their quarters, rows of `asked_days`. `quarters`: as `c` behind "from", with their conditions; `day`: of a quarter. */
export function selectRequestedDays(quarters: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> {
  const key = sql`account, channel, subject, day, asked_day, kind, facet, detail`
  return sql`
    with quarters as materialized (
      select c.account, c.channel, c.subject, ${day} as day, c.asked_day, c.kind, c.facet, c.detail,
        c.moments || '' as moments, c.contacts || '' as contacts, c.machines || '' as machines
      from ${quarters}
    ), single as (
      select ${key}, contacts <> '' as has_contacts, false as is_machine, substr(moments, 4 * n + 1, 4) as moment, substr(contacts, 6 * n + 1, 6) as contact
      from quarters cross join lateral generate_series(0, octet_length(moments) / 4 - 1) n
      union all
      select ${key}, false, true, substr(machines, 4 * n + 1, 4), ''
      from quarters cross join lateral generate_series(0, octet_length(machines) / 4 - 1) n
    )
    select ${key}, coalesce(string_agg(moment, '' order by moment) filter (where not is_machine), ''),
      coalesce(string_agg(contact, '' order by moment) filter (where not is_machine), ''),
      coalesce(string_agg(moment, '' order by moment) filter (where is_machine), '')
    from single group by ${key}, has_contacts`
}

const LAST_MS = Date.UTC(9999, 11, 31)

/** A period of executions: its whole days, and the days that it cuts with what it has of them, in milliseconds. */
function daysOf({ start = 0, end = LAST_MS }: TimePeriod) {
  const [since, until] = [Math.max(0, start), Math.max(0, Math.min(end, LAST_MS))]
  const [first, last] = [Math.floor(since / DAY_MS), Math.floor(until / DAY_MS)]
  const cut = [first, last].flatMap((day, index) => {
    const [low, high] = [Math.max(since - day * DAY_MS, 0), Math.min(until - day * DAY_MS, DAY_MS)]
    const isKnown = index === 1 && last === first
    return isKnown || low >= high || (low === 0 && high === DAY_MS) ? [] : [{ day, low, high }]
  })
  return { since, until, whole: [Math.ceil(since / DAY_MS), last] as const, cut }
}

/** Rows `c` of asked counts as far as they are of a period, with humans, robots and contacts. `from`: behind "from"; `columns`: of `c`. */
function ofPeriod(
  columns: RawBuilder<unknown>,
  { from, where }: { from: RawBuilder<unknown>; where: RawBuilder<unknown> },
  { whole: [first, after], cut }: ReturnType<typeof daysOf>,
): RawBuilder<unknown> {
  const wholeDays = sql`
    select ${columns}, octet_length(c.moments) / 4 as humans, octet_length(c.machines) / 4 as robots, c.contacts
    from ${from} where ${where} and c.asked_day >= ${first} and c.asked_day < ${after}`
  const cutDays = cut.map(
    ({ day, low, high }) => sql`
      select ${columns}, humans.after - humans.before, robots.after - robots.before,
        substr(c.contacts, 6 * humans.before + 1, 6 * (humans.after - humans.before))
      from ${from}
        cross join lateral (select c.moments || '' as moments, c.machines || '' as machines offset 0) l
        cross join lateral (select moments_before(l.moments, ${low}) as before, moments_before(l.moments, ${high}) as after offset 0) humans
        cross join lateral (select moments_before(l.machines, ${low}) as before, moments_before(l.machines, ${high}) as after offset 0) robots
      where ${where} and c.asked_day = ${day} and (humans.after > humans.before or robots.after > robots.before)`,
  )
  return sql.join([wholeDays, ...cutDays], sql` union all `)
}

/**
 * What is said of messages that were asked for in a period, behind the expressions of `buildOpenSpans`: subject, kind, facet, detail, start,
 * humans, robots, contacts. `where`: on kind and facet. By days as far as they are over, or by quarters of `hours`, a span of events.
 * `rowsOf`: what is read of events that no count holds.
 */
export function selectRequestedFacets(
  counted: CountedSubjects,
  where: RawBuilder<unknown>,
  { asked, rowsOf, hours }: { asked: TimePeriod; rowsOf: typeof selectEventFacets; hours?: TimePeriod | undefined },
): RawBuilder<unknown> {
  const period = daysOf(asked)
  const columns = (begin: RawBuilder<unknown>) => sql`c.subject, c.kind, c.facet, c.detail, ${begin} as start`
  const days = ofPeriod(
    columns(sql`c.day`),
    {
      from: sql`asked_days c`,
      where: sql`${isOfCountedSubjects(sql`c`, counted)} and ${where} and ${isWholeCountedDay}`,
    },
    period,
  )
  const quarters = ofPeriod(
    columns(sql`c.start`),
    { from: selectLooseCounts(sql`asked_counts`, counted, hours && toCountedQuarters(hours)), where },
    period,
  )
  return sql`
    ${hours ? sql`` : sql`${days} union all`} ${quarters}
    union all
    select subject, kind, facet, detail, quarter_of(at), count(*) filter (where classification is null), count(classification),
      coalesce(string_agg(substr(int8send(contact), 3), '') filter (where classification is null and contact is not null), '')
    from (${rowsOf(selectUncountedEvents(counted))}) e where ${where} and asked >= ${period.since}::bigint and asked < ${period.until}::bigint
    group by 1, 2, 3, 4, 5`
}
