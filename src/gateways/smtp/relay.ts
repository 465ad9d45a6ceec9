import { setMaxListeners } from 'node:events'
import type { Outcome, OutgoingMail, Stop } from '../gateway.ts'
import { createQueue, hasErrand, type Queue, reportErrand, stopQueue, takeErrand } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { converse, type Desk, type Errand } from './conversation.ts'
import { closeSession, openSession, type Session, type SessionContext } from './session.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'

/** How long a relay that cannot be reached is left alone: the first time, and at most. Doubled in between. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** How long fewer connections are used after the relay refused one while others stand. */
const NARROW_MS = 30_000

/** A connection without work goes on with an errand; without one it ends. */
type Wake = (errand: Errand | undefined) => void

/** The connections to one relay, and the queue they work on. */
export interface Relay {
  context: SessionContext
  queue: Queue<OutgoingMail>
  desk: Desk
  /** The lives of connections, from the opening to the goodbye. They never reject. */
  lives: Set<Promise<void>>
  sessions: Set<Session>
  idle: Set<Wake>
  opening: number
  /** Connections used at most until `narrowUntil`; then the settings' number again. */
  ceiling: number
  narrowUntil: number
  /** Connections of no use, in a row, and when to try again. */
  failures: number
  downUntil: number
  lastFault: string
  closing: boolean
  cut: AbortController
}

const now = (): number => performance.now()

export function createRelay(settings: SmtpSettings, secrets: SmtpSecrets | undefined): Relay {
  const queue = createQueue<OutgoingMail>()
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  const relay: Relay = {
    context: { settings, secrets, tickets: { last: undefined }, signal: cut.signal },
    queue,
    desk: {
      take: () => (relay.closing ? undefined : takeErrand(queue)),
      report: reportErrand,
      giveBack: (errand) => queue.returned.push(errand),
    },
    lives: new Set(),
    sessions: new Set(),
    idle: new Set(),
    opening: 0,
    ceiling: settings.connections,
    narrowUntil: 0,
    failures: 0,
    downUntil: 0,
    lastFault: '',
    closing: false,
    cut,
  }
  return relay
}

/** Why nothing is taken now; undefined while the relay may be tried. */
export function stopOf(relay: Relay): Stop | undefined {
  if (relay.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const pauseMs = Math.ceil(relay.downUntil - now())
  return pauseMs > 0 ? { why: 'down', detail: relay.lastFault, retryAfterMs: pauseMs } : undefined
}

/** Ends every batch; errands that had come back from a connection wait for better times. */
function stopAll(relay: Relay, stop: Stop): void {
  const { detail: reply, retryAfterMs } = stop
  const common = { result: 'deferred' as const, stage: 'connect' as const, reply, mta: '' }
  stopQueue(relay.queue, stop, ({ message: { id } }): Outcome => {
    return retryAfterMs === undefined ? { ...common, id } : { ...common, id, retryAfterMs }
  })
}

/**
 * Hands work to connections that have none, and opens more while there is work left: one, then as many again as
 * stand. When the relay may not be tried, ends the batches instead.
 */
export function spread(relay: Relay): void {
  const stop = stopOf(relay)
  if (stop !== undefined) {
    stopAll(relay, stop)
    return
  }
  for (const wake of relay.idle) {
    const errand = takeErrand(relay.queue)
    if (errand === undefined) return
    wake(errand)
  }
  const ceiling = now() < relay.narrowUntil ? relay.ceiling : relay.context.settings.connections
  const standing = relay.sessions.size
  while (standing + relay.opening < ceiling && relay.opening <= standing && hasErrand(relay.queue)) {
    relay.opening++
    const life = live(relay).finally(() => relay.lives.delete(life))
    relay.lives.add(life)
  }
}

/** One connection, from its opening to its end. */
async function live(relay: Relay): Promise<void> {
  const session = await openSession(relay.context).catch(reasonOf)
  relay.opening--
  if (typeof session === 'string') {
    useless(relay, session)
    spread(relay)
    return
  }
  relay.sessions.add(session)
  spread(relay)
  await work(relay, session)
  relay.sessions.delete(session)
  const { fault } = session.wire
  if (session.judged > 0) relay.failures = 0
  else if (fault !== undefined && session.announced > 0) useless(relay, fault.message)
  spread(relay)
  if (fault === undefined) await closeSession(session)
}

/**
 * A connection that could not be opened, or ended before any message was judged. While others stand the relay wants
 * fewer of them; with none it is down, and left alone for a while: no message should suffer from it.
 */
function useless(relay: Relay, fault: string): void {
  relay.lastFault = fault
  if (relay.sessions.size > 0) {
    relay.ceiling = relay.sessions.size
    relay.narrowUntil = now() + NARROW_MS
  } else if (relay.opening === 0) {
    relay.downUntil = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** relay.failures)
    relay.failures++
  }
}

/** Sends until the connection ends, has done its number of messages, or has had no work for a while. */
async function work(relay: Relay, session: Session): Promise<void> {
  const { settings } = relay.context
  while (session.wire.fault === undefined && session.announced < settings.messages && !relay.closing) {
    const errand = takeErrand(relay.queue) ?? (await nextErrand(relay, session))
    if (errand === undefined) return
    await converse(session, errand, relay.desk, settings)
  }
}

function nextErrand(relay: Relay, session: Session): Promise<Errand | undefined> {
  return new Promise((resolve) => {
    const wake: Wake = (errand) => {
      clearTimeout(timer)
      session.onEnd = () => {}
      relay.idle.delete(wake)
      resolve(errand)
    }
    const timer = setTimeout(wake, relay.context.settings.idleMs, undefined)
    session.onEnd = () => wake(undefined)
    relay.idle.add(wake)
  })
}

/** Takes no more; lets what is under way end, then cuts it. Every errand has its outcome when this resolves. */
export async function closeRelay(relay: Relay, graceMs: number): Promise<void> {
  relay.closing = true
  spread(relay)
  for (const wake of relay.idle) wake(undefined)
  const cut = setTimeout(() => relay.cut.abort(), graceMs)
  await Promise.all(relay.lives)
  clearTimeout(cut)
}
