import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { typeOf } from '../events/kinds.ts'
import { lastPublished, type Publication, publishedAfter } from '../events/publication.ts'
import { readTold } from './bodies.ts'
import { carries, carriesNotice, noticesWanted, type PublishedNotice, type StreamFilter } from './stream-filter.ts'
import { lastNotices, noticesAfter, wantNotices } from './stream-notices.ts'

const MOST_STREAMS = 20
const COMMENT_MS = 15_000
const TURN_MS = 500
/** What a turn reads again: hits are settled within 3 s, and most transactions have ended long before. */
const NEAR_MS = 6_000
/** What every tenth turn reads again: nothing appears with an older time than 20 s. */
const FAR_MS = 25_000
const FAR_TURNS = 10
/** Every hour: the notices that open streams ask for go on being written. */
const ASKING_TURNS = 7200
const KNOWN_MS = 2 * FAR_MS
/** A reader that is so many bytes behind is cut; one that resumes is given no more while it has half of them before it. */
const MOST_BEHIND = 1024 * 1024
const PAGE = 500

/** An event or a notice that a stream may carry. */
type Item = Publication | PublishedNotice

interface Stream {
  account: AccountId
  filter: StreamFilter
  out: Readable
  /** While it resumes: what it has been given, and what came meanwhile. */
  resuming: { given: Set<string>; waiting: Item[] } | undefined
}

/** What an account's streams were told of lately, with the time of `performance.now()`. */
type Known = Map<string, number>

export interface StreamContext {
  db: Db
  log: Logger
  clock: Clock
}

export interface Streams {
  /** Opens a stream: Server-Sent Events from now on, or from an id on. Throws 429 for one too many. */
  open(account: AccountId, filter: StreamFilter, after: string | undefined): Promise<Readable>
  /** Ends all of them. */
  close(): Promise<void>
}

function isNotice(item: Item): item is PublishedNotice {
  return 'type' in item
}

function wants({ filter }: Stream, item: Item): boolean {
  return isNotice(item) ? carriesNotice(filter, item) : carries(filter, item)
}

/** Events as text (HTML standard, 9.2.6), by id. */
async function framesOf(db: Db, items: readonly Item[]): Promise<Map<string, string>> {
  const told = await readTold(
    db,
    items.map(({ id }) => id),
  )
  return new Map(
    items.flatMap((item) => {
      const text = told.get(item.id)?.text.replaceAll(/[\r\n]/g, ' ')
      const type = isNotice(item) ? item.type : typeOf(item.kind)
      return text === undefined ? [] : [[item.id, `id: ${item.id}\nevent: ${type}\ndata: ${text}\n\n`]]
    }),
  )
}

function give({ out }: Stream, text: string): void {
  if (out.destroyed || text === '') return
  out.push(text)
  if (out.readableLength > MOST_BEHIND) out.destroy()
}

/** What is new among the last: each one is known from then on. */
function newAmong(items: readonly Item[], known: ReadonlyMap<AccountId, Known>): Item[] {
  const now = performance.now()
  const fresh = items.filter(({ id, account }) => {
    const of = known.get(account)
    const isNew = of !== undefined && !of.has(id)
    of?.set(id, now)
    return isNew
  })
  for (const of of known.values()) {
    for (const [id, seen] of of) if (seen < now - KNOWN_MS) of.delete(id)
  }
  return fresh
}

/** Gives a stream everything behind an id, page by page and no faster than it reads, then what came meanwhile. */
async function resume(db: Db, stream: Stream, after: string): Promise<void> {
  const { account, out, filter } = stream
  const given = stream.resuming?.given ?? new Set<string>()
  let from = after
  for (let isFull = true; isFull && !out.destroyed; ) {
    const events = await publishedAfter(db, account, from, PAGE)
    const notices = noticesWanted(filter).length > 0 ? await noticesAfter(db, account, from, PAGE) : []
    const page: Item[] = [...events, ...notices].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, PAGE)
    isFull = page.length === PAGE
    from = page.at(-1)?.id ?? from
    const wanted = page.filter((item) => wants(stream, item))
    for (const { id } of wanted) given.add(id)
    give(stream, [...(await framesOf(db, wanted)).values()].join(''))
    while (!out.destroyed && out.readableLength > MOST_BEHIND / 2) await delay(20)
  }
  const late = (stream.resuming?.waiting ?? []).filter(({ id }) => !given.has(id))
  stream.resuming = undefined
  give(stream, [...(await framesOf(db, late)).values()].join(''))
}

