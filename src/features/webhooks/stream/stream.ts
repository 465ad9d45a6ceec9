import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { toEventType } from '../../events/kinds/event-kinds.ts'
import { type EventPublication, readPublicationsAfter } from '../../events/kinds/publication.ts'
import { readWebhookRecords } from '../bodies.ts'
import {
  type EventStreamFilter,
  hasStreamNotices,
  matchesStreamEvent,
  matchesStreamNotice,
  type StreamedNotice,
} from './stream-filter.ts'
import { readNoticesAfter } from './stream-notices.ts'

/** A reader that is this many bytes behind is disconnected; a resuming one is paused at half of them. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const PAGE_SIZE = 500

/** An event or a notice that a stream may carry. */
export type EventStreamItem = EventPublication | StreamedNotice

/** One open stream. */
export interface EventStream {
  account: AccountId
  filter: EventStreamFilter
  out: Readable
  /** While it resumes: the ids already sent, and the items published meanwhile. */
  resuming: { sent: Set<string>; waiting: EventStreamItem[] } | undefined
}

function isNotice(item: EventStreamItem): item is StreamedNotice {
  return 'type' in item
}

/** True if a stream carries an item. */
export function matchesStreamItem({ filter }: EventStream, item: EventStreamItem): boolean {
  return isNotice(item) ? matchesStreamNotice(filter, item) : matchesStreamEvent(filter, item)
}

/** Items as text (HTML standard, 9.2.6), by id. */
export async function formatStreamFrames(db: Db, items: readonly EventStreamItem[]): Promise<Map<string, string>> {
  const records = await readWebhookRecords(
    db,
    items.map(({ id }) => id),
    [...new Set(items.map(({ account }) => account))],
  )
  return new Map(
    items.flatMap((item) => {
      const text = records.get(item.id)?.text.replaceAll(/[\r\n]/g, ' ')
      const type = isNotice(item) ? item.type : toEventType(item.kind)
      return text === undefined ? [] : [[item.id, `id: ${item.id}\nevent: ${type}\ndata: ${text}\n\n`]]
    }),
  )
}

/** Sends text to a stream, and disconnects a reader that is too far behind. */
export function sendToStream({ out }: EventStream, text: string): void {
  if (out.destroyed || text === '') return
  out.push(text)
  if (out.readableLength > MAX_BUFFERED_BYTES) out.destroy()
}

/** Sends a stream everything after an id, page by page and no faster than it reads, then what was published meanwhile. */
export async function resumeStream(db: Db, stream: EventStream, after: string): Promise<void> {
  const { account, out: output, filter } = stream
  const sentIds = stream.resuming?.sent ?? new Set<string>()
  let afterId = after
  for (let hasFullPage = true; hasFullPage && !output.destroyed; ) {
    const events = await readPublicationsAfter(db, account, afterId, PAGE_SIZE)
    const notices = hasStreamNotices(filter) ? await readNoticesAfter(db, account, afterId, PAGE_SIZE) : []
    const page: EventStreamItem[] = [...events, ...notices].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, PAGE_SIZE)
    hasFullPage = page.length === PAGE_SIZE
    afterId = page.at(-1)?.id ?? afterId
    const accepted = page.filter((item) => matchesStreamItem(stream, item))
    for (const { id } of accepted) sentIds.add(id)
    sendToStream(stream, [...(await formatStreamFrames(db, accepted)).values()].join(''))
    while (!output.destroyed && output.readableLength > MAX_BUFFERED_BYTES / 2) await delay(20)
  }
  const lateItems = (stream.resuming?.waiting ?? []).filter(({ id }) => !sentIds.has(id))
  stream.resuming = undefined
  sendToStream(stream, [...(await formatStreamFrames(db, lateItems)).values()].join(''))
}
