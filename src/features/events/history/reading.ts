import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { parseTimePeriod, type TimePeriod } from '../../../lib/time/period.ts'
import { type EventChannel, type EventKind, isClassifiedKind, toEventType } from '../kinds/event-kinds.ts'
import { oldestVisibleInstant } from '../retention.ts'
import { type EventSelection, type HitClassFilter, humanHitsOnly, parseHitClasses } from './filters.ts'
import type { EventReading, RecordIdentity } from './readings.ts'
import type { EventList } from './scopes.ts'
import { type EventListQuery, resolveEventSubject } from './subjects.ts'

/** A request for a list of events. */
export interface EventListRequest {
  account: AccountId
  list: EventList
  /** Id in the path; '' if there is none. */
  id: string
  query: EventListQuery
}

/** A request read and checked: what to answer with, by the database's clock. */
export interface ParsedEventRequest {
  reading: EventReading
  /** Selection of the reading. */
  selection: EventSelection
  /** Milliseconds: nothing with a smaller timestamp can still appear. */
  completeUntil: number
}

/**
 * A transaction that writes events is ended 20 s after it took its timestamps. One that is committing
 * just then is not: its commit is given 5 s more.
 */
const COMMIT_LIMIT_MS = 20_000 + 5_000

const unboundedPeriod: TimePeriod = { start: undefined, end: undefined }

/** Reads a request for a list. Throws 400 for a filter that cannot be read, 404 for an unknown or foreign subject. */
export async function parseEventRequest(db: Db, request: EventListRequest): Promise<ParsedEventRequest> {
  const { list, account, id, query } = request
  const { scope } = list
  const filters = parseFilters(list, query)
  const after = parseAfter(scope.subject === 'stamp' ? undefined : query['after'])
  const [subjectSelection, { identity, now, oldest }] = await Promise.all([
    resolveEventSubject(db, scope.subject, { account, channels: scope.channels, id, query }),
    loadAccountView(db, account),
  ])
  const visiblePeriod = { start: oldest, end: now + 1 }
  const selection = {
    account,
    isReactivity: scope.view === 'reactivities',
    shown: visiblePeriod,
    ...filters,
    ...subjectSelection,
  }
  const reading = { selections: [selection], identity, sort: resolveSort(list, query), after }
  return { reading, selection, completeUntil: now - COMMIT_LIMIT_MS }
}

/** Events of one subject of a channel: the kinds wanted of it. */
export interface SubjectEventKinds {
  channel: EventChannel
  subject: number
  kinds: readonly EventKind[]
}

/**
 * Reads a request for the events of several subjects in one order, each subject once. `query` holds `start`, `end`,
 * `sort`, `classification` and `after`. Throws 400 for a filter that cannot be read.
 */
export async function parseSubjectsRequest(
  db: Db,
  { account, query }: { account: AccountId; query: EventListQuery },
  subjectScope: readonly SubjectEventKinds[],
): Promise<{ reading: EventReading; completeUntil: number }> {
  const [period, classes, after] = [parseTimePeriod(query), parseClasses(query), parseAfter(query['after'])]
  const { identity, now, oldest } = await loadAccountView(db, account)
  const selections = subjectScope.map(({ channel, subject, kinds }) => ({
    account,
    isReactivity: false,
    shown: { start: oldest, end: now + 1 },
    period,
    classes,
    channels: [channel],
    subject,
    kinds,
  }))
  const sort = query['sort'] === 'desc' ? 'desc' : 'asc'
  return { reading: { selections, identity, sort, after }, completeUntil: now - COMMIT_LIMIT_MS }
}

/** The account as records show it, the present, and from when on its events are shown: milliseconds. */
async function loadAccountView(
  db: Db,
  account: AccountId,
): Promise<{ identity: RecordIdentity; now: number; oldest: number }> {
  const { rows } = await sql<{
    agency: string
    customer: string
    now: Date
    oldest: Date
  }>`${buildPreparedPrefix('events-situation')}
    select a.agency, a.customer, date_trunc('milliseconds', clock_timestamp()) as now, ${oldestVisibleInstant} as oldest
    from accounts a where a.id = ${account}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`there is no account ${account}`)
  const identity: RecordIdentity = { type: 'customer', agency: row.agency, customer: row.customer }
  return { identity, now: row.now.getTime(), oldest: row.oldest.getTime() }
}

type EventFilters = Pick<EventSelection, 'kinds' | 'period' | 'activation' | 'classes'>

function parseFilters(list: EventList, query: EventListQuery): EventFilters {
  const { view, subject } = list.scope
  const classes = parseListClasses(list, query)
  if (view === 'reactivities') {
    const activation = parseTimePeriod(query, 'activationStart', 'activationEnd')
    return {
      kinds: list.kinds,
      classes,
      activation,
      period: parseTimePeriod(query, 'reactivityStart', 'reactivityEnd'),
    }
  }
  const period = subject === 'stamp' ? unboundedPeriod : parseTimePeriod(query)
  return { kinds: subject === 'phone' ? filterKindsByType(list.kinds, query['type']) : list.kinds, classes, period }
}

/** Both spellings of the parameter, and humans where no kind of the list has a class. */
function parseListClasses(list: EventList, query: EventListQuery): HitClassFilter {
  return list.kinds.some(isClassifiedKind) ? parseClasses(query) : humanHitsOnly
}

function parseClasses(query: EventListQuery): HitClassFilter {
  return parseHitClasses(
    [query['classification'], query['classifications']].flat().filter((text) => typeof text === 'string'),
  )
}

function filterKindsByType(kinds: readonly EventKind[], type: unknown): readonly EventKind[] {
  return type === undefined ? kinds : kinds.filter((kind) => toEventType(kind) === type)
}

function resolveSort({ scope }: EventList, query: EventListQuery): 'asc' | 'desc' {
  if (scope.subject === 'stamp') return 'asc'
  if (scope.subject === 'phone') return 'desc'
  return query['sort'] === 'desc' ? 'desc' : 'asc'
}

function parseAfter(cursorValue: unknown): string | undefined {
  if (cursorValue === undefined) return undefined
  const id = typeof cursorValue === 'string' ? parseUuid(cursorValue) : undefined
  // Its time is where the list goes on, so it must have one.
  if (id?.[14] !== '7') throw badRequestProblem('after', 'must be a cursor from a page of this list')
  return id
}
