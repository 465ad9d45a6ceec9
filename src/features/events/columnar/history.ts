import { buffer } from 'node:stream/consumers'
import type { EventReading } from '../history/readings.ts'
import { type EventChannel, type EventKind, eventKindTable, toEventType } from '../kinds/event-kinds.ts'
import { parseUuidTime } from '../store/store-border.ts'
import { buildStoreConditions, chooseEventTable } from './conditions.ts'
import {
  type ClickHouseFragment,
  clickHouseSql,
  eventIdText,
  formatEventId,
  formatNumberList,
  formatUuidList,
  instantParam,
  int64Param,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
  stringParam,
} from './sql.ts'
import type { EventStore } from './store.ts'

/** Records as they leave, with what stands between them. */
export interface StoreTextPage {
  text: Buffer
  /** How many they are. */
  count: number
  /** Id of the last one. */
  last: string | undefined
}

const NEWLINE = 10

/** The text of a record, made of columns of the store: members are joined as text, the detail as it is stored. */
function recordText({ identity }: Pick<EventReading, 'identity'>): ClickHouseFragment {
  const types = clickHouseSql`transform(kind, ${stringArrayParam(eventKindTable.map(({ kind }) => kind))}, ${stringArrayParam(eventKindTable.map(({ kind }) => toEventType(kind)))}, '')`
  return clickHouseSql`concat('{"type":"', ${types}, '","id":"', ${eventIdText}, '","timestamp":', toString(toUnixTimestamp64Milli(at)),
    ${stringParam(`,"identity":${JSON.stringify(identity)},"source":{"type":"`)}, channel, '","detail":', detail, '}}')`
}

/** Behind an event, in the order of a reading: the place of a cursor. */
function behind({ sort, after }: Pick<EventReading, 'sort' | 'after'>): ClickHouseFragment[] {
  if (after === undefined) return []
  const [sign, time] = [rawClickHouseSql(sort === 'asc' ? '>' : '<'), instantParam(parseUuidTime(after))]
  return [clickHouseSql`at ${sign}= ${time} and (at, id) ${sign} (${time}, ${formatEventId(after)})`]
}

/** How many records are read, with what a format puts between them: a line break, with or without a comma. */
export interface StorePageBounds {
  rows: number
  between: string
  /** Those before this instant, in milliseconds. */
  until: number
}

/** Contacts, and messages, whose events are not to be shown as the store has them. */
export interface ConcealedEvents {
  contacts: readonly number[]
  stamps: readonly string[]
}

/** The rows of a reading in its order, with the columns that it is given. */
function rowsOf(
  reading: EventReading,
  { rows, until }: StorePageBounds,
  columns: ClickHouseFragment,
  more: readonly ClickHouseFragment[] = [],
): [ClickHouseFragment, ClickHouseFragment] {
  const order = rawClickHouseSql(`order by at ${reading.sort}, id ${reading.sort}`)
  const legs = reading.selections.map((selection) => {
    const where = joinClickHouseFragments(
      [buildStoreConditions(selection), clickHouseSql`at < ${instantParam(until)}`, ...behind(reading), ...more],
      ' and ',
    )
    return clickHouseSql`select ${columns} from ${rawClickHouseSql(chooseEventTable(selection))} where ${where} ${order} limit ${int64Param(rows)}`
  })
  const from =
    legs.length === 1
      ? legs[0]!
      : clickHouseSql`select * from (${joinClickHouseFragments(legs, ' union all ')}) ${order} limit ${int64Param(rows)}`
  return [from, order]
}

/** Up to so many records of a reading as text. It leaves the store as it is sent. */
export async function readStoreTextPage(
  store: EventStore,
  reading: EventReading,
  bounds: StorePageBounds,
): Promise<StoreTextPage> {
  const [first] = reading.selections
  if (!first) return { text: Buffer.alloc(0), count: 0, last: undefined }
  const [from, order] = rowsOf(reading, bounds, rawClickHouseSql('at, id, kind, channel, detail'))
  const statement = clickHouseSql`select ${recordText(reading)} as record from (${from}) ${order} format CustomSeparated`
  const settings = {
    format_custom_escaping_rule: 'Raw',
    format_custom_row_after_delimiter: '',
    format_custom_row_between_delimiter: bounds.between,
  } as const
  const bytes = await buffer(await store.bytes({ account: first.account, statement, settings }))
  return pageOf(bytes)
}

/** The same records one by one, each with whether it is of what is concealed. A phone of such a contact finds none of them. */
export async function readStoreRecords(
  store: EventStore,
  reading: EventReading,
  bounds: StorePageBounds,
  { contacts, stamps }: ConcealedEvents,
): Promise<{ id: string; kind: EventKind; channel: EventChannel; detail: string; isConcealed: boolean }[]> {
  const [first] = reading.selections
  if (!first) return []
  const hasPhone = reading.selections.some(({ phone }) => phone !== undefined)
  const more = hasPhone ? [clickHouseSql`contact not in ${formatNumberList(contacts)}`] : []
  const [from, order] = rowsOf(reading, bounds, rawClickHouseSql('at, id, kind, channel, contact, stamp, detail'), more)
  const statement = clickHouseSql`
    select ${eventIdText} as text_id, kind, channel, detail, contact in ${formatNumberList(contacts)} or stamp in ${formatUuidList(stamps)} as concealed
    from (${from}) ${order}`
  const rows = await store.rows<{
    text_id: string
    kind: EventKind
    channel: EventChannel
    detail: string
    concealed: number
  }>({
    account: first.account,
    statement,
  })
  return rows.map(({ text_id: id, concealed, ...rest }) => ({ ...rest, id, isConcealed: Boolean(concealed) }))
}

/** No record has a line break within it, and each begins with its type and its id. */
function pageOf(bytes: Buffer): StoreTextPage {
  const end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length
  const own = bytes.subarray(0, end)
  if (own.length === 0) return { text: own, count: 0, last: undefined }
  let count = 1
  let start = 0
  for (let at = own.indexOf(NEWLINE); at !== -1; at = own.indexOf(NEWLINE, at + 1)) {
    count++
    start = at + 1
  }
  const last = /"id":"([\da-f-]{36})"/.exec(own.toString('latin1', start, start + 100))?.[1]
  return { text: own, count, last }
}
