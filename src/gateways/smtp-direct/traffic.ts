import { createCircuit, resetFailures, waitOf } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Closed, GatewayOutcome, OutgoingMail, ShapingOrders, WarmUp } from '../gateway.ts'
import { createQueue, type Delivery, type Queue, reportOutcome } from '../queue.ts'
import { createPool, endIdle, connectionsOf as openIn, type PoolOwner, spreadWork } from '../smtp/pool.ts'
import { closedTo, connectionsTo, judge, nextTurn, returned, weighEnd, weighFault } from './destination.ts'
import type { DestinationKind, Grouping } from './destinations.ts'
import { connectionsOf, createPace, goes, mayGo, rateOf, suspendUntil } from './pace.ts'
import type { RouteHost } from './route.ts'
import { type SmtpDirectSettings, settingsFor } from './settings.ts'
import { type Destination, dequeue, enqueue, fail, openTo, type Site, ticks, type Waiting, withdraw } from './site.ts'

type Mail = Delivery<OutgoingMail>

/** Everything that goes through one gateway. */
export interface Traffic {
  settings: SmtpDirectSettings
  clock: Clock
  grouping: Grouping
  warmUp: WarmUp | undefined
  /** Batches of which not everything is taken. */
  queue: Queue<OutgoingMail>
  /** By name. */
  destinations: Map<string, Destination>
  orders: ShapingOrders
  /** Addresses that could not be reached, and until when they are tried last. */
  avoided: Map<string, number>
  /** Messages taken that have no outcome yet. */
  open: number
  /** Of messages that were counted for the warm-up of their domain: how to take that back. */
  counted: Map<Mail, () => void>
  closing: boolean
  /** More can be taken from the batches. */
  onRoom: () => void
}

/** What is warming up cannot be counted now. */
const UNCOUNTED: Closed = { reason: 'the counts of the warm-up are away', retryAfterMs: 5000 }

const ENDING: Closed = { reason: 'the sender ends', retryAfterMs: 0 }

/** What one batch may have waiting for one destination. */
const MAX_WAITING = 250
const SITE_KEPT_MS = 60_000
const DESTINATION_KEPT_MS = 30 * 60_000

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

/** Gives a message its one outcome. What did not arrive does not count for the warm-up of its domain. */
export function settle(traffic: Traffic, delivery: Mail, outcome: GatewayOutcome): void {
  const giveBack = traffic.counted.get(delivery)
  traffic.counted.delete(delivery)
  if (outcome.result !== 'accepted' && outcome.result !== 'doubtful') giveBack?.()
  traffic.open--
  reportOutcome(delivery, outcome)
  traffic.onRoom()
}

function sendBack(traffic: Traffic, { kind }: Destination, delivery: Mail, closed: Closed): void {
  settle(traffic, delivery, returned(delivery, kind.name, closed))
}

function takeFor({ traffic, destination, site }: Place): Mail | undefined {
  const { pace } = destination
  const now = traffic.clock.now()
  if (traffic.closing || site.waiting === 0 || !mayGo(pace, now)) return undefined
  const most = connectionsOf(pace, now)
  // Fewer connections than stand are wanted: those without work end.
  if ((pace.probing || connectionsTo(destination) > most) && destination.inFlight >= most) return undefined
  const delivery = dequeue(site)
  if (delivery === undefined) return undefined
  goes(pace)
  destination.inFlight++
  return delivery
}

interface Place {
  traffic: Traffic
  destination: Destination
  site: Site
}

/** Everything that waits for a destination goes back, when it must be left alone. */
function clear({ traffic, destination }: Pick<Place, 'traffic' | 'destination'>): void {
  const now = traffic.clock.now()
  if (closedTo(destination, { isHeld: () => false }, { account: undefined, now }) === undefined) return
  for (const site of destination.active) {
    for (const delivery of withdraw(site, () => true)) {
      const closed = closedTo(destination, traffic.orders, { account: undefined, now })
      if (closed) sendBack(traffic, destination, delivery, closed)
    }
  }
}

function ownerOf(place: () => Place): PoolOwner {
  return {
    settings: () => place().site.settings,
    open: () => openTo(place().site, place().traffic.avoided),
    maxConnections() {
      const { traffic, destination, site } = place()
      const free = connectionsOf(destination.pace, traffic.clock.now()) - connectionsTo(destination)
      return openIn(site.pool) + Math.min(free, traffic.settings.connections - connectionsOfAll(traffic))
    },
    hasDelivery() {
      const { traffic, destination, site } = place()
      return (
        !traffic.closing &&
        site.waiting > 0 &&
        waitOf(site.circuit, ticks()) === 0 &&
        mayGo(destination.pace, traffic.clock.now())
      )
    },
    ended(fault) {
      const { traffic, destination, site } = place()
      resetFailures(site.circuit)
      if (fault !== undefined) weighEnd(destination, fault, traffic.clock.now())
      clear(place())
    },
    failed: (fault) => recordFailure(place(), fault),
    changed: () => turn(place().traffic, place().destination),
  }
}

