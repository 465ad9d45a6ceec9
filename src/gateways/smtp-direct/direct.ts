import { setImmediate as nextTask } from 'node:timers/promises'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { MailDnsResolver } from '../../lib/net/dns.ts'
import { toALabelDomain, toWireMailAddress } from '../../lib/text/mail-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DomainWarmUp, GatewayCheckResult, GatewayOutcome, MessageGateway, OutgoingMail } from '../gateway.ts'
import { enqueueDeliveryBatch, type QueuedDelivery, stopDeliveryQueue, takeQueuedDelivery } from '../queue.ts'
import { closeSmtpPool } from '../smtp/pool.ts'
import { admitMailDelivery, sweepMailTraffic } from './admission.ts'
import { buildReturnedOutcome, findDestinationClosure, toDestinationState } from './destination.ts'
import type { DestinationTable } from './destination-table.ts'
import { createDestinationGrouping } from './destinations.ts'
import { createMtaStsPolicyFinder, type MtaStsPolicyFetcher } from './mta-sts.ts'
import { createMailRouteFinder, type MailRoute, type MailRouteFinder } from './route.ts'
import type { SmtpDirectSettings } from './settings.ts'
import { getMailSite } from './site-connections.ts'
import { applyShapingOrders, createMailTraffic, finalizeMailDelivery, type MailTraffic } from './traffic.ts'

/** Services of the program that the gateway uses. */
export interface SmtpDirectServices {
  clock: Clock
  dns: MailDnsResolver
  table: DestinationTable
  fetchPolicy: MtaStsPolicyFetcher
  warmUp?: DomainWarmUp
}

/** Messages taken that have no outcome yet: waiting or in flight. */
const MAX_OPEN_MESSAGES = 1500
/** Messages are composed when they are accepted. The event loop runs after each slice of this size. */
const SLICE_MESSAGES = 25
const SWEEP_INTERVAL_MS = 50
const CLOSE_GRACE_MS = 5000

/** For messages that a stopping sender does not send any more. */
const ENDING_SENDER = { reason: 'the sender is stopping', retryAfterMs: 0 }

/** The outcome of a message whose domain has no route. */
function toUnroutedOutcome({ id }: OutgoingMail, route: Exclude<MailRoute, { hosts: unknown }>): GatewayOutcome {
  return 'refused' in route
    ? { id, result: 'refused', stage: 'rcpt', ...route.refused, mta: '' }
    : { id, result: 'deferred', stage: 'connect', reply: route.deferred, mta: '' }
}

