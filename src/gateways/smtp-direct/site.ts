import { formatErrorReason } from '../../lib/errors/reason.ts'
import {
  type BackoffPolicy,
  type CircuitBreaker,
  countCircuitFailure,
  FIFTH_JITTER,
  openCircuitBreaker,
} from '../../lib/time/backoff.ts'
import type { OutgoingMail } from '../gateway.ts'
import type { QueuedDelivery } from '../queue.ts'
import type { SmtpPool } from '../smtp/pool.ts'
import { SmtpSessionRefused } from '../smtp/reply.ts'
import { openSmtpSession, type SmtpSession, type SmtpSessionContext } from '../smtp/session.ts'
import type { SmtpSettings } from '../smtp/settings.ts'
import { SmtpWireFault } from '../smtp/wire.ts'
import type { DestinationKind } from './destinations.ts'
import type { DestinationPace } from './pace.ts'
import { type MailRouteHost, orderHostsByPreference } from './route.ts'

/** A message that waits for a connection, and since when (milliseconds of performance.now). */
export interface WaitingMail {
  delivery: QueuedDelivery<OutgoingMail>
  since: number
}

/** The operator of some MX hosts, with the state this sender keeps of it. Times are milliseconds since 1970. */
export interface MailDestination {
  kind: DestinationKind
  pace: DestinationPace
  sites: Map<string, MailSite>
  /** Those with something to do, or with connections. */
  active: Set<MailSite>
  /** Messages taken by connections. */
  inFlight: number
  lastRefusal: string | null
  lastRefusalAt: number | null
  usedAt: number
  /** Due time of the last returned message, for campaigns and for other messages, and the time of the most recent return. */
  backlog: { bulk: number; other: number; at: number }
}

/** The MX hosts of one domain or of several, with the connections to them. */
export interface MailSite {
  key: string
  destination: MailDestination
  hosts: readonly MailRouteHost[]
  isVerified: boolean
  /** Settings of all its connections; only the name of the host differs. */
  settings: SmtpSettings
  pool: SmtpPool
  /** Waiting messages by batch: batches take turns, so that a small one does not wait behind a long one. */
  queues: Map<QueuedDelivery<OutgoingMail>['batch'], WaitingMail[]>
  /** From connections that ended; sent first. */
  requeued: WaitingMail[]
  waiting: number
  /** Its failures are rounds in which no host could be used; its times are of performance.now(). */
  circuit: CircuitBreaker
  usedAt: number
}

/** For so long a host that could not be reached is tried after the others. */
const AVOIDANCE_MS = 5 * 60_000
/** Addresses tried for one connection. */
const MAX_ADDRESS_ATTEMPTS = 5
const siteBackoff: BackoffPolicy = { firstMs: 30_000, maxMs: 15 * 60_000, jitter: FIFTH_JITTER }

export const getMonotonicMs = (): number => performance.now()

/** A connection to the first address that answers: by preference, those that failed recently last. Throws the last fault. */
export async function openSiteSession(site: MailSite, avoided: Map<string, number>): Promise<SmtpSession> {
  const targets = orderHostsByPreference(site.hosts).flatMap(({ host, addresses }) =>
    addresses.map((address) => ({ host, address })),
  )
  const isAvoided = ({ address }: { address: string }) => (avoided.get(address) ?? 0) > getMonotonicMs()
  const orderedTargets = [...targets.filter((target) => !isAvoided(target)), ...targets.filter(isAvoided)]
  let fault: unknown = new Error('no host to connect to')
  for (const { host, address } of orderedTargets.slice(0, MAX_ADDRESS_ATTEMPTS)) {
    const context: SmtpSessionContext = {
      settings: { ...site.settings, host },
      address,
      secrets: undefined,
      tickets: { last: undefined },
      signal: site.pool.cut.signal,
    }
    try {
      const session = await openSmtpSession(context)
      avoided.delete(address)
      return session
    } catch (error) {
      // The reply of a server is more useful than a failed connection.
      if (error instanceof SmtpSessionRefused || !(fault instanceof SmtpSessionRefused)) fault = error
      if (site.pool.closing) break
      if (error instanceof SmtpWireFault) avoided.set(address, getMonotonicMs() + AVOIDANCE_MS)
    }
  }
  throw fault instanceof Error ? fault : new Error(formatErrorReason(fault))
}

/** No host could be used: the site is not tried for a time that doubles. */
export function recordSiteFailure(site: MailSite, fault: string, random: () => number = Math.random): void {
  openCircuitBreaker(site.circuit, countCircuitFailure(site.circuit, siteBackoff, random), fault, getMonotonicMs())
}

/** Puts a message behind the others of its batch. */
export function enqueueSiteMail(site: MailSite, delivery: QueuedDelivery<OutgoingMail>): void {
  const queue = site.queues.get(delivery.batch)
  const waitingMail = { delivery, since: getMonotonicMs() }
  if (queue) queue.push(waitingMail)
  else site.queues.set(delivery.batch, [waitingMail])
  site.waiting++
}

/** The next message, of the batch whose turn it is. */
export function dequeueSiteMail(site: MailSite): QueuedDelivery<OutgoingMail> | undefined {
  const requeuedMail = site.requeued.shift()
  if (requeuedMail !== undefined) {
    site.waiting--
    return requeuedMail.delivery
  }
  for (const [batch, queue] of site.queues) {
    const nextMail = queue.shift()
    site.queues.delete(batch)
    if (queue.length > 0) site.queues.set(batch, queue)
    if (nextMail === undefined) continue
    site.waiting--
    return nextMail.delivery
  }
  return undefined
}

/** Removes the chosen messages from the queues and answers them. */
export function withdrawSiteMails(
  site: MailSite,
  isChosen: (waitingMail: WaitingMail) => boolean,
): QueuedDelivery<OutgoingMail>[] {
  const chosenDeliveries: QueuedDelivery<OutgoingMail>[] = []
  const isRetained = (waitingMail: WaitingMail): boolean => {
    if (!isChosen(waitingMail)) return true
    chosenDeliveries.push(waitingMail.delivery)
    return false
  }
  site.requeued = site.requeued.filter(isRetained)
  for (const [batch, queue] of site.queues) {
    const remainingMails = queue.filter(isRetained)
    if (remainingMails.length > 0) site.queues.set(batch, remainingMails)
    else site.queues.delete(batch)
  }
  site.waiting -= chosenDeliveries.length
  return chosenDeliveries
}