/** While other connections to the site stand, it wants fewer of them; with none it is left alone, and its mail put off. */
function recordFailure(place: Place, fault: Error): void {
  const { traffic, destination, site } = place
  if (traffic.closing) return
  const isAlone = site.pool.sessions.size === 0
  weighFault(destination, fault, isAlone, traffic.clock.now())
  clear(place)
  if (!isAlone || site.pool.opening > 0) return
  fail(site, fault.message)
  for (const delivery of withdraw(site, () => true)) settle(traffic, delivery, unreachable(site, delivery))
}

function unreachable({ destination, circuit, hosts }: Site, { message }: Mail): GatewayOutcome {
  const mta = hosts[0]?.host ?? ''
  const { name } = destination.kind
  return { id: message.id, result: 'deferred', stage: 'connect', reply: circuit.lastFault, mta, destination: name }
}

function createSite(traffic: Traffic, destination: Destination, given: Pick<Site, 'key' | 'hosts' | 'isVerified'>) {
  const { messages } = destination.kind
  const place = (): Place => ({ traffic, destination, site })
  const site: Site = {
    ...given,
    destination,
    settings: settingsFor(given.hosts[0]?.host ?? '', { messages, isVerified: given.isVerified }, traffic.settings),
    pool: createPool(ownerOf(place), {
      take: () => takeFor(place()),
      report(delivery, outcome) {
        destination.inFlight--
        settle(traffic, delivery, judge(destination, outcome, traffic.clock.now()))
        clear(place())
      },
      requeue(delivery) {
        destination.inFlight--
        site.requeued.push({ delivery, since: ticks() })
        site.waiting++
      },
    }),
    ...{ queues: new Map(), requeued: [], waiting: 0, circuit: createCircuit(), usedAt: ticks() },
  }
  return site
}

function createDestination({ clock, orders }: Traffic, kind: DestinationKind): Destination {
  const pace = createPace(kind, orders.senders, clock.now())
  suspendUntil(pace, orders.suspended.get(kind.name) ?? 0)
  const state = { inFlight: 0, lastRefusal: null, lastRefusalAt: null, usedAt: 0, backlog: { bulk: 0, other: 0 } }
  return { kind, pace, sites: new Map(), active: new Set(), ...state }
}

/** What the other senders and the operators say. */
export function obey(traffic: Traffic, orders: ShapingOrders): void {
  traffic.orders = orders
  for (const { kind, pace } of traffic.destinations.values()) {
    pace.senders = Math.max(1, orders.senders)
    suspendUntil(pace, orders.suspended.get(kind.name) ?? 0)
  }
}

/** The site of some hosts, and through it the destination; its hosts are those of the last look. */
export function siteOf(traffic: Traffic, hosts: readonly RouteHost[], isVerified: boolean): Site {
  const kind = traffic.grouping(hosts[0]?.host ?? '')
  const destination = traffic.destinations.get(kind.name) ?? createDestination(traffic, kind)
  traffic.destinations.set(kind.name, destination)
  const names = hosts.map(({ host, preference }) => `${preference} ${host}`)
  const key = `${isVerified} ${names.toSorted().join(' ')}`
  const site = destination.sites.get(key) ?? createSite(traffic, destination, { key, hosts, isVerified })
  destination.sites.set(key, site)
  site.hosts = hosts
  site.usedAt = ticks()
  destination.usedAt = traffic.clock.now()
  return site
}

function connectionsOfAll({ destinations }: Traffic): number {
  let sum = 0
  for (const destination of destinations.values()) if (destination.active.size > 0) sum += connectionsTo(destination)
  return sum
}

/** Whether a batch has as much waiting for a destination as can leave soon. */
function isFull(traffic: Traffic, { pace, active }: Destination, { batch }: Mail): boolean {
  const now = traffic.clock.now()
  const soon = Math.ceil((rateOf(pace, now) * traffic.settings.patienceMs) / 2000)
  let waiting = 0
  for (const { queues } of active) waiting += queues.get(batch)?.length ?? 0
  return waiting >= Math.min(MAX_WAITING, Math.max(soon, connectionsOf(pace, now)))
}

