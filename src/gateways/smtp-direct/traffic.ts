import type { Clock } from '../../lib/time/clock.ts'
import type { ClosedDestination, DomainWarmUp, GatewayOutcome, OutgoingMail, ShapingOrders } from '../gateway.ts'
import { createDeliveryQueue, type DeliveryQueue, type QueuedDelivery, reportDeliveryOutcome } from '../queue.ts'
import { countSmtpConnections, endIdleSmtpConnection, spreadSmtpWork } from '../smtp/pool.ts'
import { buildReturnedOutcome, countDestinationConnections } from './destination.ts'
import type { DestinationGrouping } from './destinations.ts'
import { getPaceConnections, suspendPaceUntil } from './pace.ts'
import type { SmtpDirectSettings } from './settings.ts'
import type { MailDestination, MailSite } from './site.ts'

export type QueuedMail = QueuedDelivery<OutgoingMail>

/** The destinations and messages of one gateway. */
export interface MailTraffic {
  settings: SmtpDirectSettings
  clock: Clock
  grouping: DestinationGrouping
  warmUp: DomainWarmUp | undefined
  /** Batches that are not taken completely. */
  queue: DeliveryQueue<OutgoingMail>
  /** By name. */
  destinations: Map<string, MailDestination>
  orders: ShapingOrders
  /** Addresses that could not be reached, and until when they are tried last. */
  avoided: Map<string, number>
  /** Messages taken that have no outcome yet. */
  open: number
  /** Functions that undo the warm-up count, for counted messages. */
  counted: Map<QueuedMail, () => void>
  closing: boolean
  /** More can be taken from the batches. */
  onRoom: () => void
}

export const ENDING_SENDER_CLOSURE: ClosedDestination = { reason: 'the sender is stopping', retryAfterMs: 0 }

export function createMailTraffic(
  parts: Pick<MailTraffic, 'settings' | 'clock' | 'grouping' | 'warmUp' | 'onRoom'>,
): MailTraffic {
  const initialOrders: ShapingOrders = { senders: 1, isHeld: () => false, suspended: new Map() }
  const state = {
    queue: createDeliveryQueue<OutgoingMail>(),
    destinations: new Map(),
    avoided: new Map(),
    open: 0,
    counted: new Map(),
  }
  return { ...parts, ...state, orders: initialOrders, closing: false }
}

/** Reports the one outcome of a message. Without a delivery it does not count for the warm-up of its domain. */
export function finalizeMailDelivery(traffic: MailTraffic, delivery: QueuedMail, outcome: GatewayOutcome): void {
  const undoWarmUpCount = traffic.counted.get(delivery)
  traffic.counted.delete(delivery)
  if (outcome.result !== 'accepted' && outcome.result !== 'doubtful') undoWarmUpCount?.()
  traffic.open--
  reportDeliveryOutcome(delivery, outcome)
  traffic.onRoom()
}

export function returnMailDelivery(
  traffic: MailTraffic,
  { kind }: MailDestination,
  delivery: QueuedMail,
  closed: ClosedDestination,
): void {
  finalizeMailDelivery(traffic, delivery, buildReturnedOutcome(delivery, kind.name, closed))
}

/** Applies the limits of the other senders and the operators. */
export function applyShapingOrders(traffic: MailTraffic, orders: ShapingOrders): void {
  traffic.orders = orders
  for (const { kind, pace } of traffic.destinations.values()) {
    pace.senders = Math.max(1, orders.senders)
    suspendPaceUntil(pace, orders.suspended.get(kind.name) ?? 0)
  }
}

/** Hands work to a site's connections; when it may open none, an idle one of another site is closed for it. */
export function advanceMailSite(traffic: MailTraffic, destination: MailDestination, site: MailSite): void {
  if (countSmtpConnections(site.pool) === 0) {
    const isFull = countDestinationConnections(destination) >= getPaceConnections(destination.pace, traffic.clock.now())
    if (isFull)
      for (const activeSite of destination.active)
        if (activeSite.waiting === 0 && endIdleSmtpConnection(activeSite.pool)) break
  }
  spreadSmtpWork(site.pool)
}

export function advanceMailDestination(traffic: MailTraffic, destination: MailDestination): void {
  for (const site of [...destination.active]) {
    if (site.waiting > 0) advanceMailSite(traffic, destination, site)
    else if (countSmtpConnections(site.pool) === 0) destination.active.delete(site)
  }
}
