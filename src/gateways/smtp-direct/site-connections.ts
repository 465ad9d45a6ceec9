import { circuitWaitMs, createCircuitBreaker, resetCircuitBreaker } from '../../lib/time/backoff.ts'
import type { GatewayOutcome } from '../gateway.ts'
import { createSmtpPool, countSmtpConnections as openIn, type SmtpPoolOwner } from '../smtp/pool.ts'
import {
  applyDeliveryOutcome,
  countDestinationConnections,
  findDestinationClosure,
  recordConnectionEnd,
  recordConnectionFault,
} from './destination.ts'
import type { DestinationKind } from './destinations.ts'
import { createDestinationPace, getPaceConnections, hasPaceToken, suspendPaceUntil, takePaceToken } from './pace.ts'
import type { MailRouteHost } from './route.ts'
import { buildHostSmtpSettings } from './settings.ts'
import {
  dequeueSiteMail,
  getMonotonicMs,
  type MailDestination,
  type MailSite,
  openSiteSession,
  recordSiteFailure,
  withdrawSiteMails,
} from './site.ts'
import {
  advanceMailDestination,
  finalizeMailDelivery,
  type MailTraffic,
  type QueuedMail,
  returnMailDelivery,
} from './traffic.ts'

export interface MailSiteContext {
  traffic: MailTraffic
  destination: MailDestination
  site: MailSite
}

function takeFor({ traffic, destination, site }: MailSiteContext): QueuedMail | undefined {
  const { pace } = destination
  const now = traffic.clock.now()
  if (traffic.closing || site.waiting === 0 || !hasPaceToken(pace, now)) return undefined
  const most = getPaceConnections(pace, now)
  // More connections are open than wanted: the idle ones end.
  if ((pace.probing || countDestinationConnections(destination) > most) && destination.inFlight >= most)
    return undefined
  const delivery = dequeueSiteMail(site)
  if (delivery === undefined) return undefined
  takePaceToken(pace)
  destination.inFlight++
  return delivery
}

/** Returns everything that waits for a destination, once that is suspended. */
function returnIfClosed({ traffic, destination }: Pick<MailSiteContext, 'traffic' | 'destination'>): void {
  const now = traffic.clock.now()
  if (findDestinationClosure(destination, { isHeld: () => false }, { account: undefined, now }) === undefined) return
  for (const site of destination.active) {
    for (const delivery of withdrawSiteMails(site, () => true)) {
      const closed = findDestinationClosure(destination, traffic.orders, { account: undefined, now })
      if (closed) returnMailDelivery(traffic, destination, delivery, closed)
    }
  }
}

function ownerOf(context: () => MailSiteContext): SmtpPoolOwner {
  return {
    settings: () => context().site.settings,
    open: () => openSiteSession(context().site, context().traffic.avoided),
    maxConnections() {
      const { traffic, destination, site } = context()
      const free = getPaceConnections(destination.pace, traffic.clock.now()) - countDestinationConnections(destination)
      return openIn(site.pool) + Math.min(free, traffic.settings.connections - connectionsOfAll(traffic))
    },
    hasDelivery() {
      const { traffic, destination, site } = context()
      return (
        !traffic.closing &&
        site.waiting > 0 &&
        circuitWaitMs(site.circuit, getMonotonicMs()) === 0 &&
        hasPaceToken(destination.pace, traffic.clock.now())
      )
    },
    ended(fault) {
      const { traffic, destination, site } = context()
      resetCircuitBreaker(site.circuit)
      if (fault !== undefined) recordConnectionEnd(destination, fault, traffic.clock.now())
      returnIfClosed(context())
    },
    failed: (fault) => recordFailure(context(), fault),
    changed: () => advanceMailDestination(context().traffic, context().destination),
  }
}

/** While other connections to the site are open, it seems to want fewer of them; with none, its mail is deferred. */
function recordFailure(context: MailSiteContext, fault: Error): void {
  const { traffic, destination, site } = context
  if (traffic.closing) return
  const isAlone = site.pool.sessions.size === 0
  recordConnectionFault(destination, fault, isAlone, traffic.clock.now())
  returnIfClosed(context)
  if (!isAlone || site.pool.opening > 0) return
  recordSiteFailure(site, fault.message)
  for (const delivery of withdrawSiteMails(site, () => true))
    finalizeMailDelivery(traffic, delivery, deferUnreachableSite(site, delivery))
}

export function deferUnreachableSite(
  { destination, circuit, hosts }: MailSite,
  { message }: QueuedMail,
): GatewayOutcome {
  const mta = hosts[0]?.host ?? ''
  const { name } = destination.kind
  return { id: message.id, result: 'deferred', stage: 'connect', reply: circuit.lastFault, mta, destination: name }
}

function createSite(
  traffic: MailTraffic,
  destination: MailDestination,
  given: Pick<MailSite, 'key' | 'hosts' | 'isVerified'>,
) {
  const { messages } = destination.kind
  const context = (): MailSiteContext => ({ traffic, destination, site })
  const site: MailSite = {
    ...given,
    destination,
    settings: buildHostSmtpSettings(
      given.hosts[0]?.host ?? '',
      { messages, isVerified: given.isVerified },
      traffic.settings,
    ),
    pool: createSmtpPool(ownerOf(context), {
      take: () => takeFor(context()),
      report(delivery, outcome) {
        destination.inFlight--
        finalizeMailDelivery(traffic, delivery, applyDeliveryOutcome(destination, outcome, traffic.clock.now()))
        returnIfClosed(context())
      },
      requeue(delivery) {
        destination.inFlight--
        site.requeued.push({ delivery, since: getMonotonicMs() })
        site.waiting++
      },
    }),
    ...{ queues: new Map(), requeued: [], waiting: 0, circuit: createCircuitBreaker(), usedAt: getMonotonicMs() },
  }
  return site
}

function createDestination({ clock, orders }: MailTraffic, kind: DestinationKind): MailDestination {
  const pace = createDestinationPace(kind, orders.senders, clock.now())
  suspendPaceUntil(pace, orders.suspended.get(kind.name) ?? 0)
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
export function getMailSite(traffic: MailTraffic, hosts: readonly MailRouteHost[], isVerified: boolean): MailSite {
  const kind = traffic.grouping(hosts[0]?.host ?? '')
  const destination = traffic.destinations.get(kind.name) ?? createDestination(traffic, kind)
  traffic.destinations.set(kind.name, destination)
  const names = hosts.map(({ host, preference }) => `${preference} ${host}`)
  const key = `${isVerified} ${names.toSorted().join(' ')}`
  const site = destination.sites.get(key) ?? createSite(traffic, destination, { key, hosts, isVerified })
  destination.sites.set(key, site)
  site.hosts = hosts
  site.usedAt = getMonotonicMs()
  destination.usedAt = traffic.clock.now()
  return site
}

function connectionsOfAll({ destinations }: MailTraffic): number {
  let sum = 0
  for (const destination of destinations.values())
    if (destination.active.size > 0) sum += countDestinationConnections(destination)
  return sum
}
