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
 * Selects what is recorded of messages on demand by day of their execution: rows of `asked_counts`. `rows`: as `selectEventFacets` and
 * `selectRequestedEvents` build them; `since`: start of the first quarter, if that is only a part of it. Events without a contact have
 * rows of their own.
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

const LAST_INSTANT_MS = Date.UTC(9999, 11, 31)

/** A period of executions: its whole days, and the days that it cuts with what it has of them, in milliseconds. */
function splitPeriodIntoDays({ start = 0, end = LAST_INSTANT_MS }: TimePeriod) {
  const [since, until] = [Math.max(0, start), Math.max(0, Math.min(end, LAST_INSTANT_MS))]
  const [first, last] = [Math.floor(since / DAY_MS), Math.floor(until / DAY_MS)]
  const partialDays = [first, last].flatMap((day, index) => {
    const [lowOffset, highOffset] = [Math.max(since - day * DAY_MS, 0), Math.min(until - day * DAY_MS, DAY_MS)]
    const isSameDay = index === 1 && last === first
    return isSameDay || lowOffset >= highOffset || (lowOffset === 0 && highOffset === DAY_MS)
      ? []
      : [{ day, low: lowOffset, high: highOffset }]
  })
  return { since, until, whole: [Math.ceil(since / DAY_MS), last] as const, cut: partialDays }
}

/** Rows `c` of asked counts as far as they are of a period, with humans, robots and contacts. `from`: behind "from"; `columns`: of `c`. */
function selectPeriodRows(
  columns: RawBuilder<unknown>,
  { from, where: rowCondition }: { from: RawBuilder<unknown>; where: RawBuilder<unknown> },
  { whole: [first, after], cut: partialDays }: ReturnType<typeof splitPeriodIntoDays>,
): RawBuilder<unknown> {
  const wholeDays = sql`
    select ${columns}, octet_length(c.moments) / 4 as humans, octet_length(c.machines) / 4 as robots, c.contacts
    from ${from} where ${rowCondition} and c.asked_day >= ${first} and c.asked_day < ${after}`
  const partialDayRows = partialDays.map(
    ({ day, low: lowOffset, high: highOffset }) => sql`
      select ${columns}, humans.after - humans.before, robots.after - robots.before,
        substr(c.contacts, 6 * humans.before + 1, 6 * (humans.after - humans.before))
      from ${from}
        cross join lateral (select c.moments || '' as moments, c.machines || '' as machines offset 0) l
        cross join lateral (select moments_before(l.moments, ${lowOffset}) as before, moments_before(l.moments, ${highOffset}) as after offset 0) humans
        cross join lateral (select moments_before(l.machines, ${lowOffset}) as before, moments_before(l.machines, ${highOffset}) as after offset 0) robots
      where ${rowCondition} and c.asked_day = ${day} and (humans.after > humans.before or robots.after > robots.before)`,
  )
  return sql.join([wholeDays, ...partialDayRows], sql` union all `)
}

/**
 * Selects what is recorded of messages requested in a period, after the expressions of `buildOpenSpans`: subject, kind, facet, detail,
 * start, humans, robots, contacts. `facetCondition`: a condition on kind and facet. Ended days are read as a whole, or quarters of
 * `hours`, a span of events. `rowsOf`: reads the events that no count includes.
 */
export function selectRequestedFacets(
  countedSubjects: CountedSubjects,
  facetCondition: RawBuilder<unknown>,
  {
    asked: requestPeriod,
    rowsOf,
    hours,
  }: { asked: TimePeriod; rowsOf: typeof selectEventFacets; hours?: TimePeriod | undefined },
): RawBuilder<unknown> {
  const requestDays = splitPeriodIntoDays(requestPeriod)
  const buildColumns = (begin: RawBuilder<unknown>) => sql`c.subject, c.kind, c.facet, c.detail, ${begin} as start`
  const dayRows = selectPeriodRows(
    buildColumns(sql`c.day`),
    {
      from: sql`asked_days c`,
      where: sql`${isOfCountedSubjects(sql`c`, countedSubjects)} and ${facetCondition} and ${isWholeCountedDay}`,
    },
    requestDays,
  )
  const quarterRows = selectPeriodRows(
    buildColumns(sql`c.start`),
    {
      from: selectLooseCounts(sql`asked_counts`, countedSubjects, hours && toCountedQuarters(hours)),
      where: facetCondition,
    },
    requestDays,
  )
  return sql`
    ${hours ? sql`` : sql`${dayRows} union all`} ${quarterRows}
    union all
    select subject, kind, facet, detail, quarter_of(at), count(*) filter (where classification is null), count(classification),
      coalesce(string_agg(substr(int8send(contact), 3), '') filter (where classification is null and contact is not null), '')
    from (${rowsOf(selectUncountedEvents(countedSubjects))}) e where ${facetCondition} and asked >= ${requestDays.since}::bigint and asked < ${requestDays.until}::bigint
    group by 1, 2, 3, 4, 5`
}
