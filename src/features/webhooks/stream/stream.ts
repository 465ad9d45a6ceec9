import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { typeOf } from '../../events/kinds/event-kinds.ts'
import { type Publication, publishedAfter } from '../../events/kinds/publication.ts'
import { readPublicRecords } from '../bodies.ts'
import { carries, carriesNotice, type PublishedNotice, type StreamFilter, wantsNotices } from './stream-filter.ts'
import { noticesAfter } from './stream-notices.ts'

/** A reader that is this many bytes behind is disconnected; a resuming one is paused at half of them. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const PAGE = 500

/** An event or a notice that a stream may carry. */
export type StreamItem = Publication | PublishedNotice

/** One open stream. */
export interface Stream {
  account: AccountId
  filter: StreamFilter
  out: Readable
  /** While it resumes: the ids already sent, and the items published meanwhile. */
  resuming: { sent: Set<string>; waiting: StreamItem[] } | undefined
}

function isNotice(item: StreamItem): item is PublishedNotice {
  return 'type' in item
}

/** Whether a stream carries an item. */
export function accepts({ filter }: Stream, item: StreamItem): boolean {
  return isNotice(item) ? carriesNotice(filter, item) : carries(filter, item)
}

/** Items as text (HTML standard, 9.2.6), by id. */
export async function framesOf(db: Db, items: readonly StreamItem[]): Promise<Map<string, string>> {
  const records = await readPublicRecords(
    db,
    items.map(({ id }) => id),
    [...new Set(items.map(({ account }) => account))],
  )
  return new Map(
    items.flatMap((item) => {
      const text = records.get(item.id)?.text.replaceAll(/[\r\n]/g, ' ')
      const type = isNotice(item) ? item.type : typeOf(item.kind)
      return text === undefined ? [] : [[item.id, `id: ${item.id}\nevent: ${type}\ndata: ${text}\n\n`]]
    }),
  )
}

/** Sends text to a stream, and disconnects a reader that is too far behind. */
export function send({ out }: Stream, text: string): void {
  if (out.destroyed || text === '') return
  out.push(text)
  if (out.readableLength > MAX_BUFFERED_BYTES) out.destroy()
}

/** Sends a stream everything after an id, page by page and no faster than it reads, then what was published meanwhile. */
export async function resume(db: Db, stream: Stream, after: string): Promise<void> {
  const { account, out, filter } = stream
  const sent = stream.resuming?.sent ?? new Set<string>()
  let from = after
  for (let isFull = true; isFull && !out.destroyed; ) {
    const events = await publishedAfter(db, account, from, PAGE)
    const notices = wantsNotices(filter) ? await noticesAfter(db, account, from, PAGE) : []
    const page: StreamItem[] = [...events, ...notices].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, PAGE)
    isFull = page.length === PAGE
    from = page.at(-1)?.id ?? from
    const accepted = page.filter((item) => accepts(stream, item))
    for (const { id } of accepted) sent.add(id)
    send(stream, [...(await framesOf(db, accepted)).values()].join(''))
    while (!out.destroyed && out.readableLength > MAX_BUFFERED_BYTES / 2) await delay(20)
  }
  const late = (stream.resuming?.waiting ?? []).filter(({ id }) => !sent.has(id))
  stream.resuming = undefined
  send(stream, [...(await framesOf(db, late)).values()].join(''))
}
