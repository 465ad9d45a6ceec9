import { setMaxListeners } from 'node:events'
import { reasonOf } from '../reason.ts'
import { converse, type Desk, type Errand } from './conversation.ts'
import { closeSession, type Session } from './session.ts'
import type { SmtpSettings } from './settings.ts'

/** A connection without work goes on with an errand; without one it ends. */
type Wake = (errand: Errand | undefined) => void

/** Whom connections work for. Its functions do not throw; `open` may. */
export interface Owner {
  /** The messages of one connection, its time-outs, and how long it may be idle. */
  settings(): SmtpSettings
  open(): Promise<Session>
  /** How many connections there may be now. */
  ceiling(): number
  /** Whether an errand waits for a connection. */
  hasErrand(): boolean
  /** A connection ended after messages were judged on it; with the fault, unless it was ended in order. */
  useful(fault: Error | undefined): void
  /** It could not be opened, or ended before any message was judged. */
  useless(fault: Error): void
  /** Something changed: work may be handed out. */
  turn(): void
}

/** Connections that take their errands from one desk. */
export interface Pool {
  owner: Owner
  desk: Desk
  /** The lives of connections, from the opening to the goodbye. They never reject. */
  lives: Set<Promise<void>>
  sessions: Set<Session>
  idle: Set<Wake>
  opening: number
  closing: boolean
  cut: AbortController
}

/** Nothing is connected yet. When it closes, its desk must give no errand any more. */
export function createPool(owner: Owner, desk: Desk): Pool {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  return { owner, desk, lives: new Set(), sessions: new Set(), idle: new Set(), opening: 0, closing: false, cut }
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
    const errand = pool.desk.take()
    if (errand === undefined) return
    wake(errand)
  }
  const { owner } = pool
  const ceiling = owner.ceiling()
  const standing = pool.sessions.size
  while (standing + pool.opening < ceiling && pool.opening <= standing && owner.hasErrand()) {
    pool.opening++
    const life = live(pool).finally(() => pool.lives.delete(life))
    pool.lives.add(life)
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
async function live(pool: Pool): Promise<void> {
  const { owner } = pool
  const session = await owner.open().catch((error) => new Error(reasonOf(error), { cause: error }))
  pool.opening--
  if (session instanceof Error) {
    owner.useless(session)
    owner.turn()
    return
  }
  pool.sessions.add(session)
  owner.turn()
  await work(pool, session)
  pool.sessions.delete(session)
  const { fault } = session.wire
  if (session.judged > 0) owner.useful(fault)
  else if (fault !== undefined && session.announced > 0) owner.useless(fault)
  owner.turn()
  if (fault === undefined) await closeSession(session)
}

/** Sends until the connection ends, has done its number of messages, or has had no work for a while. */
async function work(pool: Pool, session: Session): Promise<void> {
  const settings = pool.owner.settings()
  while (session.wire.fault === undefined && session.announced < settings.messages && !pool.closing) {
    const errand = pool.desk.take() ?? (await nextErrand(pool, session, settings.idleMs))
    if (errand === undefined) return
    await converse(session, errand, pool.desk, settings)
  }
}

function nextErrand({ idle }: Pool, session: Session, idleMs: number): Promise<Errand | undefined> {
  return new Promise((resolve) => {
    const wake: Wake = (errand) => {
      clearTimeout(timer)
      session.onEnd = () => {}
      idle.delete(wake)
      resolve(errand)
    }
    const timer = setTimeout(wake, idleMs, undefined)
    session.onEnd = () => wake(undefined)
    idle.add(wake)
  })
}

/** Takes no more; lets what is under way end, then cuts it. Every errand taken has its outcome when this resolves. */
export async function closePool(pool: Pool, graceMs: number): Promise<void> {
  pool.closing = true
  pool.owner.turn()
  for (const wake of pool.idle) wake(undefined)
  const cut = setTimeout(() => pool.cut.abort(), graceMs)
  await Promise.all(pool.lives)
  clearTimeout(cut)
}
