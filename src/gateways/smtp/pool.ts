import { setMaxListeners } from 'node:events'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { type SmtpDelivery, type SmtpDispatcher, sendOverSmtpSession } from './conversation.ts'
import { closeSmtpSession, type SmtpSession } from './session.ts'
import type { SmtpSettings } from './settings.ts'

/** Resumes an idle connection with a delivery; without one it ends. */
type WakeFunction = (delivery: SmtpDelivery | undefined) => void

/** The owner of a pool: limits and events of its connections. Its functions do not throw; `open` may. */
export interface SmtpPoolOwner {
  /** The messages of one connection, its time-outs, and how long it may be idle. */
  settings(): SmtpSettings
  open(): Promise<SmtpSession>
  /** Returns the number of connections allowed now. */
  maxConnections(): number
  /** Returns true if a delivery is waiting for a connection. */
  hasDelivery(): boolean
  /** A connection ended after messages were answered on it; with the fault, unless it was closed in order. */
  ended(fault: Error | undefined): void
  /** It could not be opened, or ended before any message was answered. */
  failed(fault: Error): void
  /** Connections opened or ended: work may be handed out. */
  changed(): void
}

/** Connections that take their deliveries from one dispatcher. */
export interface SmtpPool {
  owner: SmtpPoolOwner
  dispatcher: SmtpDispatcher
  /** Each connection, from its opening to QUIT. They never reject. */
  running: Set<Promise<void>>
  sessions: Set<SmtpSession>
  idle: Set<WakeFunction>
  opening: number
  closing: boolean
  cut: AbortController
}

/** Nothing is connected yet. Once it closes, its dispatcher must give no more deliveries. */
export function createSmtpPool(owner: SmtpPoolOwner, dispatcher: SmtpDispatcher): SmtpPool {
  const abortController = new AbortController()
  setMaxListeners(0, abortController.signal)
  return {
    owner,
    dispatcher,
    running: new Set(),
    sessions: new Set(),
    idle: new Set(),
    opening: 0,
    closing: false,
    cut: abortController,
  }
}

/** Connections that are open or being opened. */
export function countSmtpConnections({ sessions, opening }: SmtpPool): number {
  return sessions.size + opening
}

/**
 * Hands work to idle connections, and opens more while there is work left: one, then as many again as are open.
 */
export function spreadSmtpWork(pool: SmtpPool): void {
  for (const wake of pool.idle) {
    const delivery = pool.dispatcher.take()
    if (delivery === undefined) return
    wake(delivery)
  }
  const { owner } = pool
  const maxConnectionCount = owner.maxConnections()
  const openCount = pool.sessions.size
  while (openCount + pool.opening < maxConnectionCount && pool.opening <= openCount && owner.hasDelivery()) {
    pool.opening++
    const connection = runConnection(pool).finally(() => pool.running.delete(connection))
    pool.running.add(connection)
  }
}

/** Ends an idle connection; answers whether there was one. */
export function endIdleSmtpConnection({ idle }: SmtpPool): boolean {
  for (const wake of idle) {
    wake(undefined)
    return true
  }
  return false
}

/** One connection, from its opening to its end. */
async function runConnection(pool: SmtpPool): Promise<void> {
  const { owner } = pool
  const session = await owner.open().catch((error) => new Error(formatErrorReason(error), { cause: error }))
  pool.opening--
  if (session instanceof Error) {
    owner.failed(session)
    owner.changed()
    return
  }
  pool.sessions.add(session)
  owner.changed()
  await sendDeliveries(pool, session)
  pool.sessions.delete(session)
  const { fault } = session.wire
  if (session.judged > 0) owner.ended(fault)
  else if (fault !== undefined && session.announced > 0) owner.failed(fault)
  owner.changed()
  if (fault === undefined) await closeSmtpSession(session)
}

/** Sends until the connection ends, has sent its number of messages, or has been idle too long. */
async function sendDeliveries(pool: SmtpPool, session: SmtpSession): Promise<void> {
  const settings = pool.owner.settings()
  while (session.wire.fault === undefined && session.announced < settings.messages && !pool.closing) {
    const delivery = pool.dispatcher.take() ?? (await waitForDelivery(pool, session, settings.idleMs))
    if (delivery === undefined) return
    await sendOverSmtpSession(session, delivery, pool.dispatcher, settings)
  }
}

function waitForDelivery({ idle }: SmtpPool, session: SmtpSession, idleMs: number): Promise<SmtpDelivery | undefined> {
  return new Promise((resolve) => {
    const wake: WakeFunction = (delivery) => {
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

/** Takes no more; lets messages in flight end, then disconnects. Every delivery taken has its outcome when this resolves. */
export async function closeSmtpPool(pool: SmtpPool, graceMs: number): Promise<void> {
  pool.closing = true
  pool.owner.changed()
  for (const wake of pool.idle) wake(undefined)
  const abortTimer = setTimeout(() => pool.cut.abort(), graceMs)
  await Promise.all(pool.running)
  clearTimeout(abortTimer)
}
