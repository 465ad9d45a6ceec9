import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { Period } from '../../../lib/time/period.ts'
import { askedParts } from './asked-counts.ts'
import { type Counted, isWholeDay, looseCounts, ofSubjects, openEvents, openSpans } from './counted-spans.ts'
import { detailsOf, saidOf } from './detail-facets.ts'

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

/** The details of some subjects: of all facets unless `facets` names some; `asked`: of messages on demand that were asked for in a period. */
export async function* readDetails(
  db: Db,
  counted: Counted,
  { facets: named = facets, asked }: { facets?: readonly Facet[]; asked?: Period | undefined } = {},
): AsyncGenerator<DetailCount> {
  const isNamed = sql`facet = any(${named}::text[])`
  const parts = asked
    ? askedParts(counted, isNamed, { asked, rowsOf: saidOf })
    : sql`
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from event_days c
      where ${ofSubjects(sql`c`, counted)} and ${isNamed} and ${isWholeDay}
      union all
      select c.subject, c.kind, c.facet, c.detail, c.humans, c.contacts from ${looseCounts(sql`event_details`, counted)} where ${isNamed}
      union all select subject, kind, facet, detail, humans, contacts from (${detailsOf(saidOf(openEvents(counted)))}) exact`
  const found = sql<Omit<DetailCount, 'detail'> & { detail: string }>`
    with ${openSpans(counted)}, parts as (${parts})
    select subject, kind, facet, detail, sum(humans)::bigint as humans, string_agg(contacts, '') as contacts
    from parts where ${isNamed}
    group by subject, kind, facet, detail order by subject, facet, detail, kind`
  for await (const { detail, ...row } of rows(db, found, { batch: 50 })) yield { ...row, detail: JSON.parse(detail) }
}
