import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { conditions, type Selection } from './filters.ts'
import { type Channel, type Kind, typeOf } from './kinds.ts'

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

/** Some records, in order. */
export interface Page {
  records: readonly StoredRecord[]
  /** Id of the last record of a full page, after which others may follow. */
  last: string | undefined
}

/** What of an event its record is made of; the timestamp is the id's. `detail` is JSON, as it is stored. */
interface StoredRecord {
  id: string
  kind: Kind
  channel: Channel
  detail: string
}

/** The first page is small so that it comes soon; later ones aim at a length in characters, and hold so many at most. */
const FIRST_ROWS = 100
const MAX_ROWS = 4000
const PAGE_LENGTH = 1_000_000

/** How often white space is sent while the database is searching. */
const KEEP_ALIVE_MS = 150

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

/** Reads up to `rows` records. They leave the database in parts: it would take twice as long to put them together. */
export async function readPage(db: Db, reading: Reading, rows: number): Promise<Page> {
  const order = sql.raw(reading.sort)
  const legs = reading.selections
    .flatMap((selection) => (selection.channels ?? [undefined]).map((channel) => ({ selection, channel })))
    .map((one) => leg(reading, rows, one))
  const { rows: records } = await sql<StoredRecord>`
    select id, kind, channel, detail::text as detail from (${sql.join(legs, sql` union all `)}) l
    order by at ${order}, id ${order} limit ${rows}`.execute(db)
  return { records, last: records.length === rows ? records.at(-1)?.id : undefined }
}

/**
 * The records of a page as JSON, with `between` between them. Members are joined as text, the detail as it is stored:
 * nothing is parsed, and nothing but it can hold a character that would have to be escaped.
 */
export function pageText({ records }: Page, identity: Identity, between: string): string {
  const middle = `,"identity":${JSON.stringify(identity)},"source":{"type":"`
  let text = ''
  let separator = ''
  for (const { id, kind, channel, detail } of records) {
    text += `${separator}{"type":"${typeOf(kind)}","id":"${id}","timestamp":${instantOf(id)}${middle}${channel}","detail":${detail}}}`
    separator = between
  }
  return text
}

/** Milliseconds: the time of a uuid version 7, its first 48 bits (RFC 9562, 5.7). */
function instantOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 0x10000 + Number.parseInt(id.slice(9, 13), 16)
}

/**
 * The text of a whole list, piece by piece. Pages are read by keyset, so that no slow reader holds a connection or a
 * snapshot; the next one is read while the last is sent. Bytes of white space go out while the database is searching.
 */
export async function* readText(db: Db, reading: Reading, framing: Framing): AsyncGenerator<string> {
  const read = (after: string | undefined, rows: number): Promise<Page> => {
    const page = readPage(db, { ...reading, after }, rows)
    // Its failure is handled when the page is awaited, unless the client has disconnected by then.
    page.catch(() => undefined)
    return page
  }
  let opening = framing.before
  let coming: Promise<Page> | undefined = read(reading.after, FIRST_ROWS)
  while (coming) {
    const page: Page = yield* whileWaiting(coming)
    coming = page.last === undefined ? undefined : read(page.last, rowsLike(page))
    if (page.records.length === 0) continue
    yield opening + pageText(page, reading.identity, framing.between)
    opening = framing.between
  }
  yield opening === framing.between ? framing.after : framing.empty
}

/** How many rows of the same size make a page of the length aimed at. */
function rowsLike({ records }: Page): number {
  const length = records.reduce((sum, { detail }) => sum + detail.length, 0)
  return Math.max(1, Math.min(MAX_ROWS, Math.round((PAGE_LENGTH * records.length) / length)))
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
