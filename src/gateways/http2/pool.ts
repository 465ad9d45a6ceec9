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
  /** Aborts requests under way. Waiting callers are rejected. */
  close(): void
}

const MAX_SESSIONS = 4
/** After an additional connection that could not be made. */
const REOPEN_DELAY_MS = 10_000

type Waiter = PromiseWithResolvers<Http2Session | undefined>

interface PoolState {
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

const createClosingError = () => new UnansweredRequest('the gateway is closing', false)

/** The connection with most room. */
function findRoomiestSession(sessions: Iterable<Http2Session>): Http2Session | undefined {
  let bestSession: Http2Session | undefined
  for (const session of sessions)
    if (!session.isOver() && session.room() >= 1 && (bestSession === undefined || session.room() > bestSession.room()))
      bestSession = session
  return bestSession
}

/** Assigns free connections to waiting callers, first come, first served, and opens another connection if none has room. */
function assignSessions(state: PoolState): void {
  const { sessions, waiting: waiters, context } = state
  for (const session of sessions) if (session.http2.destroyed) sessions.delete(session)
  while (waiters.length > 0) {
    const session = findRoomiestSession(sessions)
    if (session === undefined) break
    session.underWay++
    waiters.shift()?.resolve(session)
  }
  if (waiters.length === 0 || state.isOpening || state.isClosed) return
  const liveCount = [...sessions].filter((session) => !session.isOver()).length
  if (liveCount >= (context.maxSessions ?? MAX_SESSIONS)) return
  if (liveCount === 0 || performance.now() >= state.noMoreBefore) void openSession(state)
}

function rejectAll({ waiting: waiters }: PoolState, error: Error): void {
  for (const waiter of waiters.splice(0)) waiter.reject(error)
}

async function openSession(state: PoolState): Promise<void> {
  state.isOpening = true
  try {
    const session = await openHttp2Session(state.origin, state.context, () => assignSessions(state))
    if (session === undefined) {
      state.hasNone = true
      for (const waiter of state.waiting.splice(0)) waiter.resolve(undefined)
    } else if (state.isClosed) session.http2.destroy()
    else state.sessions.add(session)
  } catch (error) {
    state.noMoreBefore = performance.now() + REOPEN_DELAY_MS
    const hasNoLiveSession = ![...state.sessions].some((session) => !session.isOver())
    if (hasNoLiveSession) rejectAll(state, new UnansweredRequest(formatErrorReason(error), false))
  }
  state.isOpening = false
  assignSessions(state)
}

/** Opens nothing yet. */
export function openHttp2Pool(origin: URL, context: TransportContext): Http2Pool {
  const state: PoolState = {
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
      if (state.isClosed) throw createClosingError()
      if (state.hasNone) return undefined
      const waiter: Waiter = Promise.withResolvers()
      state.waiting.push(waiter)
      assignSessions(state)
      return waiter.promise
    },
    release(session) {
      session.underWay--
      assignSessions(state)
    },
    close() {
      state.isClosed = true
      rejectAll(state, createClosingError())
      for (const { http2 } of state.sessions) http2.destroy()
    },
  }
}
