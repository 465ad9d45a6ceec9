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

const MAX_STREAMS = 20
const COMMENT_MS = 15_000
const POLL_MS = 500
/** Read again by each poll: hits are settled within 3 s, and most transactions have ended long before. */
const NEAR_MS = 6_000
/** Read again by every tenth poll: nothing appears with a time older than 20 s. */
const FAR_MS = 25_000
const FAR_POLLS = 10
/** Every hour: the notices that open streams want go on being written. */
const NOTICE_POLLS = 7200
const SEEN_MS = 2 * FAR_MS

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
      for (const { out } of state.streams) out.destroy()
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
  if ([...state.streams].filter((stream) => stream.account === account).length >= MAX_STREAMS)
    throw new Problem(429, 'too-many-streams', `An account has ${MAX_STREAMS} streams at most: close one.`, {
      headers: { 'retry-after': String(COMMENT_MS / 1000) },
    })
  const out = new Readable({ read: () => undefined })
  const resuming = after === undefined ? undefined : { sent: new Set<string>(), waiting: [] }
  const stream: EventStream = { account, filter, out, resuming }
  addStream(state, stream)
  await markPresent(state, account).catch((error) => {
    out.destroy()
    throw error
  })
  state.polling ??= pollUntilEmpty(state)
  if (after !== undefined)
    resumeStream(state.db, stream, after).catch((error) => {
      state.log.error({ err: error }, 'cannot resume a stream')
      out.destroy()
    })
  return out
}

function addStream({ streams, seen }: StreamsState, stream: EventStream): void {
  const comment = setInterval(() => sendToStream(stream, ':\n\n'), COMMENT_MS).unref()
  stream.out.on('close', () => {
    clearInterval(comment)
    streams.delete(stream)
    if (![...streams].some(({ account }) => account === stream.account)) seen.delete(stream.account)
  })
  streams.add(stream)
  sendToStream(stream, ':\n\n')
}

/** For the first stream of an account, marks what is published already as seen. */
async function markPresent(state: StreamsState, account: AccountId): Promise<void> {
  if (state.seen.has(account)) return
  const own: SeenIds = new Map()
  unseenAmong(await latestItems(state, [account], FAR_MS), new Map([[account, own]]))
  if (!state.seen.has(account)) state.seen.set(account, own)
}

async function latestItems(
  { db, streams }: StreamsState,
  accounts: readonly AccountId[],
  withinMs: number,
): Promise<EventStreamItem[]> {
  const listening = [...streams].filter(({ filter }) => hasStreamNotices(filter))
  const withNotices = [...new Set(listening.map(({ account }) => account))].filter((one) => accounts.includes(one))
  return [
    ...(await readRecentPublications(db, accounts, withinMs)),
    ...(await readRecentNotices(db, withNotices, withinMs)),
  ]
}

/** The items not seen before; each one is marked as seen. */
function unseenAmong(items: readonly EventStreamItem[], seen: ReadonlyMap<AccountId, SeenIds>): EventStreamItem[] {
  const now = performance.now()
  const unseen = items.filter(({ id, account }) => {
    const ids = seen.get(account)
    const isNew = ids !== undefined && !ids.has(id)
    ids?.set(id, now)
    return isNew
  })
  for (const ids of seen.values()) {
    for (const [id, at] of ids) if (at < now - SEEN_MS) ids.delete(id)
  }
  return unseen
}

async function pollUntilEmpty(state: StreamsState): Promise<void> {
  const { log } = state
  for (let n = 1; state.streams.size > 0; n++) {
    await poll(state, n % FAR_POLLS === 0 ? FAR_MS : NEAR_MS).catch((error) =>
      log.error({ err: error }, 'cannot send events to streams'),
    )
    if (n % NOTICE_POLLS === 0)
      await renewNotices(state).catch((error) => log.error({ err: error }, 'cannot renew the notices of streams'))
    await delay(POLL_MS)
  }
  state.polling = undefined
}

async function poll(state: StreamsState, withinMs: number): Promise<void> {
  const { db, streams, seen } = state
  const unseen = unseenAmong(await latestItems(state, [...seen.keys()], withinMs), seen)
  const byAccount = Map.groupBy(unseen, ({ account }) => account)
  const pairs = [...streams].map((stream) => ({
    stream,
    items: (byAccount.get(stream.account) ?? []).filter((item) => matchesStreamItem(stream, item)),
  }))
  const frames = await formatStreamFrames(db, [...new Set(pairs.flatMap(({ items }) => items))])
  for (const { stream, items } of pairs) {
    if (stream.resuming) stream.resuming.waiting.push(...items)
    else sendToStream(stream, items.map(({ id }) => frames.get(id) ?? '').join(''))
  }
}

async function renewNotices({ db, clock, streams }: StreamsState): Promise<void> {
  const now = new Date(clock.now())
  await Promise.all(
    [...streams].map(({ account, filter }) => enableStreamNotices(db, account, listStreamNoticeTypes(filter), now)),
  )
}
