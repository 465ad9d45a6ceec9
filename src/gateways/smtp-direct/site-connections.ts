import { createCircuit, resetFailures, waitOf } from '../../lib/time/backoff.ts'
import type { GatewayOutcome } from '../gateway.ts'
import { createPool, connectionsOf as openIn, type PoolOwner } from '../smtp/pool.ts'
import { closedTo, connectionsTo, judge, recordEnd, recordFault } from './destination.ts'
import type { DestinationKind } from './destinations.ts'
import { connectionsOf, createPace, hasToken, suspendUntil, takeToken } from './pace.ts'
import type { RouteHost } from './route.ts'
import { settingsFor } from './settings.ts'
import { type Destination, dequeue, fail, openTo, type Site, ticks, withdraw } from './site.ts'
import { advance, type Mail, sendBack, settle, type Traffic } from './traffic.ts'

export interface SiteContext {
  traffic: Traffic
  destination: Destination
  site: Site
}

function takeFor({ traffic, destination, site }: SiteContext): Mail | undefined {
  const { pace } = destination
  const now = traffic.clock.now()
  if (traffic.closing || site.waiting === 0 || !hasToken(pace, now)) return undefined
  const most = connectionsOf(pace, now)
  // More connections are open than wanted: the idle ones end.
  if ((pace.probing || connectionsTo(destination) > most) && destination.inFlight >= most) return undefined
  const delivery = dequeue(site)
  if (delivery === undefined) return undefined
  takeToken(pace)
  destination.inFlight++
  return delivery
}

/** Returns everything that waits for a destination, once that is suspended. */
function returnIfClosed({ traffic, destination }: Pick<SiteContext, 'traffic' | 'destination'>): void {
  const now = traffic.clock.now()
  if (closedTo(destination, { isHeld: () => false }, { account: undefined, now }) === undefined) return
  for (const site of destination.active) {
    for (const delivery of withdraw(site, () => true)) {
      const closed = closedTo(destination, traffic.orders, { account: undefined, now })
      if (closed) sendBack(traffic, destination, delivery, closed)
    }
  }
}

function ownerOf(context: () => SiteContext): PoolOwner {
  return {
    settings: () => context().site.settings,
    open: () => openTo(context().site, context().traffic.avoided),
    maxConnections() {
      const { traffic, destination, site } = context()
      const free = connectionsOf(destination.pace, traffic.clock.now()) - connectionsTo(destination)
      return openIn(site.pool) + Math.min(free, traffic.settings.connections - connectionsOfAll(traffic))
    },
    hasDelivery() {
      const { traffic, destination, site } = context()
      return (
        !traffic.closing &&
        site.waiting > 0 &&
        waitOf(site.circuit, ticks()) === 0 &&
        hasToken(destination.pace, traffic.clock.now())
      )
    },
    ended(fault) {
      const { traffic, destination, site } = context()
      resetFailures(site.circuit)
      if (fault !== undefined) recordEnd(destination, fault, traffic.clock.now())
      returnIfClosed(context())
    },
    failed: (fault) => recordFailure(context(), fault),
    changed: () => advance(context().traffic, context().destination),
  }
}

/** While other connections to the site are open, it seems to want fewer of them; with none, its mail is deferred. */
function recordFailure(context: SiteContext, fault: Error): void {
  const { traffic, destination, site } = context
  if (traffic.closing) return
  const isAlone = site.pool.sessions.size === 0
  recordFault(destination, fault, isAlone, traffic.clock.now())
  returnIfClosed(context)
  if (!isAlone || site.pool.opening > 0) return
  fail(site, fault.message)
  for (const delivery of withdraw(site, () => true)) settle(traffic, delivery, deferUnreachable(site, delivery))
}

export function deferUnreachable({ destination, circuit, hosts }: Site, { message }: Mail): GatewayOutcome {
  const mta = hosts[0]?.host ?? ''
  const { name } = destination.kind
  return { id: message.id, result: 'deferred', stage: 'connect', reply: circuit.lastFault, mta, destination: name }
}

function createSite(traffic: Traffic, destination: Destination, given: Pick<Site, 'key' | 'hosts' | 'isVerified'>) {
  const { messages } = destination.kind
  const context = (): SiteContext => ({ traffic, destination, site })
  const site: Site = {
    ...given,
    destination,
    settings: settingsFor(given.hosts[0]?.host ?? '', { messages, isVerified: given.isVerified }, traffic.settings),
    pool: createPool(ownerOf(context), {
      take: () => takeFor(context()),
      report(delivery, outcome) {
        destination.inFlight--
        settle(traffic, delivery, judge(destination, outcome, traffic.clock.now()))
        returnIfClosed(context())
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
  const state = {
    inFlight: 0,
    lastRefusal: null,
    lastRefusalAt: null,
    usedAt: 0,
    backlog: { bulk: 0, other: 0, at: 0 },
  }
  return { kind, pace, sites: new Map(), active: new Set(), ...state }
}

/** The site of some hosts, and through it the destination; with the hosts of the last look-up. */
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
