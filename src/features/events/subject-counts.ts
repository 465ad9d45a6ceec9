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

const ofSubjects = (table: RawBuilder<unknown>, { account, channels, subjects }: Counted): RawBuilder<unknown> => sql`
  ${table}.account = ${account} and ${table}.channel = any(${channels}::text[]) and ${table}.subject = any(${subjects}::integer[])`

/**
 * Kept counts, and the events that are in none or were changed since, in one statement: a quarter that is counted anew
 * meanwhile is in neither twice.
 */
function partsOf(counted: Counted, kinds: readonly { kind: Kind; measure: string }[]): RawBuilder<Part> {
  const { account, channels } = counted
  const named = kinds.map(({ kind }) => kind)
  const events = sql`spans join events e on e.at >= since and e.at < until
    where ${ofSubjects(sql`e`, counted)} and e.kind = any(${named}::text[])`
  return sql<Part>`
    with state as materialized (select counted_until from event_counting), stale as materialized (
      select distinct start from stale_event_counts, state
      where account = ${account} and channel = any(${channels}::text[]) and start < counted_until
    ), spans as (
      select counted_until as since, timestamptz 'infinity' as until from state
      union all
      select start, least(start + ${QUARTER_MS} * interval '1 millisecond', counted_until) from stale, state
    ), parts as (
      select subject, kind, start, humans, robots, contacts from event_counts c, state
      where ${ofSubjects(sql`c`, counted)} and kind = any(${named}::text[]) and start < counted_until
        and quarter_of(start) not in (select start from stale)
      union all
      select subject, kind, start, humans, robots, contacts from (${countsOf(events)}) exact
    )
    select subject, measure, sum(humans)::integer as humans, sum(robots)::integer as robots,
      string_agg(contacts, '') as contacts
    from parts join unnest(${named}::text[], ${kinds.map(({ measure }) => measure)}::text[]) as m (of_kind, measure)
      on of_kind = kind
    group by subject, measure, date_trunc('day', start) order by subject, measure`
}

/** Counts of several subjects, each for all that its measures name: a contact of several kinds is one. Proofs are left out. */
export async function countSubjects<Name extends string>(
  db: Db,
  counted: Counted,
  measures: Measures<Name>,
): Promise<Map<number, Record<Name, Counts>>> {
  const found = new Map<number, Record<Name, Counts>>()
  if (counted.subjects.length === 0) return found
  const names = Object.keys(measures) as Name[]
  const none = (): Counts => ({ total: 0, contacts: 0, robots: 0 })
  const kinds = names.flatMap((measure) => measures[measure].map((kind) => ({ kind, measure })))
  let present = ''
  let different: ContactSet = new Map()
  for await (const { subject, measure, humans, robots, contacts } of rows(db, partsOf(counted, kinds), { batch: 50 })) {
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
