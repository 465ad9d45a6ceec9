import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Db, runPreparedStatement } from '../../../database/connection/connect.ts'
import type { AnswerChunk } from '../../../lib/files/eager-stream.ts'
import { type EventStore, findEventStore } from '../columnar/store.ts'
import { type EventChannel, toEventType } from '../kinds/event-kinds.ts'
import { isBeforeStoreBorder, parseUuidTime } from '../store/store-border.ts'
import { readStoredPage } from '../store/store-pages.ts'
import { buildEventConditions, type EventSelection } from './filters.ts'
import type { EventReading, RecordIdentity, StoredEventRecord } from './readings.ts'

export type { EventReading, RecordIdentity, StoredEventRecord } from './readings.ts'

/** Text before, between and after the records of an answer, and the answer without records. */
export interface RecordFraming {
  before: string
  between: string
  after: string
  empty: string
}

export const jsonArrayFraming: RecordFraming = { before: '[', between: ',\n', after: ']', empty: '[]' }

/** One record a line. */
export const jsonLinesFraming: RecordFraming = { before: '', between: '\n', after: '\n', empty: '' }

/** Some records, in order. */
export interface EventRecordPage {
  /** Makes their text, with what stands between them. */
  text(): AnswerChunk
  /** About how long that is. */
  length: number
  count: number
  /** Id of the last record of a full page, after which others may follow. */
  last: string | undefined
  /** True if the last record came from the store, which returns many rows at once faster than a few several times. */
  isStored: boolean
}

/** The first page is small so that it arrives early; later ones aim at a length in characters, with a maximum number of rows. */
const FIRST_PAGE_ROWS = 100
const pageLimits = { here: { rows: 8000, length: 2_000_000 }, stored: { rows: 10_000, length: 3_000_000 } } as const

/** About how long a record is without its detail. */
const RECORD_FRAME_LENGTH = 200

/** Interval at which white space is sent while the database is searching. */
const KEEP_ALIVE_INTERVAL_MS = 150

/** A selection, and one of its channels: the first rows of it, in order, walk one index. */
interface SelectionLeg {
  selection: EventSelection
  channel: EventChannel | undefined
}

function buildLeg(
  { sort, after }: EventReading,
  rows: number,
  { selection, channel }: SelectionLeg,
  isDivided: boolean,
): RawBuilder<unknown> {
  const sortOrder = sql.raw(sort)
  const comparison = sql.raw(sort === 'asc' ? '>' : '<')
  const afterTime = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`(
    select id, at, kind, channel, detail from events
    where ${buildEventConditions(selection)}
      ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
      ${isDivided ? sql`and at >= (select border from event_store)` : sql``}
      ${after === undefined ? sql`` : sql`and at ${comparison}= ${afterTime} and (at, id) ${comparison} (${afterTime}, ${after})`}
    order by at ${sortOrder}, id ${sortOrder} limit ${rows})`
}

/** To plan the first page of a contact, over every partition, would take longer than to read it. */
async function readPageRows<Row>(db: Db, { selections, after }: EventReading, page: RawBuilder<Row>): Promise<Row[]> {
  const isPrepared = after === undefined && selections.every(({ contact }) => contact !== undefined)
  return isPrepared ? runPreparedStatement(db, 'events-of-contact', page) : (await page.execute(db)).rows
}

