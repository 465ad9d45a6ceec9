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

/** What stands before, between and after the records of an answer, and what it is without any. */
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
  /** Whether the last of them came from the store, which gives many at a time sooner than few several times. */
  isStored: boolean
}

/** The first page is small so that it comes soon; later ones aim at a length in characters, and hold so many at most. */
const FIRST_ROWS = 100
const pages = { here: { rows: 8000, length: 2_000_000 }, stored: { rows: 10_000, length: 3_000_000 } } as const

/** About how long a record is without its detail. */
const FRAME_LENGTH = 200

/** How often white space is sent while the database is searching. */
const KEEP_ALIVE_MS = 150

/** A selection, and one of its channels: the first rows of it, in order, walk one index. */
interface Leg {
  selection: EventSelection
  channel: EventChannel | undefined
}

function leg(
  { sort, after }: EventReading,
  rows: number,
  { selection, channel }: Leg,
  isDivided: boolean,
): RawBuilder<unknown> {
  const order = sql.raw(sort)
  const beyond = sql.raw(sort === 'asc' ? '>' : '<')
  const time = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`(
    select id, at, kind, channel, detail from events
    where ${buildEventConditions(selection)}
      ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
      ${isDivided ? sql`and at >= (select border from event_store)` : sql``}
      ${after === undefined ? sql`` : sql`and at ${beyond}= ${time} and (at, id) ${beyond} (${time}, ${after})`}
    order by at ${order}, id ${order} limit ${rows})`
}

/** To plan the first page of a contact, over every partition, would take longer than to read it. */
async function pageRows<Row>(db: Db, { selections, after }: EventReading, page: RawBuilder<Row>): Promise<Row[]> {
  const isPrepared = after === undefined && selections.every(({ contact }) => contact !== undefined)
  return isPrepared ? runPreparedStatement(db, 'events-of-contact', page) : (await page.execute(db)).rows
}

/** Records that are read here, and in the same snapshot where those begin that the store has alone. */
async function readHere(
  db: Db,
  reading: EventReading,
  rows: number,
  isDivided: boolean,
): Promise<{ records: StoredEventRecord[]; border: number }> {
  const order = sql.raw(reading.sort)
  const legs = reading.selections
    .flatMap((selection) => (selection.channels ?? [undefined]).map((channel) => ({ selection, channel })))
    .map((one) => leg(reading, rows, one, isDivided))
  const page = sql<StoredEventRecord>`
    select id, kind, channel, detail::text as detail from (${sql.join(legs, sql` union all `)}) l
    order by at ${order}, id ${order} limit ${rows}`
  if (!isDivided) {
    return { records: await pageRows(db, reading, page), border: Number.NEGATIVE_INFINITY }
  }
  // Ids begin with their time.
  const found = await pageRows(
    db,
    reading,
    sql<StoredEventRecord & { border: number }>`
      select p.id, p.kind, p.channel, p.detail, date_part('epoch', s.border) * 1000 as border
      from event_store s left join (${page}) p on true order by p.id ${order}`,
  )
  return { records: found.filter(({ id }) => id !== null), border: found[0]?.border ?? Number.NEGATIVE_INFINITY }
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
  const gathered = gather(rows, between)
  if (!store) {
    const { records } = await readHere(db, reading, rows, false)
    gathered.add(pageOf(records, reading.identity, between))
  } else if (reading.sort === 'asc') await readAscending({ db, store, reading, between }, gathered)
  else await readDescending({ db, store, reading, between }, gathered)
  return gathered.page()
}

/** What a page is read with. */
interface Divided {
  db: Db
  store: EventStore
  reading: EventReading
  between: string
}

