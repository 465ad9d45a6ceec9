import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import type { ReactivityCounts } from '../history/reactivities.ts'
import type { EventKind } from '../kinds/event-kinds.ts'
import { selectRequestedFacets } from './asked-counts.ts'
import {
  buildOpenSpans,
  type CountedSubjects,
  isOfCountedSubjects,
  isWholeCountedDay,
  selectLooseCounts,
  selectUncountedEvents,
  toCountedQuarters,
} from './counted-spans.ts'
import { selectRequestedEvents } from './detail-facets.ts'
import { addToContactSet, type ContactSet } from './summary-contacts.ts'
import { selectEventCounts } from './summary-counts.ts'

/** Kinds that are counted together, by a name of the caller's. */
export type EventMeasures<Name extends string> = Readonly<Record<Name, readonly EventKind[]>>

interface Part {
  subject: number
  measure: string
  humans: number
  robots: number
  contacts: Buffer
}

/** Kinds of a caller's measures, one by one. */
type Named = readonly { kind: EventKind; measure: string }[]

const namedKinds = (measures: EventMeasures<string>): Named =>
  Object.entries(measures).flatMap(([measure, kinds]) => kinds.map((kind) => ({ kind, measure })))

/** How counts are read. */
interface Reading {
  /** Of messages on demand that were asked for in it, else of all. */
  asked?: TimePeriod | undefined
  /** A span of events whose quarters are read, else by the day. */
  hours?: TimePeriod | undefined
}

/** Counts that are kept by day, or quarter. */
function keptParts(
  counted: CountedSubjects,
  isNamed: RawBuilder<unknown>,
  hours: TimePeriod | undefined,
): RawBuilder<unknown> {
  const days = sql`
    select subject, kind, day as start, humans, robots, contacts from event_days c
    where ${isOfCountedSubjects(sql`c`, counted)} and facet = '' and ${isNamed} and ${isWholeCountedDay}
    union all`
  return sql`
    ${hours ? sql`` : days}
    select subject, kind, start, humans, robots, contacts from ${selectLooseCounts(sql`event_counts`, counted, hours && toCountedQuarters(hours))} where ${isNamed}
    union all
    select subject, kind, start, humans, robots, contacts from (${selectEventCounts(sql`${selectUncountedEvents(counted)} and e.${isNamed}`)}) exact`
}

/** A "with" whose `parts` are kept counts, and the events that are in none or were changed since. Each has the name of its `measure`. */
function withParts(counted: CountedSubjects, kinds: Named, { asked, hours }: Reading): RawBuilder<unknown> {
  const named = sql`${kinds.map(({ kind }) => kind)}::text[]`
  const isNamed = sql`kind = any(${named})`
  const parts = asked
    ? selectRequestedFacets(counted, sql`facet = '' and ${isNamed}`, { asked, rowsOf: selectRequestedEvents, hours })
    : keptParts(counted, isNamed, hours)
  return sql`
    with ${buildOpenSpans(counted)}, parts as (
      select subject, measure, start, humans, robots, contacts from (${parts}) p
        join unnest(${named}, ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure) on of_kind = kind)`
}

function partsOf(counted: CountedSubjects, kinds: Named, asked?: TimePeriod): RawBuilder<Part> {
  return sql<Part>`${withParts(counted, kinds, { asked })}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots,
      string_agg(contacts, '') as contacts
    from parts group by subject, measure, date_trunc('day', start) order by subject, measure`
}

/** The contacts of several subjects by events of some kinds, day by day. */
export async function* readSubjectContacts(
  db: Db,
  counted: CountedSubjects,
  kinds: readonly EventKind[],
): AsyncGenerator<Pick<Part, 'subject' | 'contacts'>> {
  yield* streamRows(db, partsOf(counted, namedKinds({ kinds })), { batch: 50 })
}

/** What people did from an instant on, by measure. */
export interface MeasureMoment<Name extends string> {
  at: Date
  measure: Name
  humans: number
}

/** What people did in a day (UTC), or in each hour of a span of events, by measure; those without anything are left out. */
export async function countMeasureMoments<Name extends string>(
  db: Db,
  counted: CountedSubjects,
  measures: EventMeasures<Name>,
  reading: Reading,
): Promise<MeasureMoment<Name>[]> {
  const { rows: moments } = await sql<MeasureMoment<Name>>`
    ${withParts(counted, namedKinds(measures), reading)}
    select date_trunc(${reading.hours ? 'hour' : 'day'}, start, 'UTC') as at, measure, sum(humans)::bigint as humans from parts
    where humans > 0 group by 1, 2 order by 1, 2`.execute(db)
  return moments
}

/** How many events several subjects have, by measure in the order of their names: people and robots. No contact is looked at. */
export async function countSubjectTotals(
  db: Db,
  counted: CountedSubjects,
  measures: EventMeasures<string>,
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
export async function countSubjectEvents<Name extends string>(
  db: Db,
  counted: CountedSubjects,
  measures: EventMeasures<Name>,
  asked?: TimePeriod,
): Promise<Map<number, Record<Name, ReactivityCounts>>> {
  const found = new Map<number, Record<Name, ReactivityCounts>>()
  if (counted.subjects.length === 0) return found
  const names = Object.keys(measures) as Name[]
  const none = (): ReactivityCounts => ({ total: 0, contacts: 0, robots: 0 })
  const parts = partsOf(counted, namedKinds(measures), asked)
  let present = ''
  let different: ContactSet = new Map()
  for await (const { subject, measure, humans, robots, contacts } of streamRows(db, parts, { batch: 50 })) {
    if (`${subject} ${measure}` !== present) different = new Map()
    present = `${subject} ${measure}`
    const own =
      found.get(subject) ?? (Object.fromEntries(names.map((name) => [name, none()])) as Record<Name, ReactivityCounts>)
    found.set(subject, own)
    const counts = own[measure as Name]
    counts.total += humans
    counts.robots += robots
    counts.contacts += addToContactSet(different, contacts)
  }
  return found
}
