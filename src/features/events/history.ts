import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { conditions, type Selection } from './filters.ts'
import { type Channel, kinds } from './kinds.ts'

/** How records stand in `identity`. */
export interface Identity {
  type: 'customer'
  agency: string
  customer: string
}

/** Which events are read, and how their records are written. */
export interface Reading {
  /** Events of any of these; they do not overlap. */
  selections: readonly Selection[]
  identity: Identity
  sort: 'asc' | 'desc'
  /** Id of the event after which the list goes on. */
  after: string | undefined
}

/** What stands before, between and after the records of an answer, and what it is without any. */
export interface Framing {
  before: string
  between: string
  after: string
  empty: string
}

export const jsonArray: Framing = { before: '[', between: ',\n', after: ']', empty: '[]' }

/** One record a line. */
export const jsonLines: Framing = { before: '', between: '\n', after: '\n', empty: '' }

/** Records as text. */
export interface Page {
  /** Records joined; empty when there are none. */
  text: string
  count: number
  /** Id of the last record of a full page, after which others may follow. */
  last: string | undefined
}

/** The first page is small so that it comes soon; later ones aim at a length in characters, and hold so many at most. */
const FIRST_ROWS = 100
const MOST_ROWS = 4000
const PAGE_LENGTH = 1_000_000

/** How long a reader is left without a byte while the database looks for records. */
const SILENCE_MS = 150

/** A whole record as text: `detail` is spliced in as it is stored. */
function record(identity: Identity): RawBuilder<unknown> {
  const types = kinds.map(({ kind, type }) => sql`when ${sql.lit(kind)} then ${sql.lit(type)}`)
  return sql`concat('{"type":"', case kind ${sql.join(types, sql` `)} end, '","id":"', id,
    '","timestamp":', (date_part('epoch', at) * 1000)::bigint,
    ',"identity":', ${JSON.stringify(identity)}::text, ',"source":{"type":"', channel, '","detail":', detail, '}}')`
}

/** A selection, and one of its channels: the first rows of it, in order, walk one index. */
interface Leg {
  selection: Selection
  channel: Channel | undefined
}

function leg({ sort, after }: Reading, rows: number, { selection, channel }: Leg): RawBuilder<unknown> {
  const order = sql.raw(sort)
  const beyond = sql.raw(sort === 'asc' ? '>' : '<')
  const time = sql`uuid_extract_timestamp(${after}::uuid)`
  return sql`(
    select id, at, kind, channel, detail from events
    where ${conditions(selection)}
      ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
      ${after === undefined ? sql`` : sql`and at ${beyond}= ${time} and (at, id) ${beyond} (${time}, ${after})`}
    order by at ${order}, id ${order} limit ${rows})`
}

/**
 * Reads up to `rows` records in one text. They are put together by the database, which leaves nothing to be done for
 * each one here.
 */
export async function readPage(db: Db, reading: Reading, rows: number, between: string): Promise<Page> {
  const order = sql.raw(reading.sort)
  const legs = reading.selections
    .flatMap((selection) => (selection.channels ?? [undefined]).map((channel) => ({ selection, channel })))
    .map((one) => leg(reading, rows, one))
  const { rows: answer } = await sql<{ text: string | null; count: number; last: string | null }>`
    select string_agg(${record(reading.identity)}, ${between}) as text, count(*) as count, (array_agg(id))[${rows}] as last
    from (
      select * from (${sql.join(legs, sql` union all `)}) l
      order by at ${order}, id ${order} limit ${rows}) page`.execute(db)
  const [page] = answer
  return { text: page?.text ?? '', count: page?.count ?? 0, last: page?.last ?? undefined }
}

/**
 * The text of a whole list, piece by piece. Pages are read by keyset, so that no slow reader holds a connection or a
 * snapshot; the next one is read while the last is sent. Bytes of white space go out while the database is searching.
 */
export async function* readText(db: Db, reading: Reading, framing: Framing): AsyncGenerator<string> {
  const read = (after: string | undefined, rows: number): Promise<Page> => {
    const page = readPage(db, { ...reading, after }, rows, framing.between)
    // Its failure is met when the page is awaited, unless the reader has left by then.
    page.catch(() => undefined)
    return page
  }
  let opening = framing.before
  let coming: Promise<Page> | undefined = read(reading.after, FIRST_ROWS)
  while (coming) {
    const page: Page = yield* whileWaiting(coming)
    coming = page.last === undefined ? undefined : read(page.last, rowsAfter(page))
    if (page.count === 0) continue
    yield opening + page.text
    opening = framing.between
  }
  yield opening === framing.between ? framing.after : framing.empty
}

/** How many rows of the same size make a page of the length aimed at. */
function rowsAfter({ text, count }: Page): number {
  return Math.max(1, Math.min(MOST_ROWS, Math.round((PAGE_LENGTH * count) / text.length)))
}

async function* whileWaiting<T>(promise: Promise<T>): AsyncGenerator<string, T> {
  for (;;) {
    const settled = await Promise.race([
      promise.then((value) => ({ value })),
      delay(SILENCE_MS, undefined, { ref: false }),
    ])
    if (settled) return settled.value
    yield ' '
  }
}
