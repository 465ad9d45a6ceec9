import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { Period } from '../../../lib/time/period.ts'
import type { Counts } from '../history/reactivities.ts'
import type { Kind } from '../kinds/event-kinds.ts'
import { askedParts } from './asked-counts.ts'
import {
  type Counted,
  isWholeDay,
  looseCounts,
  ofSubjects,
  openEvents,
  openSpans,
  quartersOf,
} from './counted-spans.ts'
import { askedEventsOf } from './detail-facets.ts'
import { addContacts, type ContactSet } from './summary-contacts.ts'
import { countsOf } from './summary-counts.ts'

/** Kinds that are counted together, by a name of the caller's. */
export type Measures<Name extends string> = Readonly<Record<Name, readonly Kind[]>>

interface Part {
  subject: number
  measure: string
  humans: number
  robots: number
  contacts: Buffer
}

/** Kinds of a caller's measures, one by one. */
type Named = readonly { kind: Kind; measure: string }[]

const namedKinds = (measures: Measures<string>): Named =>
  Object.entries(measures).flatMap(([measure, kinds]) => kinds.map((kind) => ({ kind, measure })))

/** How counts are read. */
interface Reading {
  /** Of messages on demand that were asked for in it, else of all. */
  asked?: Period | undefined
  /** A span of events whose quarters are read, else by the day. */
  hours?: Period | undefined
}

/** Counts that are kept by day, or quarter. */
function keptParts(counted: Counted, isNamed: RawBuilder<unknown>, hours: Period | undefined): RawBuilder<unknown> {
  const days = sql`
    select subject, kind, day as start, humans, robots, contacts from event_days c
    where ${ofSubjects(sql`c`, counted)} and facet = '' and ${isNamed} and ${isWholeDay}
    union all`
  return sql`
    ${hours ? sql`` : days}
    select subject, kind, start, humans, robots, contacts from ${looseCounts(sql`event_counts`, counted, hours && quartersOf(hours))} where ${isNamed}
    union all
    select subject, kind, start, humans, robots, contacts from (${countsOf(sql`${openEvents(counted)} and e.${isNamed}`)}) exact`
}

/** A "with" whose `parts` are kept counts, and the events that are in none or were changed since. Each has the name of its `measure`. */
function withParts(counted: Counted, kinds: Named, { asked, hours }: Reading): RawBuilder<unknown> {
  const named = sql`${kinds.map(({ kind }) => kind)}::text[]`
  const isNamed = sql`kind = any(${named})`
  const parts = asked
    ? askedParts(counted, sql`facet = '' and ${isNamed}`, { asked, rowsOf: askedEventsOf, hours })
    : keptParts(counted, isNamed, hours)
  return sql`
    with ${openSpans(counted)}, parts as (
      select subject, measure, start, humans, robots, contacts from (${parts}) p
        join unnest(${named}, ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure) on of_kind = kind)`
}

function partsOf(counted: Counted, kinds: Named, asked?: Period): RawBuilder<Part> {
  return sql<Part>`${withParts(counted, kinds, { asked })}
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
  yield* rows(db, partsOf(counted, namedKinds({ kinds })), { batch: 50 })
}

/** What people did from an instant on, by measure. */
export interface Moment<Name extends string> {
  at: Date
  measure: Name
  humans: number
}

/** What people did in a day (UTC), or in each hour of a span of events, by measure; those without anything are left out. */
export async function countMoments<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
  reading: Reading,
): Promise<Moment<Name>[]> {
  const { rows: moments } = await sql<Moment<Name>>`
    ${withParts(counted, namedKinds(measures), reading)}
    select date_trunc(${reading.hours ? 'hour' : 'day'}, start, 'UTC') as at, measure, sum(humans)::bigint as humans from parts
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
    ${withParts(counted, namedKinds(measures), {})}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots
    from parts group by 1, 2 order by 1, 2`.execute(db)
  const found = new Map<number, [string, number, number][]>()
  for (const { subject, measure, humans, robots } of totals)
    found.set(subject, [...(found.get(subject) ?? []), [measure, humans, robots]])
  return found
}

/**
 * Counts of several subjects, each for all that its measures name: a contact of several kinds is one. Proofs are left out. `asked`: of
 * messages on demand that were asked for in a period.
 */
export async function countSubjects<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
  asked?: Period,
): Promise<Map<number, Record<Name, Counts>>> {
  const found = new Map<number, Record<Name, Counts>>()
  if (counted.subjects.length === 0) return found
  const names = Object.keys(measures) as Name[]
  const none = (): Counts => ({ total: 0, contacts: 0, robots: 0 })
  const parts = partsOf(counted, namedKinds(measures), asked)
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