/** In A-labels; empty for an invalid address. */
function getRecipientDomain({ envelope }: OutgoingMail): string {
  const address = toWireMailAddress(envelope.to) ?? ''
  return toALabelDomain(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
}

const INVALID_ADDRESS_ROUTE: MailRoute = {
  refused: { code: 553, enhanced: '5.1.3', reply: '553 5.1.3 The address is not valid.' },
}

interface DirectGateway {
  traffic: MailTraffic
  findRoute: MailRouteFinder
  isPumping: boolean
  /** Settled when the gateway closes, so that no message waits for a name server then. */
  closed: PromiseWithResolvers<undefined>
}

/** Queues one message where it waits for a connection. Errors here defer it. */
async function route(
  { traffic, findRoute, closed }: DirectGateway,
  delivery: QueuedDelivery<OutgoingMail>,
): Promise<void> {
  const { message } = delivery
  try {
    const domain = getRecipientDomain(message)
    const mailRoute =
      domain === ''
        ? INVALID_ADDRESS_ROUTE
        : await Promise.race([findRoute(domain, traffic.clock.now()), closed.promise])
    if (mailRoute === undefined)
      finalizeMailDelivery(traffic, delivery, buildReturnedOutcome(delivery, domain, ENDING_SENDER))
    else if ('hosts' in mailRoute)
      await admitMailDelivery(traffic, getMailSite(traffic, mailRoute.hosts, mailRoute.isVerified), delivery)
    else finalizeMailDelivery(traffic, delivery, toUnroutedOutcome(message, mailRoute))
  } catch (error) {
    finalizeMailDelivery(traffic, delivery, toUnroutedOutcome(message, { deferred: formatErrorReason(error) }))
  }
}

/** Takes messages while there is room. */
async function acceptMessages(directGateway: DirectGateway): Promise<void> {
  const { traffic } = directGateway
  if (directGateway.isPumping) return
  directGateway.isPumping = true
  for (let messageCount = 1; !traffic.closing && traffic.open < MAX_OPEN_MESSAGES; messageCount++) {
    const delivery = takeQueuedDelivery(traffic.queue)
    if (delivery === undefined) break
    traffic.open++
    void route(directGateway, delivery)
    if (messageCount % SLICE_MESSAGES === 0) await nextTask()
  }
  directGateway.isPumping = false
}

/** Takes no more; returns what waits, gives messages in flight some time. */
async function closeGateway({ traffic, closed }: DirectGateway, graceMs: number): Promise<void> {
  traffic.closing = true
  const stop = { why: 'aborted', detail: 'the gateway is closing' } as const
  stopDeliveryQueue(traffic.queue, stop, (delivery) => buildReturnedOutcome(delivery, '', ENDING_SENDER))
  closed.resolve(undefined)
  sweepMailTraffic(traffic)
  const pools = [...traffic.destinations.values()].flatMap(({ sites }) => [...sites.values()].map(({ pool }) => pool))
  await Promise.all(pools.map((pool) => closeSmtpPool(pool, graceMs)))
  // Messages requeued by the connections that were ended.
  sweepMailTraffic(traffic)
}

async function checkDns(dns: MailDnsResolver): Promise<GatewayCheckResult> {
  try {
    await dns.exchanges('example.com')
    return {
      ok: true,
      detail: 'the name servers respond; the first message shows if port 25 is reachable',
    }
  } catch (error) {
    return { ok: false, detail: formatErrorReason(error) }
  }
}

/**
 * Sends mail to the MX hosts of its recipients' domains (RFC 5321, 5.1), each destination at its own rate. A message
 * whose destination takes no more for now is returned at once, so that none delays another.
 */
export function openSmtpDirectGateway(
  name: string,
  settings: SmtpDirectSettings,
  { clock, dns, table, fetchPolicy, warmUp }: SmtpDirectServices,
): MessageGateway<OutgoingMail> {
  const traffic = createMailTraffic({
    settings,
    clock,
    grouping: createDestinationGrouping(table),
    warmUp,
    onRoom: () => void acceptMessages(directGateway),
  })
  const findPolicy = settings.mtaSts ? createMtaStsPolicyFinder(dns, fetchPolicy) : undefined
  const findRoute = createMailRouteFinder({ dns, findPolicy, allowPrivate: settings.allowPrivate })
  const directGateway: DirectGateway = { traffic, findRoute, isPumping: false, closed: Promise.withResolvers() }
  const sweepTimer = setInterval(() => sweepMailTraffic(traffic), SWEEP_INTERVAL_MS).unref()
  return {
    name,
    kind: 'smtp-direct',
    channel: 'email',
    shaping: {
      states: () =>
        [...traffic.destinations.values()].map((destinationEntry) => toDestinationState(destinationEntry, clock.now())),
      applyOrders: (orders) => applyShapingOrders(traffic, orders),
      closed(account, destination) {
        const existingDestination = traffic.destinations.get(destination)
        return (
          existingDestination &&
          findDestinationClosure(existingDestination, traffic.orders, { account, now: clock.now() })
        )
      },
    },
    async send(batch, listener) {
      if (traffic.closing) return { taken: 0, stop: { why: 'aborted', detail: 'the gateway is closing' } }
      const result = enqueueDeliveryBatch(traffic.queue, batch, listener)
      void acceptMessages(directGateway)
      return result
    },
    check: () => checkDns(dns),
    async close(graceMs = CLOSE_GRACE_MS) {
      await closeGateway(directGateway, graceMs)
      clearInterval(sweepTimer)
    },
  }
}
