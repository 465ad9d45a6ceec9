import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { selectRequestedFacets } from './asked-counts.ts'
import {
  buildOpenSpans,
  type CountedSubjects,
  isOfCountedSubjects,
  isWholeCountedDay,
  selectLooseCounts,
  selectUncountedEvents,
} from './counted-spans.ts'
import { selectDetailCounts, selectEventFacets } from './detail-facets.ts'

/** Facets that events are counted by, in addition to their kind. */
const detailFacets = ['cancellation', 'bounce', 'arrival', 'link', 'device'] as const
export type DetailFacet = (typeof detailFacets)[number]

/** Events of one kind that say the same. `detail`: texts, by the facet: type; domain, verdict, cause, sync or async; arrived or lost; link; type, system, program. */
export interface DetailCount {
  subject: number
  kind: string
  facet: DetailFacet
  detail: (string | null)[]
  humans: number
  /** Contacts of refusals and links: six bytes each. */
  contacts: Buffer
}

/** The details of some subjects: of all facets unless `facets` names some; `asked`: of messages on demand that were asked for in a period. */
export async function* readDetailCounts(
  db: Db,
  countedSubjects: CountedSubjects,
  {
    facets: facetNames = detailFacets,
    asked: requestPeriod,
  }: { facets?: readonly DetailFacet[]; asked?: TimePeriod | undefined } = {},
): AsyncGenerator<DetailCount> {
  const isRequestedFacet = sql`facet = any(${facetNames}::text[])`
  const parts = requestPeriod
    ? selectRequestedFacets(countedSubjects, isRequestedFacet, { asked: requestPeriod, rowsOf: selectEventFacets })
    : sql`
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from event_days c
      where ${isOfCountedSubjects(sql`c`, countedSubjects)} and ${isRequestedFacet} and ${isWholeCountedDay}
      union all
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from ${selectLooseCounts(sql`event_details`, countedSubjects)} where ${isRequestedFacet}
      union all select subject, kind, facet, detail, humans, contacts from (${selectDetailCounts(selectEventFacets(selectUncountedEvents(countedSubjects)))}) exact`
  const detailRows = sql<Omit<DetailCount, 'detail'> & { detail: string }>`
    with ${buildOpenSpans(countedSubjects)}, parts as (${parts})
    select subject, kind, facet, detail, sum(humans)::bigint as humans, string_agg(contacts, '') as contacts
    from parts where ${isRequestedFacet}
    group by subject, kind, facet, detail order by subject, facet, detail, kind`
  for await (const { detail, ...row } of streamRows(db, detailRows, { batch: 50 }))
    yield { ...row, detail: JSON.parse(detail) }
}
