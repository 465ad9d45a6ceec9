import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { dayOf } from './day-counts.ts'
import type { Channel, Kind } from './kinds.ts'
import type { Counts } from './reactivities.ts'
import { addContacts, type ContactSet } from './summary-contacts.ts'
import { countsOf, QUARTER_MS } from './summary-counts.ts'

/** What several subjects of an account were sent by, and are counted for. */
export interface Counted {
  account: AccountId
  channels: readonly Channel[]
  subjects: readonly number[]
}

/** Kinds that are counted together, by a name of the caller's. */
export type Measures<Name extends string> = Readonly<Record<Name, readonly Kind[]>>

interface Part {
  subject: number
  measure: string
  humans: number
  robots: number
  contacts: Buffer
}

/** Condition on a table of events or counts: what is of some subjects. */
export const ofSubjects = (
  table: RawBuilder<unknown>,
  { account, channels, subjects }: Counted,
): RawBuilder<unknown> => sql`
  ${table}.account = ${account} and ${table}.channel = any(${channels}::text[]) and ${table}.subject = any(${subjects}::integer[])`

/**
 * Expressions of a "with": `stale` quarters of counts that hold no more, `stale_days` with some of them, `loose` spans whose quarters
 * no day holds, and `spans` of events that no quarter holds. What is counted is read in one statement with what is not: a quarter that
 * is counted anew meanwhile is in neither twice.
 */
export function openSpans({ account, channels }: Counted): RawBuilder<unknown> {
  return sql`
    state as materialized (
      select counted_until, least(days_until, ${dayOf(sql`counted_until`)}) as days_until from event_counting), stale as materialized (
      select distinct start from stale_event_counts, state
      where account = ${account} and channel = any(${channels}::text[]) and start < counted_until
    ), stale_days as materialized (
      select distinct ${dayOf(sql`start`)} as day from stale, state where start < days_until
    ), loose as materialized (
      select days_until as since, counted_until as until from state
      union all
      select day, day + interval '1 day' from stale_days
    ), spans as (
      select counted_until as since, timestamptz 'infinity' as until from state
      union all
      select start, least(start + ${QUARTER_MS} * interval '1 millisecond', counted_until) from stale, state
    )`
}

/** Condition on a day `c`: all its counts hold. */
export const isWholeDay = sql`c.day < (select days_until from state) and c.day not in (select day from stale_days)`

/** Counts `c` of quarters in `spans` that no day holds, and that hold themselves: each span is searched by itself, however many seem to be there. */
export const looseCounts = (
  table: RawBuilder<unknown>,
  counted: Counted,
  spans: RawBuilder<unknown> = sql`loose`,
): RawBuilder<unknown> => sql`
  ${spans} cross join lateral (
    select * from ${table} c where ${ofSubjects(sql`c`, counted)} and c.start >= loose.since and c.start < loose.until
      and quarter_of(c.start) not in (select start from stale) offset 0) c`

/** Events `e` that no count holds, with a condition. */
export const openEvents = (counted: Counted): RawBuilder<unknown> => sql`
  spans cross join lateral (
    select * from events e where ${ofSubjects(sql`e`, counted)} and e.at >= spans.since and e.at < spans.until offset 0) e where true`

/** Kinds of a caller's measures, one by one. */
type Named = readonly { kind: Kind; measure: string }[]

/** Events to be counted themselves instead of kept counts: as `countsOf` takes them. */
export type Chosen = RawBuilder<unknown> | undefined

const namedKinds = (measures: Measures<string>): Named =>
  Object.entries(measures).flatMap(([measure, kinds]) => kinds.map((kind) => ({ kind, measure })))

/** What is read: by the day, or with the quarters of each day. */
type Unit = 'day' | 'quarter'

