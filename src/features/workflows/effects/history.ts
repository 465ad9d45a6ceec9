import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import {
  type EffectAnswers,
  type EffectHandlers,
  loadRunContacts,
  type NodeEffectRequest,
} from '../stepping/effect-handlers.ts'
import { readTypedRecords, type TypedRecord } from '../stepping/records.ts'
import { listRunSendStamps, type StoredRun } from '../stepping/run.ts'
import type { RunEventRecord, WaitCorrelation } from '../stepping/step.ts'
import type { StepContext } from '../stepping/visits.ts'
import { buildRunScope } from '../stepping/visits.ts'
import { isFilterMatch } from '../waits/search-events.ts'

type HistoryRequest = NodeEffectRequest<'history'>

/** Events of a visit that are read together. */
const PAGE = 200

/** Stored events that are asked for: of a type, about a contact, a thread or sends; about nothing: all of the account. */
interface Query {
  account: AccountId
  type: string
  correlation: WaitCorrelation
  contact: number | null
  thread: string | null
  stamps: readonly string[]
  /** Not before. */
  since: Date | null
}

/** A query, and how far it has come. */
interface Search {
  nth: number
  query: Query
  /** Id of the last event read. */
  after: string | null
}

/** What is counted for a visit. */
interface Counting extends Search {
  request: HistoryRequest
  count: number
}

interface Found {
  nth: number
  id: string
}

function queryOf({ visit, asked }: HistoryRequest, now: number): Query {
  const { event, correlation, periodMs } = asked
  return {
    account: visit.account,
    type: event.type,
    correlation,
    since: periodMs === null ? null : new Date(now - periodMs),
    contact: correlation === 'none' ? null : visit.contact,
    thread: correlation === 'thread' ? visit.stamp.thread : null,
    stamps:
      correlation === 'send' ? [visit.sends['']].filter((one) => one !== undefined) : listRunSendStamps(visit.sends),
  }
}

/** Nothing can be found for a run without contact that asks for its contact's, or without a send for that send's. */
function isEmpty({ visit, asked: { correlation } }: HistoryRequest): boolean {
  if (correlation === 'contact') return visit.contact === null
  return correlation === 'send' && visit.sends[''] === undefined
}

/** Which older events the next ones of a search may be among, for each index by which they are found. */
function olderOf({ query, after }: Search): EventReadScope[] {
  const { account, type, correlation, contact, thread, stamps, since } = query
  const source = resolveEventSource(type)
  if (source.from === 'notices') return []
  const { channels, kinds } = source
  const first = { sort: 'asc', limit: PAGE, after } as const
  const common = { account, channels, kinds, since: since?.getTime(), isHuman: true, first, paths: [] } as const
  if (correlation === 'none') return [common]
  const ofContact = contact === null ? undefined : { ...common, contacts: [contact] }
  if (correlation === 'contact') return ofContact ? [ofContact] : []
  const ofSends = stamps.length === 0 ? [] : [{ ...common, stamps }]
  return correlation === 'thread' && ofContact && thread !== null ? [...ofSends, { ...ofContact, thread }] : ofSends
}

/** The next stored events that may count, of all searches. */
function nextEvents(db: Db, searches: readonly Search[]): Promise<Found[]> {
  const wanted = async () => searches.flatMap(olderOf)
  return withEventTable(db, wanted, async (tx, events) => (await nextQuery(searches, events).execute(tx)).rows)
}

