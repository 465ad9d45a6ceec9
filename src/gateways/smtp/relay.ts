import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import {
  type BackoffPolicy,
  type CircuitBreaker,
  circuitWaitMs,
  countCircuitFailure,
  createCircuitBreaker,
  NO_JITTER,
  openCircuitBreaker,
  resetCircuitBreaker,
} from '../../lib/time/backoff.ts'
import type { GatewayOutcome, GatewayStop, OutgoingMail } from '../gateway.ts'
import {
  createDeliveryQueue,
  type DeliveryQueue,
  hasQueuedDelivery,
  reportDeliveryOutcome,
  stopDeliveryQueue,
  takeQueuedDelivery,
} from '../queue.ts'
import { closeSmtpPool, createSmtpPool, type SmtpPool, type SmtpPoolOwner, spreadSmtpWork } from './pool.ts'
import { openSmtpSession, type SmtpSessionContext } from './session.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'

/** After a relay could not be reached. */
const relayBackoff: BackoffPolicy = { firstMs: 1000, maxMs: 60_000, jitter: NO_JITTER }

/** Time with fewer connections after the relay refused one while others were open. */
const REDUCED_CONNECTIONS_MS = 30_000

/** The connections to one relay, and the queue they work on. */
export interface Relay {
  context: SmtpSessionContext
  queue: DeliveryQueue<OutgoingMail>
  pool: SmtpPool
  /** Connections used at most until `narrowUntil`; then the settings' number again. */
  ceiling: number
  narrowUntil: number
  /** Its failures are failed connections; its times are of performance.now(). */
  circuit: CircuitBreaker
}

const getMonotonicMs = (): number => performance.now()

export function createRelay(
  settings: SmtpSettings,
  secrets: SmtpSecrets | undefined,
  guard?: OutboundHostGuard,
): Relay {
  const queue = createDeliveryQueue<OutgoingMail>()
  const owner: SmtpPoolOwner = {
    settings: () => settings,
    open: () => openSmtpSession(relay.context),
    maxConnections: () => (getMonotonicMs() < relay.narrowUntil ? relay.ceiling : settings.connections),
    hasDelivery: () => hasQueuedDelivery(queue),
    ended: () => {
      resetCircuitBreaker(relay.circuit)
    },
    failed: (fault) => recordFailure(relay, fault),
    changed: () => advanceSmtpRelay(relay),
  }
  const pool = createSmtpPool(owner, {
    take: () => (relay.pool.closing ? undefined : takeQueuedDelivery(queue)),
    report: reportDeliveryOutcome,
    requeue: (delivery) => queue.requeued.push(delivery),
  })
  const relay: Relay = {
    context: { settings, secrets, guard, tickets: { last: undefined }, signal: pool.cut.signal },
    queue,
    pool,
    ceiling: settings.connections,
    narrowUntil: 0,
    circuit: createCircuitBreaker(),
  }
  return relay
}

/** Why no message is taken now; undefined while the relay may be tried. */
export function getSmtpRelayStop(relay: Relay): GatewayStop | undefined {
  if (relay.pool.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const { circuit } = relay
  const pauseMs = circuitWaitMs(circuit, getMonotonicMs())
  return pauseMs > 0 ? { why: 'down', detail: circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

/** Ends every batch; requeued deliveries are deferred. */
function stopBatches(relay: Relay, stop: GatewayStop): void {
  const { detail: reply, retryAfterMs } = stop
  const commonOutcome = { result: 'deferred' as const, stage: 'connect' as const, reply, mta: '' }
  stopDeliveryQueue(relay.queue, stop, ({ message: { id } }): GatewayOutcome => {
    return retryAfterMs === undefined ? { ...commonOutcome, id } : { ...commonOutcome, id, retryAfterMs }
  })
}

/** Hands work to connections; ends the batches instead while the relay may not be tried. */
export function advanceSmtpRelay(relay: Relay): void {
  const stop = getSmtpRelayStop(relay)
  if (stop === undefined) spreadSmtpWork(relay.pool)
  else stopBatches(relay, stop)
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
    relay.narrowUntil = getMonotonicMs() + REDUCED_CONNECTIONS_MS
  } else if (opening === 0) {
    openCircuitBreaker(relay.circuit, countCircuitFailure(relay.circuit, relayBackoff), fault.message, getMonotonicMs())
  }
}

/** Takes no more; lets messages in flight end, then disconnects. Every delivery has its outcome when this resolves. */
export function closeRelay({ pool }: Relay, graceMs: number): Promise<void> {
  return closeSmtpPool(pool, graceMs)
}