/** First what the store has, then what is here. A border that moved meanwhile sends the reader to the store once more. */
async function readAscending({ db, store, reading, between }: Divided, gathered: Gathered): Promise<void> {
  for (;;) {
    const at = { ...reading, after: gathered.last() ?? reading.after }
    const { border } = store
    if (isBeforeStoreBorder(at, border)) {
      const until = { rows: gathered.left(), between, until: border }
      gathered.add(await storedPage({ db, store, reading: at, between }, until))
      if (gathered.left() === 0) return
    }
    const here = await readHere(db, { ...at, after: gathered.last() ?? at.after }, gathered.left(), true)
    store.border = here.border
    if (here.border > border) continue
    return gathered.add(pageOf(here.records, reading.identity, between))
  }
}

/** First what is here, then what the store has from the border of that very snapshot down. */
async function readDescending({ db, store, reading, between }: Divided, gathered: Gathered): Promise<void> {
  let { border } = store
  if (reading.after === undefined || parseUuidTime(reading.after) >= border) {
    const here = await readHere(db, reading, gathered.left(), true)
    border = store.border = here.border
    gathered.add(pageOf(here.records, reading.identity, between))
  }
  const at = { ...reading, after: gathered.last() ?? reading.after }
  if (gathered.left() === 0 || !isBeforeStoreBorder(at, border)) return
  const until = { rows: gathered.left(), between, until: border }
  gathered.add(await storedPage({ db, store, reading: at, between }, until))
}

async function storedPage({ between, ...divided }: Divided, bounds: Parameters<typeof readStoredPage>[1]) {
  const found = await readStoredPage(divided, bounds)
  if (Array.isArray(found)) return { ...pageOf(found, divided.reading.identity, between), isStored: true }
  const { text, count, last } = found
  return { text: () => text, length: text.length, count, last, isStored: true }
}

type Gathered = ReturnType<typeof gather>

/** Puts parts of a page together. */
function gather(rows: number, between: string) {
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
      const text = (): AnswerChunk => (parts.length < 2 ? (first?.text() ?? '') : joinedTexts(parts, between))
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      return { text, length, count, last: count === rows ? last : undefined, isStored }
    },
  }
}

function joinedTexts(parts: readonly Pick<EventRecordPage, 'text'>[], between: string): Buffer {
  const pieces = parts.flatMap(({ text }, n) => (n === 0 ? [text()] : [between, text()]))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function pageOf(records: readonly StoredEventRecord[], identity: RecordIdentity, between: string) {
  return {
    text: () => formatEventRecords(records, identity, between),
    length: records.reduce((sum, { detail }) => sum + detail.length + FRAME_LENGTH, 0),
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
  const read = (after: string | undefined, rows: number): Promise<EventRecordPage> => {
    const page = readEventRecordPage(db, { ...reading, after }, rows, framing.between)
    // Its failure is handled when the page is awaited, unless the client has disconnected by then.
    page.catch(() => undefined)
    return page
  }
  let opening = framing.before
  let coming: Promise<EventRecordPage> | undefined = read(reading.after, FIRST_ROWS)
  while (coming) {
    const page: EventRecordPage = yield* whileWaiting(coming)
    coming = page.last === undefined ? undefined : read(page.last, rowsLike(page))
    if (page.count === 0) continue
    // The statement of the next page leaves first: the database works on it meanwhile.
    await nextTurn()
    const text = page.text()
    if (typeof text === 'string') yield opening + text
    else {
      if (opening !== '') yield opening
      yield text
    }
    opening = framing.between
  }
  yield opening === framing.between ? framing.after : framing.empty
}

/** How many rows of the same size make a page of the length aimed at. */
function rowsLike({ count, length, isStored }: EventRecordPage): number {
  const most = isStored ? pages.stored : pages.here
  return Math.max(1, Math.min(most.rows, Math.round((most.length * count) / length)))
}

async function* whileWaiting<T>(promise: Promise<T>): AsyncGenerator<string, T> {
  for (;;) {
    const settled = await Promise.race([
      promise.then((value) => ({ value })),
      delay(KEEP_ALIVE_MS, undefined, { ref: false }),
    ])
    if (settled) return settled.value
    yield ' '
  }
}
