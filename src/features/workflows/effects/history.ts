import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import { readTypedRecords, type TypedRecord } from '../dispatch/event-records.ts'
import type { RunEventRecord, WaitCorrelation } from '../nodes/node-contract.ts'
import {
  type EffectAnswers,
  type EffectHandlers,
  loadRunContacts,
  type NodeEffectRequest,
} from '../run-stepper/effect-handlers.ts'
import type { StepContext } from '../run-stepper/node-visit.ts'
import { buildRunScope } from '../run-stepper/node-visit.ts'
import { listRunSendStamps, type StoredRun } from '../run-stepper/run.ts'
import { isFilterMatch } from '../waits/search-events.ts'

type HistoryRequest = NodeEffectRequest<'history'>

/** Events of a visit that are read together. */
const HISTORY_PAGE_SIZE = 200

/** Stored events that are asked for: of a type, about a contact, a thread or sends; about nothing: all of the account. */
interface HistoryQuery {
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
interface HistorySearch {
  nth: number
  query: HistoryQuery
  /** Id of the last event read. */
  after: string | null
}

/** Count of a visit's events. */
interface HistoryCount extends HistorySearch {
  request: HistoryRequest
  count: number
}

interface FoundEvent {
  nth: number
  id: string
}

function buildHistoryQuery({ visit, asked: effect }: HistoryRequest, now: number): HistoryQuery {
  const { event, correlation, periodMs } = effect
  return {
    account: visit.account,
    type: event.type,
    correlation,
    since: periodMs === null ? null : new Date(now - periodMs),
    contact: correlation === 'none' ? null : visit.contact,
    thread: correlation === 'thread' ? visit.stamp.thread : null,
    stamps:
      correlation === 'send'
        ? [visit.sends['']].filter((definedValue) => definedValue !== undefined)
        : listRunSendStamps(visit.sends),
  }
}

/** Nothing can be found for a run without contact that asks for its contact's, or without a send for that send's. */
function isQueryEmpty({ visit, asked: { correlation } }: HistoryRequest): boolean {
  if (correlation === 'contact') return visit.contact === null
  return correlation === 'send' && visit.sends[''] === undefined
}

/** Builds the scopes of older events among which the next matches of a search may be, one for each index by which they are found. */
function buildOlderScopes({ query, after }: HistorySearch): EventReadScope[] {
  const { account, type, correlation, contact, thread, stamps, since } = query
  const source = resolveEventSource(type)
  if (source.from === 'notices') return []
  const { channels, kinds } = source
  const pageOrder = { sort: 'asc', limit: HISTORY_PAGE_SIZE, after } as const
  const commonScope = {
    account,
    channels,
    kinds,
    since: since?.getTime(),
    isHuman: true,
    first: pageOrder,
    paths: [],
  } as const
  if (correlation === 'none') return [commonScope]
  const ofContact = contact === null ? undefined : { ...commonScope, contacts: [contact] }
  if (correlation === 'contact') return ofContact ? [ofContact] : []
  const sendScopes = stamps.length === 0 ? [] : [{ ...commonScope, stamps }]
  return correlation === 'thread' && ofContact && thread !== null
    ? [...sendScopes, { ...ofContact, thread }]
    : sendScopes
}

/** The next stored events that may count, of all searches. */
function readNextEvents(db: Db, searches: readonly HistorySearch[]): Promise<FoundEvent[]> {
  const buildSearchScopes = async () => searches.flatMap(buildOlderScopes)
  return withEventTable(
    db,
    buildSearchScopes,
    async (tx, events) => (await buildNextQuery(searches, events).execute(tx)).rows,
  )
}

/** All searches in one statement; each branch has an index of its own. */
function buildNextQuery(searches: readonly HistorySearch[], events: RawBuilder<unknown>): RawBuilder<FoundEvent> {
  const inputRows = searches.map(({ query, nth, after }) => {
    const source = resolveEventSource(query.type)
    return {
      ...query,
      nth,
      after,
      is_notice: source.from === 'notices',
      channels: source.from === 'events' ? source.channels : [],
      kinds: source.from === 'events' ? source.kinds : [],
    }
  })
  const eventCondition = sql`e.account = g.account and e.channel = any(g.channels) and e.kind = any(g.kinds) and not e.is_test
    and e.classification is null and (g.since is null or e.at >= g.since)
    and (g.after is null or (e.at, e.id) > (uuid_extract_timestamp(g.after), g.after))
    and not exists (select from unsettled_hits u where u.event = e.id)
    order by e.at, e.id limit ${HISTORY_PAGE_SIZE}`
  return sql<FoundEvent>`
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(inputRows)}::jsonb) as g (
        nth integer, account integer, correlation text, contact bigint, thread uuid, stamps uuid[], after uuid, type text,
        since timestamptz, is_notice boolean, channels text[], kinds text[]))
    select g.nth, found.id from given g cross join lateral (
      select id from (
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'contact' and e.contact = g.contact and ${eventCondition})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation in ('thread', 'send') and e.stamp = any(g.stamps) and ${eventCondition})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'thread' and e.contact = g.contact and e.thread = g.thread and ${eventCondition})
        union
        (select e.id from ${events} e where not g.is_notice and g.correlation = 'none' and ${eventCondition})
        union
        (select n.id from notices n where g.is_notice and n.account = g.account and n.type = g.type
           and (g.correlation = 'none' or g.correlation = 'contact' and n.contact = g.contact
             or g.correlation = 'thread' and n.contact is not distinct from g.contact and (n.stamp ->> 'thread')::uuid = g.thread
             or g.correlation = 'send' and n.contact is not distinct from g.contact and (n.stamp ->> 'id')::uuid = any(g.stamps))
           and (g.since is null or uuid_extract_timestamp(n.id) >= g.since)
           and (g.after is null or n.id > g.after)
         order by n.id limit ${HISTORY_PAGE_SIZE})
      ) every_one order by id limit ${HISTORY_PAGE_SIZE}) found
    order by g.nth, found.id`
}

/** Counts what passes of the events that were found for a visit. */
async function countMatchingEvents(
  { request: { draft, visit } }: HistoryCount,
  records: readonly RunEventRecord[],
  stepContext: StepContext,
): Promise<number> {
  const filter = draft.definition.filterOf(visit.node, '')
  if (!filter) return 0
  const filterResults = await Promise.all(
    records.map((record) =>
      isFilterMatch(filter, record, () => ({ ...buildRunScope(draft, stepContext), event: record })),
    ),
  )
  return filterResults.filter((isOne) => isOne).length
}

/** Maximum number of stored events of a wait that are read for a simulation. */
const MAX_STORED_EVENTS = 1000

/** The first stored events that a wait of a contact may be for, or of the whole account, between two instants (milliseconds). */
export async function readStoredWaitEvents(
  db: Db,
  {
    since,
    until,
    ...eventSelection
  }: Pick<HistoryQuery, 'account' | 'type' | 'contact'> & { since: number; until: number },
): Promise<TypedRecord[]> {
  const correlation = eventSelection.contact === null ? 'none' : 'contact'
  const query: HistoryQuery = { ...eventSelection, correlation, thread: null, stamps: [], since: new Date(since) }
  const records: TypedRecord[] = []
  for (let after: string | null = null; records.length < MAX_STORED_EVENTS; ) {
    const page: FoundEvent[] = await readNextEvents(db, [{ nth: 0, query, after }])
    const typedRecords = await readTypedRecords(
      db,
      page.map(({ id }) => id),
      [eventSelection.account],
    )
    records.push(...page.flatMap(({ id }) => typedRecords.get(id) ?? []))
    after = page.at(-1)?.id ?? null
    const lastTimestamp = records.at(-1)?.record.timestamp ?? 0
    if (page.length < HISTORY_PAGE_SIZE || lastTimestamp >= until) break
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
    const runStates = requests.map(({ draft }) => draft)
    await loadRunContacts(db, context, runStates)
    const stepContext = await context.surroundings(
      runStates.map(({ run }) => run),
      now,
    )
    const allCounts: HistoryCount[] = requests.map((request, nth) => ({
      request,
      query: buildHistoryQuery(request, now),
      nth,
      count: 0,
      after: null,
    }))
    let openSearches = allCounts.filter(({ request }) => !isQueryEmpty(request))
    while (openSearches.length > 0) {
      const foundEvents = await readNextEvents(db, openSearches)
      const accounts = [...new Set(openSearches.map(({ query }) => query.account))]
      const recordsById = await readTypedRecords(db, [...new Set(foundEvents.map(({ id }) => id))], accounts)
      const pages = Map.groupBy(foundEvents, ({ nth }) => nth)
      const continuedCounts = await Promise.all(
        openSearches.map(async (search): Promise<HistoryCount[]> => {
          const page = pages.get(search.nth) ?? []
          const pageRecords = page.flatMap(({ id }) => recordsById.get(id)?.record ?? [])
          search.count += await countMatchingEvents(search, pageRecords, stepContext)
          return page.length < HISTORY_PAGE_SIZE ? [] : [{ ...search, after: page.at(-1)!.id }]
        }),
      )
      const nextSearches = continuedCounts.flat()
      for (const search of nextSearches) allCounts[search.nth] = search
      openSearches = nextSearches
    }
    return allCounts.map(({ count }) => count)
  }
}
