import type { Clock } from '../../lib/time/clock.ts'
import type { Closed, GatewayOutcome, OutgoingMail, ShapingOrders, WarmUp } from '../gateway.ts'
import { createQueue, type Delivery, type Queue, reportOutcome } from '../queue.ts'
import { endIdle, connectionsOf as openIn, spreadWork } from '../smtp/pool.ts'
import { connectionsTo, returned } from './destination.ts'
import type { Grouping } from './destinations.ts'
import { connectionsOf, suspendUntil } from './pace.ts'
import type { SmtpDirectSettings } from './settings.ts'
import type { Destination, Site } from './site.ts'

export type Mail = Delivery<OutgoingMail>

/** The destinations and messages of one gateway. */
export interface Traffic {
  settings: SmtpDirectSettings
  clock: Clock
  grouping: Grouping
  warmUp: WarmUp | undefined
  /** Batches that are not taken completely. */
  queue: Queue<OutgoingMail>
  /** By name. */
  destinations: Map<string, Destination>
  orders: ShapingOrders
  /** Addresses that could not be reached, and until when they are tried last. */
  avoided: Map<string, number>
  /** Messages taken that have no outcome yet. */
  open: number
  /** Of messages counted for the warm-up of their domain: how to take that back. */
  counted: Map<Mail, () => void>
  closing: boolean
  /** More can be taken from the batches. */
  onRoom: () => void
}

export const ENDING: Closed = { reason: 'the sender ends', retryAfterMs: 0 }

export function createTraffic(parts: Pick<Traffic, 'settings' | 'clock' | 'grouping' | 'warmUp' | 'onRoom'>): Traffic {
  const orders: ShapingOrders = { senders: 1, isHeld: () => false, suspended: new Map() }
  const state = {
    queue: createQueue<OutgoingMail>(),
    destinations: new Map(),
    avoided: new Map(),
    open: 0,
    counted: new Map(),
  }
  return { ...parts, ...state, orders, closing: false }
}

/** Reports the one outcome of a message. Without a delivery it does not count for the warm-up of its domain. */
export function settle(traffic: Traffic, delivery: Mail, outcome: GatewayOutcome): void {
  const giveBack = traffic.counted.get(delivery)
  traffic.counted.delete(delivery)
  if (outcome.result !== 'accepted' && outcome.result !== 'doubtful') giveBack?.()
  traffic.open--
  reportOutcome(delivery, outcome)
  traffic.onRoom()
}

export function sendBack(traffic: Traffic, { kind }: Destination, delivery: Mail, closed: Closed): void {
  settle(traffic, delivery, returned(delivery, kind.name, closed))
}

/** Applies the limits of the other senders and the operators. */
export function applyOrders(traffic: Traffic, orders: ShapingOrders): void {
  traffic.orders = orders
  for (const { kind, pace } of traffic.destinations.values()) {
    pace.senders = Math.max(1, orders.senders)
    suspendUntil(pace, orders.suspended.get(kind.name) ?? 0)
  }
}

/** Hands work to a site's connections; when it may open none, an idle one of another site is closed for it. */
export function advanceSite(traffic: Traffic, destination: Destination, site: Site): void {
  if (openIn(site.pool) === 0) {
    const isFull = connectionsTo(destination) >= connectionsOf(destination.pace, traffic.clock.now())
    if (isFull) for (const other of destination.active) if (other.waiting === 0 && endIdle(other.pool)) break
  }
  spreadWork(site.pool)
}

export function advance(traffic: Traffic, destination: Destination): void {
  for (const site of [...destination.active]) {
    if (site.waiting > 0) advanceSite(traffic, destination, site)
    else if (openIn(site.pool) === 0) destination.active.delete(site)
  }
}