/** Records that are read here, and in the same snapshot where those begin that the store has alone. */
async function readLocalRecords(
  db: Db,
  reading: EventReading,
  rows: number,
  isDivided: boolean,
): Promise<{ records: StoredEventRecord[]; border: number }> {
  const sortOrder = sql.raw(reading.sort)
  const legs = reading.selections
    .flatMap((selection) => (selection.channels ?? [undefined]).map((channel) => ({ selection, channel })))
    .map((selectionLeg) => buildLeg(reading, rows, selectionLeg, isDivided))
  const page = sql<StoredEventRecord>`
    select id, kind, channel, detail::text as detail from (${sql.join(legs, sql` union all `)}) l
    order by at ${sortOrder}, id ${sortOrder} limit ${rows}`
  if (!isDivided) {
    return { records: await readPageRows(db, reading, page), border: Number.NEGATIVE_INFINITY }
  }
  // Ids begin with their time.
  const recordRows = await readPageRows(
    db,
    reading,
    sql<StoredEventRecord & { border: number }>`
      select p.id, p.kind, p.channel, p.detail, date_part('epoch', s.border) * 1000 as border
      from event_store s left join (${page}) p on true order by p.id ${sortOrder}`,
  )
  return {
    records: recordRows.filter(({ id }) => id !== null),
    border: recordRows[0]?.border ?? Number.NEGATIVE_INFINITY,
  }
}

/**
 * Reads up to `rows` records. They leave the database in parts: it would take twice as long to put them together. Those of before
 * the border come from the store, as text.
 */
export async function readEventRecordPage(
  db: Db,
  reading: EventReading,
  rows: number,
  between: string,
): Promise<EventRecordPage> {
  const store = findEventStore(db)
  const gathered = createPageCollector(rows, between)
  if (!store) {
    const { records } = await readLocalRecords(db, reading, rows, false)
    gathered.add(buildRecordPage(records, reading.identity, between))
  } else if (reading.sort === 'asc') await readAscendingPage({ db, store, reading, between }, gathered)
  else await readDescendingPage({ db, store, reading, between }, gathered)
  return gathered.page()
}

/** Input of reading a page. */
interface DividedReading {
  db: Db
  store: EventStore
  reading: EventReading
  between: string
}

/** First what the store has, then what is here. A border that moved meanwhile sends the reader to the store once more. */
async function readAscendingPage(
  { db, store, reading, between }: DividedReading,
  gathered: PageCollector,
): Promise<void> {
  for (;;) {
    const readPosition = { ...reading, after: gathered.last() ?? reading.after }
    const { border } = store
    if (isBeforeStoreBorder(readPosition, border)) {
      const storeBounds = { rows: gathered.left(), between, until: border }
      gathered.add(await readStorePage({ db, store, reading: readPosition, between }, storeBounds))
      if (gathered.left() === 0) return
    }
    const localPage = await readLocalRecords(
      db,
      { ...readPosition, after: gathered.last() ?? readPosition.after },
      gathered.left(),
      true,
    )
    store.border = localPage.border
    if (localPage.border > border) continue
    return gathered.add(buildRecordPage(localPage.records, reading.identity, between))
  }
}

/** First what is here, then what the store has from the border of that very snapshot down. */
async function readDescendingPage(
  { db, store, reading, between }: DividedReading,
  gathered: PageCollector,
): Promise<void> {
  let { border } = store
  if (reading.after === undefined || parseUuidTime(reading.after) >= border) {
    const localPage = await readLocalRecords(db, reading, gathered.left(), true)
    border = store.border = localPage.border
    gathered.add(buildRecordPage(localPage.records, reading.identity, between))
  }
  const readPosition = { ...reading, after: gathered.last() ?? reading.after }
  if (gathered.left() === 0 || !isBeforeStoreBorder(readPosition, border)) return
  const storeBounds = { rows: gathered.left(), between, until: border }
  gathered.add(await readStorePage({ db, store, reading: readPosition, between }, storeBounds))
}

async function readStorePage({ between, ...divided }: DividedReading, bounds: Parameters<typeof readStoredPage>[1]) {
  const storeResult = await readStoredPage(divided, bounds)
  if (Array.isArray(storeResult))
    return { ...buildRecordPage(storeResult, divided.reading.identity, between), isStored: true }
  const { text, count, last } = storeResult
  return { text: () => text, length: text.length, count, last, isStored: true }
}

type PageCollector = ReturnType<typeof createPageCollector>

