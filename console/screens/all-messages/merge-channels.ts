import { MESSAGE_CHANNEL_NAMES, type MessageChannelName } from '../messages/names.ts'

/** Next page of each channel; absent when the channel has been read to its end. */
export type ChannelCursors = Partial<Record<MessageChannelName, string>>

/** One page of each channel that was not yet read to its end. */
export type ChannelPages<R> = Partial<Record<MessageChannelName, { items: readonly R[]; next: string | undefined }>>

/** Cursors after a page; undefined when every channel has been read to its end. */
export function findNextCursors(pages: ChannelPages<unknown>): ChannelCursors | undefined {
  const cursors: ChannelCursors = {}
  for (const channel of MESSAGE_CHANNEL_NAMES) {
    const next = pages[channel]?.next
    if (next !== undefined) cursors[channel] = next
  }
  return Object.keys(cursors).length === 0 ? undefined : cursors
}

/**
 * Rows of all channels, newest first. Rows older than the oldest one read of an unfinished channel wait, so that later pages never insert a row
 * above one that is shown.
 */
export function mergeChannelPages<R extends { creationDate: string }>(
  pages: readonly ChannelPages<R>[],
): (R & { channel: MessageChannelName })[] {
  const rows: (R & { channel: MessageChannelName })[] = []
  let oldestComplete = ''
  for (const channel of MESSAGE_CHANNEL_NAMES) {
    const channelPages = pages.flatMap((page) => page[channel] ?? [])
    for (const { items } of channelPages) rows.push(...items.map((item) => ({ ...item, channel })))
    const lastPage = channelPages.at(-1)
    const oldestRead = lastPage?.items.at(-1)?.creationDate
    if (lastPage?.next !== undefined && oldestRead !== undefined && oldestRead > oldestComplete)
      oldestComplete = oldestRead
  }
  return rows
    .filter(({ creationDate }) => creationDate >= oldestComplete)
    .sort((a, b) => b.creationDate.localeCompare(a.creationDate))
}
