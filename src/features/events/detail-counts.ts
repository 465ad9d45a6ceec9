import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import { detailsOf } from './detail-facets.ts'
import { type Counted, ofSubjects, openSpans } from './subject-counts.ts'

/** What events are counted by beside their kind. */
export type Facet = 'cancellation' | 'bounce' | 'link' | 'device'

/** Events of one kind that say the same. `detail`: texts, by the facet: type; domain, verdict, cause, sync or async; link; type, system, program. */
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
  {
    facets: wanted = null,
    events,
  }: { facets?: readonly Facet[] | null; events?: RawBuilder<unknown> | undefined } = {},
): AsyncGenerator<DetailCount> {
  const open = sql`spans join events e on e.at >= since and e.at < until where ${ofSubjects(sql`e`, counted)}`
  const parts = events
    ? sql`parts as (select * from (${detailsOf(events)}) exact)`
    : sql`${openSpans(counted)}, parts as (
      select c.* from event_details c, state
      where ${ofSubjects(sql`c`, counted)} and start < counted_until and quarter_of(start) not in (select start from stale)
      union all select * from (${detailsOf(open)}) exact)`
  const found = sql<Omit<DetailCount, 'detail'> & { detail: string }>`
    with ${parts}
    select subject, kind, facet, detail, sum(humans)::integer as humans, string_agg(contacts, '') as contacts
    from parts where ${wanted}::text[] is null or facet = any(${wanted}::text[])
    group by subject, kind, facet, detail order by subject, facet, detail, kind`
  for await (const { detail, ...row } of rows(db, found, { batch: 50 })) yield { ...row, detail: JSON.parse(detail) }
}
