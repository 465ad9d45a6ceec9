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
const LEGS = 50
/** Ids of a statement. */
const IDS = 1000

const orNull = (column: string, none: string): string => `nullIf(x.${column}, ${none}) as ${column}`
const noUuid = `toUUID('${NIL_UUID}')`

/** An event as a row of JSON: what is null in PostgreSQL is null, instants are milliseconds. */
const shownColumns = rawClickHouseSql(
  [
    'toUnixTimestamp64Milli(x.at) as at, x.account as account, x.channel as channel, x.kind as kind',
    ...[orNull('subject', '0'), orNull('contact', '0')],
    ...['stamp', 'thread', 'subscription'].map((column) => orNull(column, noUuid)),
    ...['phone', 'agent', 'classification'].map((column) => orNull(column, "''")),
    'x.title as title, x.is_test as is_test, x.depth as depth, toUnixTimestamp64Milli(x.activation_at) as activation_at, x.detail as detail',
  ].join(', '),
)

function tableOf({ contacts, stamps, subjects, channels, thread }: EventReadScope): EventStoreTableName {
  if (stamps !== undefined) return 'events_by_stamp'
  if (contacts !== undefined) return 'events_by_contact'
  if (thread !== undefined && channels?.every((channel) => channel === RCS_CHANNEL)) return 'events_by_thread'
  return chooseEventTable(subjects === undefined ? {} : { subject: 0 })
}

const optional = <T>(value: T | undefined, make: (value: T) => ClickHouseFragment): ClickHouseFragment[] =>
  value === undefined ? [] : [make(value)]

function conditionsOf(wanted: EventReadScope, until: number): ClickHouseFragment {
  const { since: start, until: end, first } = wanted
  const sign = rawClickHouseSql(first?.sort === 'desc' ? '<' : '>')
  return joinClickHouseConditions([
    accountCondition,
    ...optional(wanted.channels, (channels) => clickHouseSql`channel in ${stringArrayParam(channels)}`),
    ...optional(wanted.kinds, (kinds) => clickHouseSql`kind in ${stringArrayParam(kinds)}`),
    ...optional(wanted.subjects, (subjects) => clickHouseSql`subject in ${formatNumberList(subjects)}`),
    ...optional(wanted.contacts, (contacts) => clickHouseSql`contact in ${formatNumberList(contacts)}`),
    ...optional(wanted.stamps, (stamps) => clickHouseSql`stamp in ${formatUuidList(stamps)}`),
    ...optional(wanted.thread, (thread) => clickHouseSql`thread = ${uuidParam(thread)}`),
    ...(wanted.isHuman ? [clickHouseSql`is_test = 0 and classification = ''`] : []),
    ...buildPeriodCondition(clickHouseSql`at`, { start, end }),
    clickHouseSql`at < ${instantParam(until)}`,
    ...optional(first?.after ?? undefined, (after) => {
      const time = instantParam(parseUuidTime(after))
      return clickHouseSql`at ${sign}= ${time} and (at, id) ${sign} (${time}, ${formatEventId(after)})`
    }),
  ])
}

/** The details of a selection: with what is read of them alone. */
function detailOf(paths: readonly string[] | undefined): ClickHouseFragment {
  return paths === undefined
    ? rawClickHouseSql('detail')
    : buildDetailJson(buildDetailPathTree(paths) as DetailPathTree)
}

function legOf(wanted: EventReadScope, until: number): ClickHouseFragment {
  const { first, paths } = wanted
  const end = first
    ? clickHouseSql`order by at ${rawClickHouseSql(first.sort)}, id ${rawClickHouseSql(first.sort)} limit ${int64Param(first.limit)}`
    : rawClickHouseSql('')
  return clickHouseSql`select * replace (${detailOf(paths)} as detail) from ${rawClickHouseSql(tableOf(wanted))} where ${conditionsOf(wanted, until)} ${end}`
}

/** The events of some selections of one account before an instant, as lines of JSON, some at a time; one may come twice. */
export async function* readOlderEventLines(
  store: EventStore,
  { account, wanted, until }: { account: AccountId; wanted: readonly EventReadScope[]; until: number },
): AsyncGenerator<string[]> {
  for (let at = 0; at < wanted.length; at += LEGS) {
    const legs = wanted.slice(at, at + LEGS).map((one) => clickHouseSql`select * from (${legOf(one, until)})`)
    const statement = clickHouseSql`select ${eventIdText} as id, ${shownColumns} from (${joinClickHouseFragments(legs, ' union all ')}) x format JSONEachRow`
    yield* readStoreLines(store, { account, statement })
  }
}

/** Events of an account by their ids, of those before an instant; in no order. */
export async function readOlderEventsById(
  store: EventStore,
  { account, ids, until }: { account: AccountId; ids: readonly string[]; until: number },
): Promise<StoredEvent[]> {
  const own = ids.filter((id) => parseUuidTime(id) < until)
  const found: StoredEvent[] = []
  for (let at = 0; at < own.length; at += IDS) {
    const some = own.slice(at, at + IDS)
    const times = [...new Set(some.map(parseUuidTime))].map((time) => clickHouseSql`${instantParam(time)}`)
    const statement = clickHouseSql`
      select ${eventIdText} as id, account, channel, kind, toUnixTimestamp64Milli(x.at) as time, detail from events_by_time x
      where ${accountCondition} and x.at in (${joinClickHouseFragments(times, ', ')}) and x.id in (${joinClickHouseFragments(some.map(formatEventId), ', ')}) and x.at < ${instantParam(until)}`
    const rows = await store.rows<Omit<StoredEvent, 'at'> & { time: number }>({ account, statement })
    for (const { time, ...event } of rows) found.push({ ...event, at: new Date(time) })
  }
  return found
}
