import { setMaxListeners } from 'node:events'
import { reasonOf } from '../reason.ts'
import { converse, type Delivery, type Dispatcher } from './conversation.ts'
import { closeSession, type Session } from './session.ts'
import type { SmtpSettings } from './settings.ts'

/** A connection without work goes on with a delivery; without one it ends. */
type Wake = (delivery: Delivery | undefined) => void

/** Whom connections work for. Its functions do not throw; `open` may. */
export interface PoolOwner {
  /** The messages of one connection, its time-outs, and how long it may be idle. */
  settings(): SmtpSettings
  open(): Promise<Session>
  /** How many connections there may be now. */
  maxConnections(): number
  /** Whether a delivery waits for a connection. */
  hasDelivery(): boolean
  /** A connection ended after messages were judged on it; with the fault, unless it was ended in order. */
  ended(fault: Error | undefined): void
  /** It could not be opened, or ended before any message was judged. */
  failed(fault: Error): void
  /** Something changed: work may be handed out. */
  changed(): void
}

/** Connections that take their deliveries from one dispatcher. */
export interface Pool {
  owner: PoolOwner
  dispatcher: Dispatcher
  /** The running of connections, from the opening to the goodbye. They never reject. */
  running: Set<Promise<void>>
  sessions: Set<Session>
  idle: Set<Wake>
  opening: number
  closing: boolean
  cut: AbortController
}

/** Nothing is connected yet. When it closes, its dispatcher must give no delivery any more. */
export function createPool(owner: PoolOwner, dispatcher: Dispatcher): Pool {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  return {
    owner,
    dispatcher,
    running: new Set(),
    sessions: new Set(),
    idle: new Set(),
    opening: 0,
    closing: false,
    cut,
  }
}

/** Connections that stand or are about to. */
export function connectionsOf({ sessions, opening }: Pool): number {
  return sessions.size + opening
}

/**
 * Hands work to connections that have none, and opens more while there is work left: one, then as many again as
 * stand.
 */
export function spreadWork(pool: Pool): void {
  for (const wake of pool.idle) {
    const delivery = pool.dispatcher.take()
    if (delivery === undefined) return
    wake(delivery)
  }
  const { owner } = pool
  const ceiling = owner.maxConnections()
  const standing = pool.sessions.size
  while (standing + pool.opening < ceiling && pool.opening <= standing && owner.hasDelivery()) {
    pool.opening++
    const connection = runConnection(pool).finally(() => pool.running.delete(connection))
    pool.running.add(connection)
  }
}

/** Ends a connection that has no work; says whether there was one. */
export function endIdle({ idle }: Pool): boolean {
  for (const wake of idle) {
    wake(undefined)
    return true
  }
  return false
}

/** One connection, from its opening to its end. */
async function runConnection(pool: Pool): Promise<void> {
  const { owner } = pool
  const session = await owner.open().catch((error) => new Error(reasonOf(error), { cause: error }))
  pool.opening--
  if (session instanceof Error) {
    owner.failed(session)
    owner.changed()
    return
  }
  pool.sessions.add(session)
  owner.changed()
  await work(pool, session)
  pool.sessions.delete(session)
  const { fault } = session.wire
  if (session.judged > 0) owner.ended(fault)
  else if (fault !== undefined && session.announced > 0) owner.failed(fault)
  owner.changed()
  if (fault === undefined) await closeSession(session)
}

/** Sends until the connection ends, has done its number of messages, or has had no work for a while. */
async function work(pool: Pool, session: Session): Promise<void> {
  const settings = pool.owner.settings()
  while (session.wire.fault === undefined && session.announced < settings.messages && !pool.closing) {
    const delivery = pool.dispatcher.take() ?? (await nextDelivery(pool, session, settings.idleMs))
    if (delivery === undefined) return
    await converse(session, delivery, pool.dispatcher, settings)
  }
}

function nextDelivery({ idle }: Pool, session: Session, idleMs: number): Promise<Delivery | undefined> {
  return new Promise((resolve) => {
    const wake: Wake = (delivery) => {
      clearTimeout(timer)
      session.onEnd = () => {}
      idle.delete(wake)
      resolve(delivery)
    }
    const timer = setTimeout(wake, idleMs, undefined)
    session.onEnd = () => wake(undefined)
    idle.add(wake)
  })
}

/** Takes no more; lets what is under way end, then cuts it. Every delivery taken has its outcome when this resolves. */
export async function closePool(pool: Pool, graceMs: number): Promise<void> {
  pool.closing = true
  pool.owner.changed()
  for (const wake of pool.idle) wake(undefined)
  const cut = setTimeout(() => pool.cut.abort(), graceMs)
  await Promise.all(pool.running)
  clearTimeout(cut)
}