/** A "with" whose `parts` are kept counts, and the events that are in none or were changed since. Each has the name of its `measure`. */
function withParts(
  counted: Counted,
  kinds: Named,
  { chosen, unit = 'day' }: { chosen: Chosen; unit?: Unit },
): RawBuilder<unknown> {
  const named = sql`${kinds.map(({ kind }) => kind)}::text[]`
  const open = openEvents(counted)
  const days = sql`
    select subject, kind, day as start, humans, robots, contacts from event_days c
    where ${ofSubjects(sql`c`, counted)} and facet = '' and kind = any(${named}) and ${isWholeDay}
    union all`
  const spans =
    unit === 'day'
      ? sql`loose`
      : sql`(select timestamptz '-infinity' as since, counted_until as until from state) loose`
  const quarters = sql`
    select subject, kind, start, humans, robots, contacts from ${looseCounts(sql`event_counts`, counted, spans)} where kind = any(${named})
    union all`
  const kept = unit === 'day' ? sql`${days} ${quarters}` : quarters
  return sql`
    with ${openSpans(counted)}, parts as (
      select subject, measure, start, humans, robots, contacts from (
        ${chosen ? sql`` : kept}
        select subject, kind, start, humans, robots, contacts from (
          ${countsOf(sql`${chosen ?? open} and e.kind = any(${named})`)}) exact) p
        join unnest(${named}, ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure) on of_kind = kind)`
}

function partsOf(counted: Counted, kinds: Named, chosen: Chosen): RawBuilder<Part> {
  return sql<Part>`${withParts(counted, kinds, { chosen })}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots,
      string_agg(contacts, '') as contacts
    from parts group by subject, measure, date_trunc('day', start) order by subject, measure`
}

/** The contacts of several subjects by events of some kinds, day by day. */
export async function* readContacts(
  db: Db,
  counted: Counted,
  kinds: readonly Kind[],
): AsyncGenerator<Pick<Part, 'subject' | 'contacts'>> {
  yield* rows(db, partsOf(counted, namedKinds({ kinds }), undefined), { batch: 50 })
}

/** What people did from an instant on, by measure. */
export interface Moment<Name extends string> {
  at: Date
  measure: Name
  humans: number
}

/** What people did in an hour or a day (UTC), by measure; those without anything are left out. */
export async function countMoments<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
  { unit, chosen }: { unit: 'hour' | 'day'; chosen?: Chosen },
): Promise<Moment<Name>[]> {
  const { rows: moments } = await sql<Moment<Name>>`
    ${withParts(counted, namedKinds(measures), { chosen, unit: unit === 'day' ? 'day' : 'quarter' })}
    select date_trunc(${unit}, start, 'UTC') as at, measure, sum(humans)::bigint as humans from parts
    where humans > 0 group by 1, 2 order by 1, 2`.execute(db)
  return moments
}

/** How many events several subjects have, by measure in the order of their names: people and robots. No contact is looked at. */
export async function countTotals(
  db: Db,
  counted: Counted,
  measures: Measures<string>,
): Promise<Map<number, readonly [measure: string, humans: number, robots: number][]>> {
  const { rows: totals } = await sql<{ subject: number; measure: string; humans: number; robots: number }>`
    ${withParts(counted, namedKinds(measures), { chosen: undefined })}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots
    from parts group by 1, 2 order by 1, 2`.execute(db)
  const found = new Map<number, [string, number, number][]>()
  for (const { subject, measure, humans, robots } of totals)
    found.set(subject, [...(found.get(subject) ?? []), [measure, humans, robots]])
  return found
}

/** Counts of several subjects, each for all that its measures name: a contact of several kinds is one. Proofs are left out. */
export async function countSubjects<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
  chosen?: Chosen,
): Promise<Map<number, Record<Name, Counts>>> {
  const found = new Map<number, Record<Name, Counts>>()
  if (counted.subjects.length === 0) return found
  const names = Object.keys(measures) as Name[]
  const none = (): Counts => ({ total: 0, contacts: 0, robots: 0 })
  const parts = partsOf(counted, namedKinds(measures), chosen)
  let present = ''
  let different: ContactSet = new Map()
  for await (const { subject, measure, humans, robots, contacts } of rows(db, parts, { batch: 50 })) {
    if (`${subject} ${measure}` !== present) different = new Map()
    present = `${subject} ${measure}`
    const own = found.get(subject) ?? (Object.fromEntries(names.map((name) => [name, none()])) as Record<Name, Counts>)
    found.set(subject, own)
    const counts = own[measure as Name]
    counts.total += humans
    counts.robots += robots
    counts.contacts += addContacts(different, contacts)
  }
  return found
}
