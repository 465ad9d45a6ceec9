import { setImmediate as nextTask } from 'node:timers/promises'
import { reasonOf } from '../../lib/errors/reason.ts'
import type { MailDns } from '../../lib/net/dns.ts'
import { inALabels, wireAddress } from '../../lib/text/mail-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Check, Gateway, GatewayOutcome, OutgoingMail, WarmUp } from '../gateway.ts'
import { addBatch, type Delivery, stopQueue, takeDelivery } from '../queue.ts'
import { closePool } from '../smtp/pool.ts'
import { admit, sweep } from './admission.ts'
import { closedTo, describe, returned } from './destination.ts'
import type { DestinationTable } from './destination-table.ts'
import { groupingOf } from './destinations.ts'
import { type FetchPolicy, policyFinder } from './mta-sts.ts'
import { type FindRoute, type Route, router } from './route.ts'
import type { SmtpDirectSettings } from './settings.ts'
import { siteOf } from './site-connections.ts'
import { applyOrders, createTraffic, settle, type Traffic } from './traffic.ts'

/** Services of the program that the gateway uses. */
export interface DirectParts {
  clock: Clock
  dns: MailDns
  table: DestinationTable
  fetchPolicy: FetchPolicy
  warmUp?: WarmUp
}

/** Messages taken that have no outcome yet: waiting or in flight. */
const MAX_OPEN = 1500
/** Messages are composed while they are taken: after so many the event loop runs. */
const SLICE = 25
const SWEEP_MS = 50
const CLOSING_MS = 5000

/** For messages that a stopping sender does not send any more. */
const ENDING = { reason: 'the sender ends', retryAfterMs: 0 }

/** The outcome of a message whose domain has no route. */
function outcomeOf({ id }: OutgoingMail, route: Exclude<Route, { hosts: unknown }>): GatewayOutcome {
  return 'refused' in route
    ? { id, result: 'refused', stage: 'rcpt', ...route.refused, mta: '' }
    : { id, result: 'deferred', stage: 'connect', reply: route.deferred, mta: '' }
}

/** In A-labels; empty for an invalid address. */
function domainOf({ envelope }: OutgoingMail): string {
  const address = wireAddress(envelope.to) ?? ''
  return inALabels(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
}

const NO_ADDRESS: Route = {
  refused: { code: 553, enhanced: '5.1.3', reply: '553 5.1.3 The address is not valid.' },
}

interface Direct {
  traffic: Traffic
  findRoute: FindRoute
  isPumping: boolean
  /** Settled when the gateway closes, so that no message waits for a name server then. */
  closed: PromiseWithResolvers<undefined>
}

/** Queues one message where it waits for a connection. Errors here defer it. */
async function route({ traffic, findRoute, closed }: Direct, delivery: Delivery<OutgoingMail>): Promise<void> {
  const { message } = delivery
  try {
    const domain = domainOf(message)
    const found =
      domain === '' ? NO_ADDRESS : await Promise.race([findRoute(domain, traffic.clock.now()), closed.promise])
    if (found === undefined) settle(traffic, delivery, returned(delivery, domain, ENDING))
    else if ('hosts' in found) await admit(traffic, siteOf(traffic, found.hosts, found.isVerified), delivery)
    else settle(traffic, delivery, outcomeOf(message, found))
  } catch (error) {
    settle(traffic, delivery, outcomeOf(message, { deferred: reasonOf(error) }))
  }
}

/** Takes messages while there is room. */
async function pump(direct: Direct): Promise<void> {
  const { traffic } = direct
  if (direct.isPumping) return
  direct.isPumping = true
  for (let n = 1; !traffic.closing && traffic.open < MAX_OPEN; n++) {
    const delivery = takeDelivery(traffic.queue)
    if (delivery === undefined) break
    traffic.open++
    void route(direct, delivery)
    if (n % SLICE === 0) await nextTask()
  }
  direct.isPumping = false
}

/** Takes no more; returns what waits, gives messages in flight some time. */
async function close({ traffic, closed }: Direct, graceMs: number): Promise<void> {
  traffic.closing = true
  const stop = { why: 'aborted', detail: 'the gateway is closing' } as const
  stopQueue(traffic.queue, stop, (delivery) => returned(delivery, '', ENDING))
  closed.resolve(undefined)
  sweep(traffic)
  const pools = [...traffic.destinations.values()].flatMap(({ sites }) => [...sites.values()].map(({ pool }) => pool))
  await Promise.all(pools.map((pool) => closePool(pool, graceMs)))
  // Messages requeued by the connections that were ended.
  sweep(traffic)
}

async function check(dns: MailDns): Promise<Check> {
  try {
    await dns.exchanges('example.com')
    return {
      ok: true,
      detail: 'the name servers answer; whether servers can be reached on port 25 shows with the mail',
    }
  } catch (error) {
    return { ok: false, detail: reasonOf(error) }
  }
}

/**
 * Sends mail to the MX hosts of its recipients' domains (RFC 5321, 5.1), each destination at its own rate. A message
 * whose destination takes no more for now is returned at once, so that none delays another.
 */
export function openSmtpDirectGateway(
  name: string,
  settings: SmtpDirectSettings,
  { clock, dns, table, fetchPolicy, warmUp }: DirectParts,
): Gateway<OutgoingMail> {
  const traffic = createTraffic({
    settings,
    clock,
    grouping: groupingOf(table),
    warmUp,
    onRoom: () => void pump(direct),
  })
  const findPolicy = settings.mtaSts ? policyFinder(dns, fetchPolicy) : undefined
  const findRoute = router({ dns, findPolicy, allowPrivate: settings.allowPrivate })
  const direct: Direct = { traffic, findRoute, isPumping: false, closed: Promise.withResolvers() }
  const sweeping = setInterval(() => sweep(traffic), SWEEP_MS).unref()
  return {
    name,
    kind: 'smtp-direct',
    channel: 'email',
    shaping: {
      states: () => [...traffic.destinations.values()].map((one) => describe(one, clock.now())),
      applyOrders: (orders) => applyOrders(traffic, orders),
      closed(account, destination) {
        const known = traffic.destinations.get(destination)
        return known && closedTo(known, traffic.orders, { account, now: clock.now() })
      },
    },
    async send(batch, listener) {
      if (traffic.closing) return { taken: 0, stop: { why: 'aborted', detail: 'the gateway is closing' } }
      const result = addBatch(traffic.queue, batch, listener)
      void pump(direct)
      return result
    },
    check: () => check(dns),
    async close(graceMs = CLOSING_MS) {
      await close(direct, graceMs)
      clearInterval(sweeping)
    },
  }
}