/** Puts parts of a page together. */
function createPageCollector(rows: number, between: string) {
  const parts: Omit<EventRecordPage, 'last'>[] = []
  let last: string | undefined
  let count = 0
  return {
    add(part: Omit<EventRecordPage, 'last'> & { last: string | undefined }): void {
      if (part.count === 0) return
      parts.push(part)
      count += part.count
      last = part.last
    },
    left: () => rows - count,
    last: () => last,
    page(): EventRecordPage {
      const [first] = parts
      const isStored = parts.at(-1)?.isStored ?? false
      const text = (): AnswerChunk => (parts.length < 2 ? (first?.text() ?? '') : joinTexts(parts, between))
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      return { text, length, count, last: count === rows ? last : undefined, isStored }
    },
  }
}

function joinTexts(parts: readonly Pick<EventRecordPage, 'text'>[], between: string): Buffer {
  const pieces = parts.flatMap(({ text }, n) => (n === 0 ? [text()] : [between, text()]))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function buildRecordPage(records: readonly StoredEventRecord[], identity: RecordIdentity, between: string) {
  return {
    text: () => formatEventRecords(records, identity, between),
    length: records.reduce((sum, { detail }) => sum + detail.length + RECORD_FRAME_LENGTH, 0),
    count: records.length,
    last: records.at(-1)?.id,
    isStored: false,
  }
}

/**
 * Records as JSON, with `between` between them. Members are joined as text, the detail as it is stored:
 * nothing is parsed, and nothing but it can hold a character that would have to be escaped.
 */
export function formatEventRecords(
  records: readonly StoredEventRecord[],
  identity: RecordIdentity,
  between: string,
): string {
  const middle = `,"identity":${JSON.stringify(identity)},"source":{"type":"`
  let text = ''
  let separator = ''
  for (const { id, kind, channel, detail } of records) {
    text += `${separator}{"type":"${toEventType(kind)}","id":"${id}","timestamp":${parseUuidTime(id)}${middle}${channel}","detail":${detail}}}`
    separator = between
  }
  return text
}

/**
 * The text of a whole list, piece by piece. Pages are read by keyset, so that no slow reader holds a connection or a
 * snapshot; the next one is read while the last is sent. Bytes of white space go out while the database is searching.
 */
export async function* streamEventRecords(
  db: Db,
  reading: EventReading,
  framing: RecordFraming,
): AsyncGenerator<AnswerChunk> {
  const startPageRead = (after: string | undefined, rows: number): Promise<EventRecordPage> => {
    const page = readEventRecordPage(db, { ...reading, after }, rows, framing.between)
    // Its failure is handled when the page is awaited, unless the client has disconnected by then.
    page.catch(() => undefined)
    return page
  }
  let prefixText = framing.before
  let nextPage: Promise<EventRecordPage> | undefined = startPageRead(reading.after, FIRST_PAGE_ROWS)
  while (nextPage) {
    const page: EventRecordPage = yield* yieldWhileWaiting(nextPage)
    nextPage = page.last === undefined ? undefined : startPageRead(page.last, estimatePageRows(page))
    if (page.count === 0) continue
    // The statement of the next page leaves first: the database works on it meanwhile.
    await nextTurn()
    const text = page.text()
    if (typeof text === 'string') yield prefixText + text
    else {
      if (prefixText !== '') yield prefixText
      yield text
    }
    prefixText = framing.between
  }
  yield prefixText === framing.between ? framing.after : framing.empty
}

/** Estimates the number of rows of this size that reach the target length of a page. */
function estimatePageRows({ count, length, isStored }: EventRecordPage): number {
  const pageLimit = isStored ? pageLimits.stored : pageLimits.here
  return Math.max(1, Math.min(pageLimit.rows, Math.round((pageLimit.length * count) / length)))
}

async function* yieldWhileWaiting<T>(promise: Promise<T>): AsyncGenerator<string, T> {
  for (;;) {
    const raceResult = await Promise.race([
      promise.then((value) => ({ value })),
      delay(KEEP_ALIVE_INTERVAL_MS, undefined, { ref: false }),
    ])
    if (raceResult) return raceResult.value
    yield ' '
  }
}
