import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import { detailsOf } from './detail-facets.ts'
import { type Counted, isWholeDay, looseCounts, ofSubjects, openEvents, openSpans } from './subject-counts.ts'

/** What events are counted by beside their kind. */
const facets = ['cancellation', 'bounce', 'arrival', 'link', 'device'] as const
export type Facet = (typeof facets)[number]

/** Events of one kind that say the same. `detail`: texts, by the facet: type; domain, verdict, cause, sync or async; arrived or lost; link; type, system, program. */
export interface DetailCount {
  subject: number
  kind: string
  facet: Facet
  detail: (string | null)[]
  humans: number
  /** Of refusals and links: six bytes each. */
  contacts: Buffer
}

/** The details of some subjects: of all facets unless `facets` names some. `events`: of these alone, as `detailsOf` takes them. */
export async function* readDetails(
  db: Db,
  counted: Counted,
  { facets: named = facets, events }: { facets?: readonly Facet[]; events?: RawBuilder<unknown> | undefined } = {},
): AsyncGenerator<DetailCount> {
  const open = openEvents(counted)
  const parts = events
    ? sql`parts as (select * from (${detailsOf(events)}) exact)`
    : sql`${openSpans(counted)}, parts as (
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from event_days c
      where ${ofSubjects(sql`c`, counted)} and c.facet = any(${named}::text[]) and ${isWholeDay}
      union all
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from ${looseCounts(sql`event_details`, counted)} where c.facet = any(${named}::text[])
      union all select subject, kind, facet, detail, humans, contacts from (${detailsOf(open)}) exact)`
  const found = sql<Omit<DetailCount, 'detail'> & { detail: string }>`
    with ${parts}
    select subject, kind, facet, detail, sum(humans)::bigint as humans, string_agg(contacts, '') as contacts
    from parts where facet = any(${named}::text[])
    group by subject, kind, facet, detail order by subject, facet, detail, kind`
  for await (const { detail, ...row } of rows(db, found, { batch: 50 })) yield { ...row, detail: JSON.parse(detail) }
}