/** Why a message cannot wait here for a connection. */
function whyNot(traffic: Traffic, destination: Destination, delivery: Mail): Closed | undefined {
  const { message } = delivery
  const { name } = destination.kind
  const now = traffic.clock.now()
  if (traffic.closing) return ENDING
  const closed = closedTo(destination, traffic.orders, { account: message.origin?.account, now })
  if (closed !== undefined || !isFull(traffic, destination, delivery)) return closed
  return { reason: `as much waits for ${name} as can leave soon`, retryAfterMs: nextTurn(destination, message, now) }
}

/** Counts a message for the warm-up of its domain; why it must wait for another day. */
async function warmUp({ traffic, destination }: Pick<Place, 'traffic' | 'destination'>, delivery: Mail) {
  const { origin, domain } = delivery.message
  const { name } = destination.kind
  if (!traffic.warmUp || !origin || domain === undefined) return undefined
  const retryAfterMs = await traffic.warmUp.take(origin, domain, name).catch(() => undefined)
  if (retryAfterMs === undefined) return UNCOUNTED
  if (retryAfterMs > 0) return { reason: `${domain} is warming up: no more to ${name} today`, retryAfterMs }
  traffic.counted.set(delivery, () => traffic.warmUp?.giveBack(origin, domain, name))
  return traffic.closing ? ENDING : undefined
}

/** Puts a message where it waits for a connection; what cannot leave soon goes back at once. */
export async function place(traffic: Traffic, site: Site, delivery: Mail): Promise<void> {
  const { destination } = site
  const here = whyNot(traffic, destination, delivery)
  if (here) return sendBack(traffic, destination, delivery, here)
  if (waitOf(site.circuit, ticks()) > 0) return settle(traffic, delivery, unreachable(site, delivery))
  const today = await warmUp({ traffic, destination }, delivery)
  if (today) return sendBack(traffic, destination, delivery, today)
  enqueue(site, delivery)
  destination.active.add(site)
  turnSite(traffic, destination, site)
}

/** Lets a site's connections work; when it may have none, an idle one of another site ends in its favour. */
function turnSite(traffic: Traffic, destination: Destination, site: Site): void {
  if (openIn(site.pool) === 0) {
    const isFullUp = connectionsTo(destination) >= connectionsOf(destination.pace, traffic.clock.now())
    if (isFullUp) for (const other of destination.active) if (other.waiting === 0 && endIdle(other.pool)) break
  }
  spreadWork(site.pool)
}

function turn(traffic: Traffic, destination: Destination): void {
  for (const site of [...destination.active]) {
    if (site.waiting > 0) turnSite(traffic, destination, site)
    else if (openIn(site.pool) === 0) destination.active.delete(site)
  }
}

/** What waited too long goes back, and what may not go any more: its sender ends, or an operator holds it. */
function giveUp(traffic: Traffic, destination: Destination): void {
  const { name } = destination.kind
  const now = traffic.clock.now()
  const latest = ticks() - traffic.settings.patienceMs
  const reasons = new Map<Mail, Closed>()
  const isOver = ({ delivery, since }: Waiting): boolean => {
    const isEnding = traffic.closing || delivery.batch.listener.signal?.aborted === true
    const closed = isEnding
      ? ENDING
      : closedTo(destination, traffic.orders, { account: delivery.message.origin?.account, now })
    if (closed) reasons.set(delivery, closed)
    return closed !== undefined || since < latest
  }
  for (const site of destination.active) {
    for (const delivery of withdraw(site, isOver)) {
      const late = { reason: `no connection to ${name} was free`, retryAfterMs: 0 }
      const why = reasons.get(delivery) ?? { ...late, retryAfterMs: nextTurn(destination, delivery.message, now) }
      sendBack(traffic, destination, delivery, why)
    }
  }
}

/** Called over and over: rates let messages go, what waited too long goes back, what is not used any more is forgotten. */
export function sweep(traffic: Traffic): void {
  const now = traffic.clock.now()
  for (const [name, destination] of traffic.destinations) {
    if (destination.active.size > 0) {
      giveUp(traffic, destination)
      turn(traffic, destination)
      continue
    }
    for (const [key, site] of destination.sites)
      if (site.usedAt < ticks() - SITE_KEPT_MS && waitOf(site.circuit, ticks()) === 0) destination.sites.delete(key)
    const isForgotten = destination.sites.size === 0 && destination.usedAt < now - DESTINATION_KEPT_MS
    if (isForgotten && destination.pace.suspendedUntil < now) traffic.destinations.delete(name)
  }
}
