import { circuitWaitMs, createCircuitBreaker, resetCircuitBreaker } from '../../lib/time/backoff.ts'
import type { GatewayOutcome } from '../gateway.ts'
import { countSmtpConnections, createSmtpPool, type SmtpPoolOwner } from '../smtp/pool.ts'
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

function takeSiteDelivery({ traffic, destination, site }: MailSiteContext): QueuedMail | undefined {
  const { pace } = destination
  const now = traffic.clock.now()
  if (traffic.closing || site.waiting === 0 || !hasPaceToken(pace, now)) return undefined
  const maxConnectionCount = getPaceConnections(pace, now)
  // More connections are open than wanted: the idle ones end.
  if (
    (pace.probing || countDestinationConnections(destination) > maxConnectionCount) &&
    destination.inFlight >= maxConnectionCount
  )
    return undefined
  const delivery = dequeueSiteMail(site)
  if (delivery === undefined) return undefined
  takePaceToken(pace)
  destination.inFlight++
  return delivery
}

/** Returns everything that waits for a destination, once that is suspended. */
function returnWaitingIfClosed({ traffic, destination }: Pick<MailSiteContext, 'traffic' | 'destination'>): void {
  const now = traffic.clock.now()
  if (findDestinationClosure(destination, { isHeld: () => false }, { account: undefined, now }) === undefined) return
  for (const site of destination.active) {
    for (const delivery of withdrawSiteMails(site, () => true)) {
      const closure = findDestinationClosure(destination, traffic.orders, { account: undefined, now })
      if (closure) returnMailDelivery(traffic, destination, delivery, closure)
    }
  }
}

function createPoolOwner(context: () => MailSiteContext): SmtpPoolOwner {
  return {
    settings: () => context().site.settings,
    open: () => openSiteSession(context().site, context().traffic.avoided),
    maxConnections() {
      const { traffic, destination, site } = context()
      const freeConnections =
        getPaceConnections(destination.pace, traffic.clock.now()) - countDestinationConnections(destination)
      return (
        countSmtpConnections(site.pool) +
        Math.min(freeConnections, traffic.settings.connections - countAllConnections(traffic))
      )
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
      returnWaitingIfClosed(context())
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
  returnWaitingIfClosed(context)
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
  siteIdentity: Pick<MailSite, 'key' | 'hosts' | 'isVerified'>,
) {
  const { messages: messageLimit } = destination.kind
  const context = (): MailSiteContext => ({ traffic, destination, site })
  const site: MailSite = {
    ...siteIdentity,
    destination,
    settings: buildHostSmtpSettings(
      siteIdentity.hosts[0]?.host ?? '',
      { messages: messageLimit, isVerified: siteIdentity.isVerified },
      traffic.settings,
    ),
    pool: createSmtpPool(createPoolOwner(context), {
      take: () => takeSiteDelivery(context()),
      report(delivery, outcome) {
        destination.inFlight--
        finalizeMailDelivery(traffic, delivery, applyDeliveryOutcome(destination, outcome, traffic.clock.now()))
        returnWaitingIfClosed(context())
      },
      requeue(delivery) {
        destination.inFlight--
        site.requeued.push({ delivery, since: getMonotonicMs() })
        site.waiting++
      },
    }),
    queues: new Map(),
    requeued: [],
    waiting: 0,
    circuit: createCircuitBreaker(),
    usedAt: getMonotonicMs(),
  }
  return site
}

function createDestination({ clock, orders }: MailTraffic, kind: DestinationKind): MailDestination {
  const pace = createDestinationPace(kind, orders.senders, clock.now())
  suspendPaceUntil(pace, orders.suspended.get(kind.name) ?? 0)
  const initialState = {
    inFlight: 0,
    lastRefusal: null,
    lastRefusalAt: null,
    usedAt: 0,
    backlog: { bulk: 0, other: 0, at: 0 },
  }
  return { kind, pace, sites: new Map(), active: new Set(), ...initialState }
}

/** The site of some hosts, and through it the destination; with the hosts of the last look-up. */
export function getMailSite(traffic: MailTraffic, hosts: readonly MailRouteHost[], isVerified: boolean): MailSite {
  const kind = traffic.grouping(hosts[0]?.host ?? '')
  const destination = traffic.destinations.get(kind.name) ?? createDestination(traffic, kind)
  traffic.destinations.set(kind.name, destination)
  const hostNames = hosts.map(({ host, preference }) => `${preference} ${host}`)
  const key = `${isVerified} ${hostNames.toSorted().join(' ')}`
  const site = destination.sites.get(key) ?? createSite(traffic, destination, { key, hosts, isVerified })
  destination.sites.set(key, site)
  site.hosts = hosts
  site.usedAt = getMonotonicMs()
  destination.usedAt = traffic.clock.now()
  return site
}

function countAllConnections({ destinations }: MailTraffic): number {
  let totalConnections = 0
  for (const destination of destinations.values())
    if (destination.active.size > 0) totalConnections += countDestinationConnections(destination)
  return totalConnections
}