/** The streams of a process. One reading of the database serves all of them. */
export function createStreams({ db, log, clock }: StreamContext): Streams {
  const streams = new Set<Stream>()
  const known = new Map<AccountId, Known>()
  let working: Promise<void> | undefined

  async function last(accounts: readonly AccountId[], withinMs: number): Promise<Item[]> {
    const listening = [...streams].filter(({ filter }) => noticesWanted(filter).length > 0)
    const telling = [...new Set(listening.map(({ account }) => account))].filter((one) => accounts.includes(one))
    return [...(await lastPublished(db, accounts, withinMs)), ...(await lastNotices(db, telling, withinMs))]
  }

  async function turn(withinMs: number): Promise<void> {
    const fresh = newAmong(await last([...known.keys()], withinMs), known)
    const byAccount = Map.groupBy(fresh, ({ account }) => account)
    const pairs = [...streams].map((stream) => ({
      stream,
      items: (byAccount.get(stream.account) ?? []).filter((item) => wants(stream, item)),
    }))
    const frames = await framesOf(db, [...new Set(pairs.flatMap(({ items }) => items))])
    for (const { stream, items } of pairs) {
      if (stream.resuming) stream.resuming.waiting.push(...items)
      else give(stream, items.map(({ id }) => frames.get(id) ?? '').join(''))
    }
  }

  async function askAgain(): Promise<void> {
    const now = new Date(clock.now())
    await Promise.all([...streams].map(({ account, filter }) => wantNotices(db, account, noticesWanted(filter), now)))
  }

  async function work(): Promise<void> {
    for (let n = 1; streams.size > 0; n++) {
      await turn(n % FAR_TURNS === 0 ? FAR_MS : NEAR_MS).catch((error) =>
        log.error({ err: error }, 'streams were not told of events'),
      )
      if (n % ASKING_TURNS === 0)
        await askAgain().catch((error) => log.error({ err: error }, 'notices were not asked for'))
      await delay(TURN_MS)
    }
    working = undefined
  }

  /** To the first stream of an account, what is there already is not new. */
  async function prime(account: AccountId): Promise<void> {
    if (known.has(account)) return
    const own: Known = new Map()
    newAmong(await last([account], FAR_MS), new Map([[account, own]]))
    if (!known.has(account)) known.set(account, own)
  }

  function leave(stream: Stream): void {
    streams.delete(stream)
    if (![...streams].some(({ account }) => account === stream.account)) known.delete(stream.account)
  }

  function enter(stream: Stream): void {
    const comment = setInterval(() => give(stream, ':\n\n'), COMMENT_MS).unref()
    stream.out.on('close', () => {
      clearInterval(comment)
      leave(stream)
    })
    streams.add(stream)
    give(stream, ':\n\n')
  }

  return {
    async open(account, filter, after) {
      if ([...streams].filter((stream) => stream.account === account).length >= MOST_STREAMS)
        throw new Problem(429, 'too-many-streams', `An account has ${MOST_STREAMS} streams at most: close one.`, {
          headers: { 'retry-after': String(COMMENT_MS / 1000) },
        })
      const out = new Readable({ read: () => undefined })
      const resuming = after === undefined ? undefined : { given: new Set<string>(), waiting: [] }
      const stream: Stream = { account, filter, out, resuming }
      enter(stream)
      await prime(account).catch((error) => {
        out.destroy()
        throw error
      })
      working ??= work()
      if (after !== undefined)
        resume(db, stream, after).catch((error) => {
          log.error({ err: error }, 'a stream was not resumed')
          out.destroy()
        })
      return out
    },
    async close() {
      for (const { out } of streams) out.destroy()
      await working
    },
  }
}
