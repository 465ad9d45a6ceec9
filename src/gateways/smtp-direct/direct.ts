import { setImmediate as nextTask } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import type { MailDns } from '../../lib/dns.ts'
import { inALabels, wireAddress } from '../../lib/mail-address.ts'
import type { Check, Gateway, GatewayOutcome, OutgoingMail, WarmUp } from '../gateway.ts'
import { addBatch, type Delivery, stopQueue, takeDelivery } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { closePool } from '../smtp/pool.ts'
import { closedTo, describe, returned } from './destination.ts'
import type { DestinationTable } from './destination-table.ts'
import { groupingOf } from './destinations.ts'
import { type FetchPolicy, policyFinder } from './mta-sts.ts'
import { type FindRoute, type Route, router } from './route.ts'
import type { SmtpDirectSettings } from './settings.ts'
import { createTraffic, obey, place, settle, siteOf, sweep, type Traffic } from './traffic.ts'

/** What the gateway needs of the program. */
export interface DirectParts {
  clock: Clock
  dns: MailDns
  table: DestinationTable
  fetchPolicy: FetchPolicy
  warmUp?: WarmUp
}

/** Messages taken that have no outcome yet: those that wait, and those on their way. */
const MAX_OPEN = 1500
/** Messages are made while they are taken; so many, and then everything else has its turn. */
const SLICE = 25
const SWEEP_MS = 50
const CLOSING_MS = 5000

/** What a sender that ends has not begun. */
const ENDING = { reason: 'the sender ends', retryAfterMs: 0 }

/** A message that goes nowhere, by its domain. */
function outcomeOf({ id }: OutgoingMail, route: Exclude<Route, { hosts: unknown }>): GatewayOutcome {
  return 'refused' in route
    ? { id, result: 'refused', stage: 'rcpt', ...route.refused, mta: '' }
    : { id, result: 'deferred', stage: 'connect', reply: route.deferred, mta: '' }
}

/** In A-labels; empty for an address that is none. */
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
  /** Settled when the gateway closes: no message waits for a name server then. */
  closed: PromiseWithResolvers<undefined>
}

/** Takes one message to where it waits for a connection. Whatever goes wrong here is no message's fault. */
async function route({ traffic, findRoute, closed }: Direct, delivery: Delivery<OutgoingMail>): Promise<void> {
  const { message } = delivery
  try {
    const domain = domainOf(message)
    const found =
      domain === '' ? NO_ADDRESS : await Promise.race([findRoute(domain, traffic.clock.now()), closed.promise])
    if (found === undefined) settle(traffic, delivery, returned(delivery, domain, ENDING))
    else if ('hosts' in found) await place(traffic, siteOf(traffic, found.hosts, found.isVerified), delivery)
    else settle(traffic, delivery, outcomeOf(message, found))
  } catch (error) {
    settle(traffic, delivery, outcomeOf(message, { deferred: reasonOf(error) }))
  }
}

/** Takes messages as long as there is room, in slices: each is made when it is taken. */
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

/** Nothing more is taken; what waits goes back, what is on its way has some time. */
async function close({ traffic, closed }: Direct, graceMs: number): Promise<void> {
  traffic.closing = true
  const stop = { why: 'aborted', detail: 'the gateway is closing' } as const
  stopQueue(traffic.queue, stop, (delivery) => returned(delivery, '', ENDING))
  closed.resolve(undefined)
  sweep(traffic)
  const pools = [...traffic.destinations.values()].flatMap(({ sites }) => [...sites.values()].map(({ pool }) => pool))
  await Promise.all(pools.map((pool) => closePool(pool, graceMs)))
  // What came back from the connections that were cut.
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
 * Hands mail to the servers that its addressees' domains name (RFC 5321, 5.1), each destination at its own pace. A
 * message whose destination takes no more for now comes back at once, so that none delays another.
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
      obey: (orders) => obey(traffic, orders),
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
