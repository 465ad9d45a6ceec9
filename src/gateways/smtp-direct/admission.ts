import { circuitWaitMs } from '../../lib/time/backoff.ts'
import type { ClosedDestination } from '../gateway.ts'
import { findDestinationClosure, reserveDestinationTurn } from './destination.ts'
import { getPaceConnections, getPaceRate } from './pace.ts'
import {
  enqueueSiteMail,
  getMonotonicMs,
  type MailDestination,
  type MailSite,
  type WaitingMail,
  withdrawSiteMails,
} from './site.ts'
import { deferUnreachableSite, type MailSiteContext } from './site-connections.ts'
import {
  advanceMailDestination,
  advanceMailSite,
  ENDING_SENDER_CLOSURE,
  finalizeMailDelivery,
  type MailTraffic,
  type QueuedMail,
  returnMailDelivery,
} from './traffic.ts'

/** The warm-up cannot be counted now. */
const UNCOUNTED_WARM_UP: ClosedDestination = { reason: 'the warm-up counts are unavailable', retryAfterMs: 5000 }

/** Messages of one batch that may wait for one destination. */
const MAX_WAITING_MESSAGES = 250
const SITE_IDLE_MS = 60_000
const DESTINATION_IDLE_MS = 30 * 60_000

/** Returns true if a batch already has as many messages waiting for a destination as can be sent soon. */
function isBatchQueueFull(traffic: MailTraffic, { pace, active }: MailDestination, { batch }: QueuedMail): boolean {
  const now = traffic.clock.now()
  const soonSendable = Math.ceil((getPaceRate(pace, now) * traffic.settings.patienceMs) / 2000)
  let waitingCount = 0
  for (const { queues } of active) waitingCount += queues.get(batch)?.length ?? 0
  return waitingCount >= Math.min(MAX_WAITING_MESSAGES, Math.max(soonSendable, getPaceConnections(pace, now)))
}

/** Why a message cannot wait here for a connection; undefined: it can. */
function findReturnReason(
  traffic: MailTraffic,
  destination: MailDestination,
  delivery: QueuedMail,
): ClosedDestination | undefined {
  const { message } = delivery
  const { name } = destination.kind
  const now = traffic.clock.now()
  if (traffic.closing) return ENDING_SENDER_CLOSURE
  const closure = findDestinationClosure(destination, traffic.orders, { account: message.origin?.account, now })
  if (closure !== undefined || !isBatchQueueFull(traffic, destination, delivery)) return closure
  return {
    reason: `the queue for ${name} is full`,
    retryAfterMs: reserveDestinationTurn(destination, message, now),
  }
}

/** Counts a message for the warm-up of its domain; answers why it must wait for another day. */
async function countWarmUp(
  { traffic, destination }: Pick<MailSiteContext, 'traffic' | 'destination'>,
  delivery: QueuedMail,
) {
  const { origin, domain } = delivery.message
  const { name } = destination.kind
  if (!traffic.warmUp || !origin || domain === undefined) return undefined
  const retryAfterMs = await traffic.warmUp.take(origin, domain, name).catch(() => undefined)
  if (retryAfterMs === undefined) return UNCOUNTED_WARM_UP
  if (retryAfterMs > 0)
    return { reason: `${domain} is warming up: the limit for ${name} is reached today`, retryAfterMs }
  traffic.counted.set(delivery, () => traffic.warmUp?.giveBack(origin, domain, name))
  return traffic.closing ? ENDING_SENDER_CLOSURE : undefined
}

/** Queues a message for a connection; one that cannot be sent soon is returned at once. */
export async function admitMailDelivery(traffic: MailTraffic, site: MailSite, delivery: QueuedMail): Promise<void> {
  const { destination } = site
  const closure = findReturnReason(traffic, destination, delivery)
  if (closure) return returnMailDelivery(traffic, destination, delivery, closure)
  if (circuitWaitMs(site.circuit, getMonotonicMs()) > 0)
    return finalizeMailDelivery(traffic, delivery, deferUnreachableSite(site, delivery))
  const overQuota = await countWarmUp({ traffic, destination }, delivery)
  if (overQuota) return returnMailDelivery(traffic, destination, delivery, overQuota)
  enqueueSiteMail(site, delivery)
  destination.active.add(site)
  advanceMailSite(traffic, destination, site)
}

/** Returns messages that waited too long, or may not be sent any more: the sender stops, or an operator holds them. */
function returnOverdue(traffic: MailTraffic, destination: MailDestination): void {
  const { name } = destination.kind
  const now = traffic.clock.now()
  const oldestAllowed = getMonotonicMs() - traffic.settings.patienceMs
  const reasons = new Map<QueuedMail, ClosedDestination>()
  const isOverdue = ({ delivery, since }: WaitingMail): boolean => {
    const isEnding = traffic.closing || delivery.batch.listener.signal?.aborted === true
    const closure = isEnding
      ? ENDING_SENDER_CLOSURE
      : findDestinationClosure(destination, traffic.orders, { account: delivery.message.origin?.account, now })
    if (closure) reasons.set(delivery, closure)
    return closure !== undefined || since < oldestAllowed
  }
  for (const site of destination.active) {
    for (const delivery of withdrawSiteMails(site, isOverdue)) {
      const overdueReason = { reason: `no connection to ${name} was free`, retryAfterMs: 0 }
      const returnReason = reasons.get(delivery) ?? {
        ...overdueReason,
        retryAfterMs: reserveDestinationTurn(destination, delivery.message, now),
      }
      returnMailDelivery(traffic, destination, delivery, returnReason)
    }
  }
}

/** Periodic: sends what the rates allow, returns what waited too long, forgets unused destinations. */
export function sweepMailTraffic(traffic: MailTraffic): void {
  const now = traffic.clock.now()
  for (const [name, destination] of traffic.destinations) {
    if (destination.active.size > 0) {
      returnOverdue(traffic, destination)
      advanceMailDestination(traffic, destination)
      continue
    }
    for (const [key, site] of destination.sites)
      if (site.usedAt < getMonotonicMs() - SITE_IDLE_MS && circuitWaitMs(site.circuit, getMonotonicMs()) === 0)
        destination.sites.delete(key)
    const isUnused = destination.sites.size === 0 && destination.usedAt < now - DESTINATION_IDLE_MS
    if (isUnused && destination.pace.suspendedUntil < now) traffic.destinations.delete(name)
  }
}
