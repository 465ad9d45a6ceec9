import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { readRecentPublications } from '../../events/kinds/publication.ts'
import {
  type EventStream,
  type EventStreamItem,
  formatStreamFrames,
  matchesStreamItem,
  resumeStream,
  sendToStream,
} from './stream.ts'
import { type EventStreamFilter, hasStreamNotices, listStreamNoticeTypes } from './stream-filter.ts'
import { enableStreamNotices, readRecentNotices } from './stream-notices.ts'

const MAX_OPEN_STREAMS = 20
const COMMENT_INTERVAL_MS = 15_000
const POLL_INTERVAL_MS = 500
/** Read again by each poll: hits are settled within 3 s, and most transactions have ended long before. */
const NEAR_WINDOW_MS = 6_000
/** Read again by every tenth poll: nothing appears with a time older than 20 s. */
const FAR_WINDOW_MS = 25_000
const FAR_POLL_INTERVAL = 10
/** Every hour: the notices that open streams want go on being written. */
const NOTICE_POLL_INTERVAL = 7200
const SEEN_RETENTION_MS = 2 * FAR_WINDOW_MS

/** The ids that an account's streams have seen lately, with the time of `performance.now()`. */
type SeenIds = Map<string, number>

export interface EventStreamContext {
  db: Db
  log: Logger
  clock: Clock
}

export interface EventStreams {
  /** Opens a stream: Server-Sent Events from now on, or from an id on. Throws 429 beyond the limit of an account. */
  open(account: AccountId, filter: EventStreamFilter, after: string | undefined): Promise<Readable>
  /** Ends all of them. */
  close(): Promise<void>
}

interface StreamsState extends EventStreamContext {
  streams: Set<EventStream>
  seen: Map<AccountId, SeenIds>
  polling: Promise<void> | undefined
}

/** The streams of a process. One read of the database serves all of them. */
export function createEventStreams({ db, log, clock }: EventStreamContext): EventStreams {
  const state: StreamsState = { db, log, clock, streams: new Set(), seen: new Map(), polling: undefined }
  return {
    open: (account, filter, after) => openStream(state, account, filter, after),
    async close() {
      for (const { out: output } of state.streams) output.destroy()
      await state.polling
    },
  }
}

async function openStream(
  state: StreamsState,
  account: AccountId,
  filter: EventStreamFilter,
  after: string | undefined,
): Promise<Readable> {
  if ([...state.streams].filter((stream) => stream.account === account).length >= MAX_OPEN_STREAMS)
    throw new Problem(
      429,
      'too-many-streams',
      `An account can have at most ${MAX_OPEN_STREAMS} open streams. Close one first.`,
      {
        headers: { 'retry-after': String(COMMENT_INTERVAL_MS / 1000) },
      },
    )
  const output = new Readable({ read: () => undefined })
  const resuming = after === undefined ? undefined : { sent: new Set<string>(), waiting: [] }
  const stream: EventStream = { account, filter, out: output, resuming }
  registerStream(state, stream)
  await markPublishedAsSeen(state, account).catch((error) => {
    output.destroy()
    throw error
  })
  state.polling ??= pollUntilEmpty(state)
  if (after !== undefined)
    resumeStream(state.db, stream, after).catch((error) => {
      state.log.error({ err: error }, 'cannot resume a stream')
      output.destroy()
    })
  return output
}

function registerStream({ streams, seen: seenByAccount }: StreamsState, stream: EventStream): void {
  const commentTimer = setInterval(() => sendToStream(stream, ':\n\n'), COMMENT_INTERVAL_MS).unref()
  stream.out.on('close', () => {
    clearInterval(commentTimer)
    streams.delete(stream)
    if (![...streams].some(({ account }) => account === stream.account)) seenByAccount.delete(stream.account)
  })
  streams.add(stream)
  sendToStream(stream, ':\n\n')
}

/** For the first stream of an account, marks what is published already as seen. */
async function markPublishedAsSeen(state: StreamsState, account: AccountId): Promise<void> {
  if (state.seen.has(account)) return
  const accountSeenIds: SeenIds = new Map()
  takeUnseen(await readLatestItems(state, [account], FAR_WINDOW_MS), new Map([[account, accountSeenIds]]))
  if (!state.seen.has(account)) state.seen.set(account, accountSeenIds)
}

async function readLatestItems(
  { db, streams }: StreamsState,
  accounts: readonly AccountId[],
  withinMs: number,
): Promise<EventStreamItem[]> {
  const listening = [...streams].filter(({ filter }) => hasStreamNotices(filter))
  const withNotices = [...new Set(listening.map(({ account }) => account))].filter((accountId) =>
    accounts.includes(accountId),
  )
  return [
    ...(await readRecentPublications(db, accounts, withinMs)),
    ...(await readRecentNotices(db, withNotices, withinMs)),
  ]
}

/** The items not seen before; each one is marked as seen. */
function takeUnseen(
  items: readonly EventStreamItem[],
  seenByAccount: ReadonlyMap<AccountId, SeenIds>,
): EventStreamItem[] {
  const now = performance.now()
  const unseenItems = items.filter(({ id, account }) => {
    const seenIds = seenByAccount.get(account)
    const isUnseen = seenIds !== undefined && !seenIds.has(id)
    seenIds?.set(id, now)
    return isUnseen
  })
  for (const seenIds of seenByAccount.values()) {
    for (const [id, seenAt] of seenIds) if (seenAt < now - SEEN_RETENTION_MS) seenIds.delete(id)
  }
  return unseenItems
}

async function pollUntilEmpty(state: StreamsState): Promise<void> {
  const { log } = state
  for (let pollCount = 1; state.streams.size > 0; pollCount++) {
    await pollOnce(state, pollCount % FAR_POLL_INTERVAL === 0 ? FAR_WINDOW_MS : NEAR_WINDOW_MS).catch((error) =>
      log.error({ err: error }, 'cannot send events to streams'),
    )
    if (pollCount % NOTICE_POLL_INTERVAL === 0)
      await renewNoticeInterests(state).catch((error) =>
        log.error({ err: error }, 'cannot renew the notices of streams'),
      )
    await delay(POLL_INTERVAL_MS)
  }
  state.polling = undefined
}

async function pollOnce(state: StreamsState, withinMs: number): Promise<void> {
  const { db, streams, seen: seenByAccount } = state
  const unseenItems = takeUnseen(await readLatestItems(state, [...seenByAccount.keys()], withinMs), seenByAccount)
  const byAccount = Map.groupBy(unseenItems, ({ account }) => account)
  const streamItems = [...streams].map((stream) => ({
    stream,
    items: (byAccount.get(stream.account) ?? []).filter((item) => matchesStreamItem(stream, item)),
  }))
  const formattedFrames = await formatStreamFrames(db, [...new Set(streamItems.flatMap(({ items }) => items))])
  for (const { stream, items } of streamItems) {
    if (stream.resuming) stream.resuming.waiting.push(...items)
    else sendToStream(stream, items.map(({ id }) => formattedFrames.get(id) ?? '').join(''))
  }
}

async function renewNoticeInterests({ db, clock, streams }: StreamsState): Promise<void> {
  const now = new Date(clock.now())
  await Promise.all(
    [...streams].map(({ account, filter }) => enableStreamNotices(db, account, listStreamNoticeTypes(filter), now)),
  )
}
