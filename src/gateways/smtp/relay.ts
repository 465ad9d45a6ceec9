import type { HostGuard } from '../../lib/net/guarded-client.ts'
import {
  type Backoff,
  type Circuit,
  countFailure,
  createCircuit,
  NO_JITTER,
  openFor,
  resetFailures,
  waitOf,
} from '../../lib/time/backoff.ts'
import type { GatewayOutcome, OutgoingMail, Stop } from '../gateway.ts'
import { createQueue, hasDelivery, type Queue, reportOutcome, stopQueue, takeDelivery } from '../queue.ts'
import { closePool, createPool, type Pool, type PoolOwner, spreadWork } from './pool.ts'
import { openSession, type SessionContext } from './session.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'

/** After a relay could not be reached. */
const backoff: Backoff = { firstMs: 1000, maxMs: 60_000, jitter: NO_JITTER }

/** How long fewer connections are used after the relay refused one while others stand. */
const NARROW_MS = 30_000

/** The connections to one relay, and the queue they work on. */
export interface Relay {
  context: SessionContext
  queue: Queue<OutgoingMail>
  pool: Pool
  /** Connections used at most until `narrowUntil`; then the settings' number again. */
  ceiling: number
  narrowUntil: number
  /** Its failures are failed connections; its times are of performance.now(). */
  circuit: Circuit
}

const now = (): number => performance.now()

export function createRelay(settings: SmtpSettings, secrets: SmtpSecrets | undefined, guard?: HostGuard): Relay {
  const queue = createQueue<OutgoingMail>()
  const owner: PoolOwner = {
    settings: () => settings,
    open: () => openSession(relay.context),
    maxConnections: () => (now() < relay.narrowUntil ? relay.ceiling : settings.connections),
    hasDelivery: () => hasDelivery(queue),
    ended: () => {
      resetFailures(relay.circuit)
    },
    failed: (fault) => recordFailure(relay, fault),
    changed: () => advance(relay),
  }
  const pool = createPool(owner, {
    take: () => (relay.pool.closing ? undefined : takeDelivery(queue)),
    report: reportOutcome,
    requeue: (delivery) => queue.requeued.push(delivery),
  })
  const relay: Relay = {
    context: { settings, secrets, guard, tickets: { last: undefined }, signal: pool.cut.signal },
    queue,
    pool,
    ceiling: settings.connections,
    narrowUntil: 0,
    circuit: createCircuit(),
  }
  return relay
}

/** Why no message is taken now; undefined while the relay may be tried. */
export function stopOf(relay: Relay): Stop | undefined {
  if (relay.pool.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const { circuit } = relay
  const pauseMs = waitOf(circuit, now())
  return pauseMs > 0 ? { why: 'down', detail: circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

/** Ends every batch; requeued deliveries are deferred. */
function stopAll(relay: Relay, stop: Stop): void {
  const { detail: reply, retryAfterMs } = stop
  const common = { result: 'deferred' as const, stage: 'connect' as const, reply, mta: '' }
  stopQueue(relay.queue, stop, ({ message: { id } }): GatewayOutcome => {
    return retryAfterMs === undefined ? { ...common, id } : { ...common, id, retryAfterMs }
  })
}

/** Hands work to connections; ends the batches instead while the relay may not be tried. */
export function advance(relay: Relay): void {
  const stop = stopOf(relay)
  if (stop === undefined) spreadWork(relay.pool)
  else stopAll(relay, stop)
}

/**
 * A connection could not be opened, or ended before any message was answered. While others are open the relay seems to
 * want fewer of them; with none it is down, and not tried for a while, so that no message is deferred for it.
 */
function recordFailure(relay: Relay, fault: Error): void {
  const { sessions, opening } = relay.pool
  relay.circuit.lastFault = fault.message
  if (sessions.size > 0) {
    relay.ceiling = sessions.size
    relay.narrowUntil = now() + NARROW_MS
  } else if (opening === 0) {
    openFor(relay.circuit, countFailure(relay.circuit, backoff), fault.message, now())
  }
}

/** Takes no more; lets messages in flight end, then disconnects. Every delivery has its outcome when this resolves. */
export function closeRelay({ pool }: Relay, graceMs: number): Promise<void> {
  return closePool(pool, graceMs)
}
