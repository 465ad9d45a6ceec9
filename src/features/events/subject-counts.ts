import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
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

/** Expressions of a "with": `stale` quarters of counts that hold no more, and the `spans` of events that no count holds. */
export function openSpans({ account, channels }: Counted): RawBuilder<unknown> {
  return sql`
    state as materialized (select counted_until from event_counting), stale as materialized (
      select distinct start from stale_event_counts, state
      where account = ${account} and channel = any(${channels}::text[]) and start < counted_until
    ), spans as (
      select counted_until as since, timestamptz 'infinity' as until from state
      union all
      select start, least(start + ${QUARTER_MS} * interval '1 millisecond', counted_until) from stale, state
    )`
}

/** Kinds of a caller's measures, one by one. */
type Named = readonly { kind: Kind; measure: string }[]

/** Events to be counted themselves instead of kept counts: as `countsOf` takes them. */
export type Chosen = RawBuilder<unknown> | undefined

const namedKinds = (measures: Measures<string>): Named =>
  Object.entries(measures).flatMap(([measure, kinds]) => kinds.map((kind) => ({ kind, measure })))

/**
 * A "with" whose `parts` are kept counts, and the events that are in none or were changed since, to be read in one
 * statement: a quarter that is counted anew meanwhile is in neither twice. Each has the name of its `measure`.
 */
function withParts(counted: Counted, kinds: Named, chosen: Chosen): RawBuilder<unknown> {
  const named = sql`${kinds.map(({ kind }) => kind)}::text[]`
  const open = sql`spans join events e on e.at >= since and e.at < until where ${ofSubjects(sql`e`, counted)}`
  const kept = sql`
    select subject, kind, start, humans, robots, contacts from event_counts c, state
    where ${ofSubjects(sql`c`, counted)} and kind = any(${named}) and start < counted_until
      and quarter_of(start) not in (select start from stale)
    union all`
  return sql`
    with ${openSpans(counted)}, parts as (
      select subject, measure, start, humans, robots, contacts from (
        ${chosen ? sql`` : kept}
        select subject, kind, start, humans, robots, contacts from (
          ${countsOf(sql`${chosen ?? open} and e.kind = any(${named})`)}) exact) p
        join unnest(${named}, ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure) on of_kind = kind)`
}

function partsOf(counted: Counted, kinds: Named, chosen: Chosen): RawBuilder<Part> {
  return sql<Part>`${withParts(counted, kinds, chosen)}
    select subject, measure, sum(humans)::integer as humans, sum(robots)::integer as robots,
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

/** What people did in an hour, by measure; hours without anything are left out. */
export async function countHours<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
  chosen?: Chosen,
): Promise<{ at: Date; measure: Name; humans: number }[]> {
  const { rows: hours } = await sql<{ at: Date; measure: Name; humans: number }>`
    ${withParts(counted, namedKinds(measures), chosen)}
    select date_trunc('hour', start, 'UTC') as at, measure, sum(humans)::integer as humans from parts
    where humans > 0 group by 1, 2 order by 1, 2`.execute(db)
  return hours
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
