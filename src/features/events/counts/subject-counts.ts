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

interface SubjectPart {
  subject: number
  measure: string
  humans: number
  robots: number
  contacts: Buffer
}

/** Kinds of a caller's measures, one by one. */
type MeasureKinds = readonly { kind: EventKind; measure: string }[]

const listMeasureKinds = (measures: EventMeasures<string>): MeasureKinds =>
  Object.entries(measures).flatMap(([measure, kinds]) => kinds.map((kind) => ({ kind, measure })))

/** Options of reading counts. */
interface ReadingOptions {
  /** Period in which messages on demand were requested; all if absent. */
  asked?: TimePeriod | undefined
  /** A span of events whose quarters are read, else by the day. */
  hours?: TimePeriod | undefined
}

/** Counts that are kept by day, or quarter. */
function selectStoredParts(
  countedSubjects: CountedSubjects,
  isNamedKind: RawBuilder<unknown>,
  hours: TimePeriod | undefined,
): RawBuilder<unknown> {
  const dayRows = sql`
    select subject, kind, day as start, humans, robots, contacts from event_days c
    where ${isOfCountedSubjects(sql`c`, countedSubjects)} and facet = '' and ${isNamedKind} and ${isWholeCountedDay}
    union all`
  return sql`
    ${hours ? sql`` : dayRows}
    select subject, kind, start, humans, robots, contacts from ${selectLooseCounts(sql`event_counts`, countedSubjects, hours && toCountedQuarters(hours))} where ${isNamedKind}
    union all
    select subject, kind, start, humans, robots, contacts from (${selectEventCounts(sql`${selectUncountedEvents(countedSubjects)} and e.${isNamedKind}`)}) exact`
}

/** A "with" whose `parts` are kept counts, and the events that are in none or were changed since. Each has the name of its `measure`. */
function buildPartsClause(
  countedSubjects: CountedSubjects,
  kinds: MeasureKinds,
  { asked: requestPeriod, hours }: ReadingOptions,
): RawBuilder<unknown> {
  const kindNames = sql`${kinds.map(({ kind }) => kind)}::text[]`
  const isNamedKind = sql`kind = any(${kindNames})`
  const parts = requestPeriod
    ? selectRequestedFacets(countedSubjects, sql`facet = '' and ${isNamedKind}`, {
        asked: requestPeriod,
        rowsOf: selectRequestedEvents,
        hours,
      })
    : selectStoredParts(countedSubjects, isNamedKind, hours)
  return sql`
    with ${buildOpenSpans(countedSubjects)}, parts as (
      select subject, measure, start, humans, robots, contacts from (${parts}) p
        join unnest(${kindNames}, ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure) on of_kind = kind)`
}

function selectParts(
  countedSubjects: CountedSubjects,
  kinds: MeasureKinds,
  requestPeriod?: TimePeriod,
): RawBuilder<SubjectPart> {
  return sql<SubjectPart>`${buildPartsClause(countedSubjects, kinds, { asked: requestPeriod })}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots,
      string_agg(contacts, '') as contacts
    from parts group by subject, measure, date_trunc('day', start) order by subject, measure`
}

/** The contacts of several subjects by events of some kinds, day by day. */
export async function* readSubjectContacts(
  db: Db,
  countedSubjects: CountedSubjects,
  kinds: readonly EventKind[],
): AsyncGenerator<Pick<SubjectPart, 'subject' | 'contacts'>> {
  yield* streamRows(db, selectParts(countedSubjects, listMeasureKinds({ kinds })), { batch: 50 })
}

/** Actions of people from an instant on, by measure. */
export interface MeasureMoment<Name extends string> {
  at: Date
  measure: Name
  humans: number
}

/** Counts the actions of people in a day (UTC), or in each hour of a span of events, by measure; those without any are left out. */
export async function countMeasureMoments<Name extends string>(
  db: Db,
  countedSubjects: CountedSubjects,
  measures: EventMeasures<Name>,
  reading: ReadingOptions,
): Promise<MeasureMoment<Name>[]> {
  const { rows: momentRows } = await sql<MeasureMoment<Name>>`
    ${buildPartsClause(countedSubjects, listMeasureKinds(measures), reading)}
    select date_trunc(${reading.hours ? 'hour' : 'day'}, start, 'UTC') as at, measure, sum(humans)::bigint as humans from parts
    where humans > 0 group by 1, 2 order by 1, 2`.execute(db)
  return momentRows
}

/** Counts the events of several subjects, by measure in the order of their names: people and robots. No contact is read. */
export async function countSubjectTotals(
  db: Db,
  countedSubjects: CountedSubjects,
  measures: EventMeasures<string>,
): Promise<Map<number, readonly [measure: string, humans: number, robots: number][]>> {
  const { rows: totalRows } = await sql<{ subject: number; measure: string; humans: number; robots: number }>`
    ${buildPartsClause(countedSubjects, listMeasureKinds(measures), {})}
    select subject, measure, sum(humans)::bigint as humans, sum(robots)::bigint as robots
    from parts group by 1, 2 order by 1, 2`.execute(db)
  const totalsBySubject = new Map<number, [string, number, number][]>()
  for (const { subject, measure, humans, robots } of totalRows)
    totalsBySubject.set(subject, [...(totalsBySubject.get(subject) ?? []), [measure, humans, robots]])
  return totalsBySubject
}

/**
 * Counts of several subjects, each for all that its measures name: a contact of several kinds is one. Proofs are left out. `asked`: of
 * messages on demand that were asked for in a period.
 */
export async function countSubjectEvents<Name extends string>(
  db: Db,
  countedSubjects: CountedSubjects,
  measures: EventMeasures<Name>,
  requestPeriod?: TimePeriod,
): Promise<Map<number, Record<Name, ReactivityCounts>>> {
  const countsBySubject = new Map<number, Record<Name, ReactivityCounts>>()
  if (countedSubjects.subjects.length === 0) return countsBySubject
  const names = Object.keys(measures) as Name[]
  const createEmptyCounts = (): ReactivityCounts => ({ total: 0, contacts: 0, robots: 0 })
  const parts = selectParts(countedSubjects, listMeasureKinds(measures), requestPeriod)
  let currentMeasure = ''
  let different: ContactSet = new Map()
  for await (const { subject, measure, humans, robots, contacts } of streamRows(db, parts, { batch: 50 })) {
    if (`${subject} ${measure}` !== currentMeasure) different = new Map()
    currentMeasure = `${subject} ${measure}`
    const subjectCounts =
      countsBySubject.get(subject) ??
      (Object.fromEntries(names.map((name) => [name, createEmptyCounts()])) as Record<Name, ReactivityCounts>)
    countsBySubject.set(subject, subjectCounts)
    const measureCounts = subjectCounts[measure as Name]
    measureCounts.total += humans
    measureCounts.robots += robots
    measureCounts.contacts += addToContactSet(different, contacts)
  }
  return countsBySubject
}
