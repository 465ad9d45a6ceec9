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
  /** Number of records. */
  count: number
  /** Id of the last one. */
  last: string | undefined
}

const NEWLINE_BYTE = 10

/** The text of a record, made of columns of the store: members are joined as text, the detail as it is stored. */
function buildRecordText({ identity }: Pick<EventReading, 'identity'>): ClickHouseFragment {
  const eventTypes = clickHouseSql`transform(kind, ${stringArrayParam(eventKindTable.map(({ kind }) => kind))}, ${stringArrayParam(eventKindTable.map(({ kind }) => toEventType(kind)))}, '')`
  return clickHouseSql`concat('{"type":"', ${eventTypes}, '","id":"', ${eventIdText}, '","timestamp":', toString(toUnixTimestamp64Milli(at)),
    ${stringParam(`,"identity":${JSON.stringify(identity)},"source":{"type":"`)}, channel, '","detail":', detail, '}}')`
}

/** Behind an event, in the order of a reading: the place of a cursor. */
function buildCursorCondition({ sort, after }: Pick<EventReading, 'sort' | 'after'>): ClickHouseFragment[] {
  if (after === undefined) return []
  const [comparison, afterTime] = [rawClickHouseSql(sort === 'asc' ? '>' : '<'), instantParam(parseUuidTime(after))]
  return [
    clickHouseSql`at ${comparison}= ${afterTime} and (at, id) ${comparison} (${afterTime}, ${formatEventId(after)})`,
  ]
}

/** Number of records to read, and the separator of the format: a line break, with or without a comma. */
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
function buildRowSource(
  reading: EventReading,
  { rows, until }: StorePageBounds,
  columns: ClickHouseFragment,
  extraConditions: readonly ClickHouseFragment[] = [],
): [ClickHouseFragment, ClickHouseFragment] {
  const order = rawClickHouseSql(`order by at ${reading.sort}, id ${reading.sort}`)
  const selectionQueries = reading.selections.map((selection) => {
    const whereClause = joinClickHouseFragments(
      [
        buildStoreConditions(selection),
        clickHouseSql`at < ${instantParam(until)}`,
        ...buildCursorCondition(reading),
        ...extraConditions,
      ],
      ' and ',
    )
    return clickHouseSql`select ${columns} from ${rawClickHouseSql(chooseEventTable(selection))} where ${whereClause} ${order} limit ${int64Param(rows)}`
  })
  const from =
    selectionQueries.length === 1
      ? selectionQueries[0]!
      : clickHouseSql`select * from (${joinClickHouseFragments(selectionQueries, ' union all ')}) ${order} limit ${int64Param(rows)}`
  return [from, order]
}

/** Returns up to `rows` records of a reading as text. The store returns them in the form they are sent. */
export async function readStoreTextPage(
  store: EventStore,
  reading: EventReading,
  bounds: StorePageBounds,
): Promise<StoreTextPage> {
  const [first] = reading.selections
  if (!first) return { text: Buffer.alloc(0), count: 0, last: undefined }
  const [from, order] = buildRowSource(reading, bounds, rawClickHouseSql('at, id, kind, channel, detail'))
  const statement = clickHouseSql`select ${buildRecordText(reading)} as record from (${from}) ${order} format CustomSeparated`
  const settings = {
    format_custom_escaping_rule: 'Raw',
    format_custom_row_after_delimiter: '',
    format_custom_row_between_delimiter: bounds.between,
  } as const
  const bytes = await buffer(await store.bytes({ account: first.account, statement, settings }))
  return parseTextPage(bytes)
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
  const phoneConditions = hasPhone ? [clickHouseSql`contact not in ${formatNumberList(contacts)}`] : []
  const [from, order] = buildRowSource(
    reading,
    bounds,
    rawClickHouseSql('at, id, kind, channel, contact, stamp, detail'),
    phoneConditions,
  )
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
  return rows.map(({ text_id: id, concealed, ...otherColumns }) => ({
    ...otherColumns,
    id,
    isConcealed: Boolean(concealed),
  }))
}

/** No record has a line break within it, and each begins with its type and its id. */
function parseTextPage(bytes: Buffer): StoreTextPage {
  const end = bytes.at(-1) === NEWLINE_BYTE ? bytes.length - 1 : bytes.length
  const recordBytes = bytes.subarray(0, end)
  if (recordBytes.length === 0) return { text: recordBytes, count: 0, last: undefined }
  let count = 1
  let recordStart = 0
  for (
    let lineEnd = recordBytes.indexOf(NEWLINE_BYTE);
    lineEnd !== -1;
    lineEnd = recordBytes.indexOf(NEWLINE_BYTE, lineEnd + 1)
  ) {
    count++
    recordStart = lineEnd + 1
  }
  const last = /"id":"([\da-f-]{36})"/.exec(recordBytes.toString('latin1', recordStart, recordStart + 100))?.[1]
  return { text: recordBytes, count, last }
}