/** All searches in one statement; each branch has an index of its own. */
function nextQuery(searches: readonly Search[], events: RawBuilder<unknown>): RawBuilder<Found> {
  const given = searches.map(({ query, nth, after }) => {
    const source = resolveEventSource(query.type)
    return {
      ...{ ...query, nth, after },
      is_notice: source.from === 'notices',
      channels: source.from === 'events' ? source.channels : [],
      kinds: source.from === 'events' ? source.kinds : [],
    }
  })
  const wanted = sql`e.account = g.account and e.channel = any(g.channels) and e.kind = any(g.kinds) and not e.is_test
    and e.classification is null and (g.since is null or e.at >= g.since)
    and (g.after is null or (e.at, e.id) > (uuid_extract_timestamp(g.after), g.after))
    and not exists (select from unsettled_hits u where u.event = e.id)
    order by e.at, e.id limit ${PAGE}`
  return sql<Found>`
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(given)}::jsonb) as g (
        nth integer, account integer, correlation text, contact bigint, thread uuid, stamps uuid[], after uuid, type text,
        since timestamptz, is_notice boolean, channels text[], kinds text[]))
    select g.nth, found.id from given g cross join lateral (
      select id from (
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'contact' and e.contact = g.contact and ${wanted})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation in ('thread', 'send') and e.stamp = any(g.stamps) and ${wanted})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'thread' and e.contact = g.contact and e.thread = g.thread and ${wanted})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'none' and ${wanted})
        union
        (select n.id from notices n where g.is_notice and n.account = g.account and n.type = g.type
           and (g.correlation = 'none' or g.correlation = 'contact' and n.contact = g.contact
             or g.correlation = 'thread' and n.contact is not distinct from g.contact and (n.stamp ->> 'thread')::uuid = g.thread
             or g.correlation = 'send' and n.contact is not distinct from g.contact and (n.stamp ->> 'id')::uuid = any(g.stamps))
           and (g.since is null or uuid_extract_timestamp(n.id) >= g.since)
           and (g.after is null or n.id > g.after)
         order by n.id limit ${PAGE})
      ) every_one order by id limit ${PAGE}) found
    order by g.nth, found.id`
}

/** Counts what passes of the events that were found for a visit. */
async function countPassing(
  { request: { draft, visit } }: Counting,
  records: readonly RunEventRecord[],
  around: StepContext,
): Promise<number> {
  const filter = draft.definition.filterOf(visit.node, '')
  if (!filter) return 0
  const passed = await Promise.all(
    records.map((record) => isFilterMatch(filter, record, () => ({ ...buildRunScope(draft, around), event: record }))),
  )
  return passed.filter((isOne) => isOne).length
}

/** At most so many stored events of a wait are read for a simulation. */
const MAX_STORED = 1000

/** The first stored events that a wait of a contact may be for, or of the whole account, between two instants (milliseconds). */
export async function readStoredWaitEvents(
  db: Db,
  { since, until, ...asked }: Pick<Query, 'account' | 'type' | 'contact'> & { since: number; until: number },
): Promise<TypedRecord[]> {
  const correlation = asked.contact === null ? 'none' : 'contact'
  const query: Query = { ...asked, correlation, thread: null, stamps: [], since: new Date(since) }
  const records: TypedRecord[] = []
  for (let after: string | null = null; records.length < MAX_STORED; ) {
    const page: Found[] = await nextEvents(db, [{ nth: 0, query, after }])
    const found = await readTypedRecords(
      db,
      page.map(({ id }) => id),
      [asked.account],
    )
    records.push(...page.flatMap(({ id }) => found.get(id) ?? []))
    after = page.at(-1)?.id ?? null
    const last = records.at(-1)?.record.timestamp ?? 0
    if (page.length < PAGE || last >= until) break
  }
  return records.filter(({ record }) => record.timestamp < until)
}

export interface EventHistoryContext {
  contact: EffectHandlers['contact']
  surroundings(runs: readonly StoredRun[], now: number): Promise<StepContext>
}

/** Counts stored events for visits, page by page, all visits together. A condition that fails does not count. */
export function createHistoryHandler(context: EventHistoryContext): NonNullable<EffectHandlers['reads']['history']> {
  return async (db, requests, now): EffectAnswers => {
    const drafts = requests.map(({ draft }) => draft)
    await loadRunContacts(db, context, drafts)
    const around = await context.surroundings(
      drafts.map(({ run }) => run),
      now,
    )
    const all: Counting[] = requests.map((request, nth) => ({
      ...{ request, query: queryOf(request, now), nth, count: 0, after: null },
    }))
    let open = all.filter(({ request }) => !isEmpty(request))
    while (open.length > 0) {
      const found = await nextEvents(db, open)
      const accounts = [...new Set(open.map(({ query }) => query.account))]
      const records = await readTypedRecords(db, [...new Set(found.map(({ id }) => id))], accounts)
      const pages = Map.groupBy(found, ({ nth }) => nth)
      const counted = await Promise.all(
        open.map(async (search): Promise<Counting[]> => {
          const page = pages.get(search.nth) ?? []
          const own = page.flatMap(({ id }) => records.get(id)?.record ?? [])
          search.count += await countPassing(search, own, around)
          return page.length < PAGE ? [] : [{ ...search, after: page.at(-1)!.id }]
        }),
      )
      const next = counted.flat()
      for (const search of next) all[search.nth] = search
      open = next
    }
    return all.map(({ count }) => count)
  }
}
