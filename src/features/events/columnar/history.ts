import { buffer } from 'node:stream/consumers'
import type { Reading } from '../history/readings.ts'
import { type Channel, type Kind, kinds, typeOf } from '../kinds/event-kinds.ts'
import { timeOf } from '../store/store-border.ts'
import { conditions, tableFor } from './conditions.ts'
import { ch, type Fragment, idOf, idText, instant, int, joined, numbers, raw, text, texts, uuids } from './sql.ts'
import type { EventStore } from './store.ts'

/** Records as they leave, with what stands between them. */
export interface TextPage {
  text: Buffer
  /** How many they are. */
  count: number
  /** Id of the last one. */
  last: string | undefined
}

const NEWLINE = 10

/** The text of a record, made of columns of the store: members are joined as text, the detail as it is stored. */
function recordText({ identity }: Pick<Reading, 'identity'>): Fragment {
  const types = ch`transform(kind, ${texts(kinds.map(({ kind }) => kind))}, ${texts(kinds.map(({ kind }) => typeOf(kind)))}, '')`
  return ch`concat('{"type":"', ${types}, '","id":"', ${idText}, '","timestamp":', toString(toUnixTimestamp64Milli(at)),
    ${text(`,"identity":${JSON.stringify(identity)},"source":{"type":"`)}, channel, '","detail":', detail, '}}')`
}

/** Behind an event, in the order of a reading: the place of a cursor. */
function behind({ sort, after }: Pick<Reading, 'sort' | 'after'>): Fragment[] {
  if (after === undefined) return []
  const [sign, time] = [raw(sort === 'asc' ? '>' : '<'), instant(timeOf(after))]
  return [ch`at ${sign}= ${time} and (at, id) ${sign} (${time}, ${idOf(after)})`]
}

/** How many records are read, with what a format puts between them: a line break, with or without a comma. */
export interface Bounds {
  rows: number
  between: string
  /** Those before this instant, in milliseconds. */
  until: number
}

/** Contacts, and messages, whose events are not to be shown as the store has them. */
export interface Concealed {
  contacts: readonly number[]
  stamps: readonly string[]
}

/** The rows of a reading in its order, with the columns that it is given. */
function rowsOf(
  reading: Reading,
  { rows, until }: Bounds,
  columns: Fragment,
  more: readonly Fragment[] = [],
): [Fragment, Fragment] {
  const order = raw(`order by at ${reading.sort}, id ${reading.sort}`)
  const legs = reading.selections.map((selection) => {
    const where = joined([conditions(selection), ch`at < ${instant(until)}`, ...behind(reading), ...more], ' and ')
    return ch`select ${columns} from ${raw(tableFor(selection))} where ${where} ${order} limit ${int(rows)}`
  })
  const from =
    legs.length === 1 ? legs[0]! : ch`select * from (${joined(legs, ' union all ')}) ${order} limit ${int(rows)}`
  return [from, order]
}

/** Up to so many records of a reading as text. It leaves the store as it is sent. */
export async function readTextPage(store: EventStore, reading: Reading, bounds: Bounds): Promise<TextPage> {
  const [first] = reading.selections
  if (!first) return { text: Buffer.alloc(0), count: 0, last: undefined }
  const [from, order] = rowsOf(reading, bounds, raw('at, id, kind, channel, detail'))
  const statement = ch`select ${recordText(reading)} as record from (${from}) ${order} format CustomSeparated`
  const settings = {
    format_custom_escaping_rule: 'Raw',
    format_custom_row_after_delimiter: '',
    format_custom_row_between_delimiter: bounds.between,
  } as const
  const bytes = await buffer(await store.bytes({ account: first.account, statement, settings }))
  return pageOf(bytes)
}

/** The same records one by one, each with whether it is of what is concealed. A phone of such a contact finds none of them. */
export async function readRecords(
  store: EventStore,
  reading: Reading,
  bounds: Bounds,
  { contacts, stamps }: Concealed,
): Promise<{ id: string; kind: Kind; channel: Channel; detail: string; isConcealed: boolean }[]> {
  const [first] = reading.selections
  if (!first) return []
  const hasPhone = reading.selections.some(({ phone }) => phone !== undefined)
  const more = hasPhone ? [ch`contact not in ${numbers(contacts)}`] : []
  const [from, order] = rowsOf(reading, bounds, raw('at, id, kind, channel, contact, stamp, detail'), more)
  const statement = ch`
    select ${idText} as text_id, kind, channel, detail, contact in ${numbers(contacts)} or stamp in ${uuids(stamps)} as concealed
    from (${from}) ${order}`
  const rows = await store.rows<{ text_id: string; kind: Kind; channel: Channel; detail: string; concealed: number }>({
    account: first.account,
    statement,
  })
  return rows.map(({ text_id: id, concealed, ...rest }) => ({ ...rest, id, isConcealed: Boolean(concealed) }))
}

/** No record has a line break within it, and each begins with its type and its id. */
function pageOf(bytes: Buffer): TextPage {
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
