import type { AccountId } from '../../../lib/account.ts'
import type { EventReadScope, StoredEvent } from '../history/older-wanted.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import { parseUuidTime } from '../store/store-border.ts'
import { buildPeriodCondition, chooseEventTable } from './conditions.ts'
import { readStoreLines } from './lines.ts'
import { buildDetailJson, buildDetailPathTree, type DetailPathTree } from './members.ts'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  eventIdText,
  formatEventId,
  formatNumberList,
  formatUuidList,
  instantParam,
  int64Param,
  joinClickHouseConditions,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
  uuidParam,
} from './sql.ts'
import type { EventStore } from './store.ts'
import { type EventStoreTableName, NIL_UUID } from './tables.ts'

/** Selections that are read by one statement. */
const MAX_SELECTIONS = 50
/** Ids of a statement. */
const MAX_STATEMENT_IDS = 1000

const selectNullable = (column: string, emptyValue: string): string => `nullIf(x.${column}, ${emptyValue}) as ${column}`
const emptyUuid = `toUUID('${NIL_UUID}')`

/** An event as a row of JSON: what is null in PostgreSQL is null, instants are milliseconds. */
const eventColumns = rawClickHouseSql(
  [
    'toUnixTimestamp64Milli(x.at) as at, x.account as account, x.channel as channel, x.kind as kind',
    selectNullable('subject', '0'),
    selectNullable('contact', '0'),
    ...['stamp', 'thread', 'subscription'].map((column) => selectNullable(column, emptyUuid)),
    ...['phone', 'agent', 'classification'].map((column) => selectNullable(column, "''")),
    'x.title as title, x.is_test as is_test, x.depth as depth, toUnixTimestamp64Milli(x.activation_at) as activation_at, x.detail as detail',
  ].join(', '),
)

function chooseTable({ contacts, stamps, subjects, channels, thread }: EventReadScope): EventStoreTableName {
  if (stamps !== undefined) return 'events_by_stamp'
  if (contacts !== undefined) return 'events_by_contact'
  if (thread !== undefined && channels?.every((channel) => channel === RCS_CHANNEL)) return 'events_by_thread'
  return chooseEventTable(subjects === undefined ? {} : { subject: 0 })
}

const whenDefined = <T>(value: T | undefined, make: (value: T) => ClickHouseFragment): ClickHouseFragment[] =>
  value === undefined ? [] : [make(value)]

function buildConditions(readScope: EventReadScope, until: number): ClickHouseFragment {
  const { since: startTime, until: end, first } = readScope
  const comparison = rawClickHouseSql(first?.sort === 'desc' ? '<' : '>')
  return joinClickHouseConditions([
    accountCondition,
    ...whenDefined(readScope.channels, (channels) => clickHouseSql`channel in ${stringArrayParam(channels)}`),
    ...whenDefined(readScope.kinds, (kinds) => clickHouseSql`kind in ${stringArrayParam(kinds)}`),
    ...whenDefined(readScope.subjects, (subjects) => clickHouseSql`subject in ${formatNumberList(subjects)}`),
    ...whenDefined(readScope.contacts, (contacts) => clickHouseSql`contact in ${formatNumberList(contacts)}`),
    ...whenDefined(readScope.stamps, (stamps) => clickHouseSql`stamp in ${formatUuidList(stamps)}`),
    ...whenDefined(readScope.thread, (thread) => clickHouseSql`thread = ${uuidParam(thread)}`),
    ...(readScope.isHuman ? [clickHouseSql`is_test = 0 and classification = ''`] : []),
    ...buildPeriodCondition(clickHouseSql`at`, { start: startTime, end }),
    clickHouseSql`at < ${instantParam(until)}`,
    ...whenDefined(first?.after ?? undefined, (after) => {
      const afterTime = instantParam(parseUuidTime(after))
      return clickHouseSql`at ${comparison}= ${afterTime} and (at, id) ${comparison} (${afterTime}, ${formatEventId(after)})`
    }),
  ])
}

/** The details of a selection: with what is read of them alone. */
function buildDetailColumn(paths: readonly string[] | undefined): ClickHouseFragment {
  return paths === undefined
    ? rawClickHouseSql('detail')
    : buildDetailJson(buildDetailPathTree(paths) as DetailPathTree)
}

function buildSelection(readScope: EventReadScope, until: number): ClickHouseFragment {
  const { first, paths } = readScope
  const end = first
    ? clickHouseSql`order by at ${rawClickHouseSql(first.sort)}, id ${rawClickHouseSql(first.sort)} limit ${int64Param(first.limit)}`
    : rawClickHouseSql('')
  return clickHouseSql`select * replace (${buildDetailColumn(paths)} as detail) from ${rawClickHouseSql(chooseTable(readScope))} where ${buildConditions(readScope, until)} ${end}`
}

/** The events of some selections of one account before an instant, as lines of JSON, some at a time; one may come twice. */
export async function* readOlderEventLines(
  store: EventStore,
  { account, wanted: readScopes, until }: { account: AccountId; wanted: readonly EventReadScope[]; until: number },
): AsyncGenerator<string[]> {
  for (let batchStart = 0; batchStart < readScopes.length; batchStart += MAX_SELECTIONS) {
    const selectionQueries = readScopes
      .slice(batchStart, batchStart + MAX_SELECTIONS)
      .map((scope) => clickHouseSql`select * from (${buildSelection(scope, until)})`)
    const statement = clickHouseSql`select ${eventIdText} as id, ${eventColumns} from (${joinClickHouseFragments(selectionQueries, ' union all ')}) x format JSONEachRow`
    yield* readStoreLines(store, { account, statement })
  }
}

/** Events of an account by their ids, of those before an instant; in no order. */
export async function readOlderEventsById(
  store: EventStore,
  { account, ids, until }: { account: AccountId; ids: readonly string[]; until: number },
): Promise<StoredEvent[]> {
  const olderIds = ids.filter((id) => parseUuidTime(id) < until)
  const olderEvents: StoredEvent[] = []
  for (let batchStart = 0; batchStart < olderIds.length; batchStart += MAX_STATEMENT_IDS) {
    const batchIds = olderIds.slice(batchStart, batchStart + MAX_STATEMENT_IDS)
    const times = [...new Set(batchIds.map(parseUuidTime))].map((time) => clickHouseSql`${instantParam(time)}`)
    const statement = clickHouseSql`
      select ${eventIdText} as id, account, channel, kind, toUnixTimestamp64Milli(x.at) as time, detail from events_by_time x
      where ${accountCondition} and x.at in (${joinClickHouseFragments(times, ', ')}) and x.id in (${joinClickHouseFragments(batchIds.map(formatEventId), ', ')}) and x.at < ${instantParam(until)}`
    const rows = await store.rows<Omit<StoredEvent, 'at'> & { time: number }>({ account, statement })
    for (const { time, ...event } of rows) olderEvents.push({ ...event, at: new Date(time) })
  }
  return olderEvents
}
