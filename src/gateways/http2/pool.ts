import { formatErrorReason } from '../../lib/errors/reason.ts'
import { type TransportContext, UnansweredRequest } from './request.ts'
import { type Http2Session, openHttp2Session } from './session.ts'

/** The HTTP/2 connections to one origin. */
export interface Http2Pool {
  /**
   * A connection with room for one more request, which is counted on it until `release`; undefined: the origin has no
   * HTTP/2. Throws Unanswered when none can be made.
   */
  take(): Promise<Http2Session | undefined>
  release(session: Http2Session): void
  /** Cuts what is under way. Who waits for a connection is told that there will be none. */
  close(): void
}

const MAX_SESSIONS = 4
/** After an additional connection that could not be made. */
const PAUSE_MS = 10_000

type Waiter = PromiseWithResolvers<Http2Session | undefined>

interface State {
  origin: URL
  context: TransportContext
  /** Those that end too, until they have ended. */
  sessions: Set<Http2Session>
  waiting: Waiter[]
  isOpening: boolean
  /** Set once it is known that the origin has no HTTP/2. */
  hasNone: boolean
  /** Times of performance.now(). */
  noMoreBefore: number
  isClosed: boolean
}

const closing = () => new UnansweredRequest('the gateway is closing', false)

/** The connection with most room. */
function roomiest(sessions: Iterable<Http2Session>): Http2Session | undefined {
  let best: Http2Session | undefined
  for (const session of sessions)
    if (!session.isOver() && session.room() >= 1 && (best === undefined || session.room() > best.room())) best = session
  return best
}

/** Gives room to who waits, first come first served, and makes another connection when there is none. */
function pump(state: State): void {
  const { sessions, waiting, context } = state
  for (const session of sessions) if (session.http2.destroyed) sessions.delete(session)
  while (waiting.length > 0) {
    const session = roomiest(sessions)
    if (session === undefined) break
    session.underWay++
    waiting.shift()?.resolve(session)
  }
  if (waiting.length === 0 || state.isOpening || state.isClosed) return
  const live = [...sessions].filter((session) => !session.isOver()).length
  if (live >= (context.maxSessions ?? MAX_SESSIONS)) return
  if (live === 0 || performance.now() >= state.noMoreBefore) void openOne(state)
}

function rejectAll({ waiting }: State, error: Error): void {
  for (const waiter of waiting.splice(0)) waiter.reject(error)
}

async function openOne(state: State): Promise<void> {
  state.isOpening = true
  try {
    const session = await openHttp2Session(state.origin, state.context, () => pump(state))
    if (session === undefined) {
      state.hasNone = true
      for (const waiter of state.waiting.splice(0)) waiter.resolve(undefined)
    } else if (state.isClosed) session.http2.destroy()
    else state.sessions.add(session)
  } catch (error) {
    state.noMoreBefore = performance.now() + PAUSE_MS
    const isAlone = ![...state.sessions].some((session) => !session.isOver())
    if (isAlone) rejectAll(state, new UnansweredRequest(formatErrorReason(error), false))
  }
  state.isOpening = false
  pump(state)
}

/** Opens nothing yet. */
export function openHttp2Pool(origin: URL, context: TransportContext): Http2Pool {
  const state: State = {
    origin,
    context,
    sessions: new Set(),
    waiting: [],
    isOpening: false,
    hasNone: false,
    noMoreBefore: 0,
    isClosed: false,
  }
  return {
    async take() {
      if (state.isClosed) throw closing()
      if (state.hasNone) return undefined
      const waiter: Waiter = Promise.withResolvers()
      state.waiting.push(waiter)
      pump(state)
      return waiter.promise
    },
    release(session) {
      session.underWay--
      pump(state)
    },
    close() {
      state.isClosed = true
      rejectAll(state, closing())
      for (const { http2 } of state.sessions) http2.destroy()
    },
  }
}
