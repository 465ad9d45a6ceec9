import { waitOf } from '../../lib/time/backoff.ts'
import type { Closed } from '../gateway.ts'
import { closedTo, nextTurn } from './destination.ts'
import { connectionsOf, rateOf } from './pace.ts'
import { type Destination, enqueue, type Site, ticks, type Waiting, withdraw } from './site.ts'
import { deferUnreachable, type SiteContext } from './site-connections.ts'
import { advance, advanceSite, ENDING, type Mail, sendBack, settle, type Traffic } from './traffic.ts'

/** The warm-up cannot be counted now. */
const UNCOUNTED: Closed = { reason: 'the counts of the warm-up are away', retryAfterMs: 5000 }

/** Messages of one batch that may wait for one destination. */
const MAX_WAITING = 250
const SITE_KEPT_MS = 60_000
const DESTINATION_KEPT_MS = 30 * 60_000

/** Whether as much of a batch waits for a destination as can be sent soon. */
function isFull(traffic: Traffic, { pace, active }: Destination, { batch }: Mail): boolean {
  const now = traffic.clock.now()
  const sentSoon = Math.ceil((rateOf(pace, now) * traffic.settings.patienceMs) / 2000)
  let waiting = 0
  for (const { queues } of active) waiting += queues.get(batch)?.length ?? 0
  return waiting >= Math.min(MAX_WAITING, Math.max(sentSoon, connectionsOf(pace, now)))
}

/** Why a message cannot wait here for a connection; undefined: it can. */
function reasonToReturn(traffic: Traffic, destination: Destination, delivery: Mail): Closed | undefined {
  const { message } = delivery
  const { name } = destination.kind
  const now = traffic.clock.now()
  if (traffic.closing) return ENDING
  const closed = closedTo(destination, traffic.orders, { account: message.origin?.account, now })
  if (closed !== undefined || !isFull(traffic, destination, delivery)) return closed
  return { reason: `as much waits for ${name} as can be sent soon`, retryAfterMs: nextTurn(destination, message, now) }
}

/** Counts a message for the warm-up of its domain; answers why it must wait for another day. */
async function countWarmUp({ traffic, destination }: Pick<SiteContext, 'traffic' | 'destination'>, delivery: Mail) {
  const { origin, domain } = delivery.message
  const { name } = destination.kind
  if (!traffic.warmUp || !origin || domain === undefined) return undefined
  const retryAfterMs = await traffic.warmUp.take(origin, domain, name).catch(() => undefined)
  if (retryAfterMs === undefined) return UNCOUNTED
  if (retryAfterMs > 0) return { reason: `${domain} is warming up: no more to ${name} today`, retryAfterMs }
  traffic.counted.set(delivery, () => traffic.warmUp?.giveBack(origin, domain, name))
  return traffic.closing ? ENDING : undefined
}

/** Queues a message for a connection; one that cannot be sent soon is returned at once. */
export async function admit(traffic: Traffic, site: Site, delivery: Mail): Promise<void> {
  const { destination } = site
  const closed = reasonToReturn(traffic, destination, delivery)
  if (closed) return sendBack(traffic, destination, delivery, closed)
  if (waitOf(site.circuit, ticks()) > 0) return settle(traffic, delivery, deferUnreachable(site, delivery))
  const overQuota = await countWarmUp({ traffic, destination }, delivery)
  if (overQuota) return sendBack(traffic, destination, delivery, overQuota)
  enqueue(site, delivery)
  destination.active.add(site)
  advanceSite(traffic, destination, site)
}

/** Returns messages that waited too long, or may not be sent any more: the sender stops, or an operator holds them. */
function returnOverdue(traffic: Traffic, destination: Destination): void {
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

/** Periodic: sends what the rates allow, returns what waited too long, forgets unused destinations. */
export function sweep(traffic: Traffic): void {
  const now = traffic.clock.now()
  for (const [name, destination] of traffic.destinations) {
    if (destination.active.size > 0) {
      returnOverdue(traffic, destination)
      advance(traffic, destination)
      continue
    }
    for (const [key, site] of destination.sites)
      if (site.usedAt < ticks() - SITE_KEPT_MS && waitOf(site.circuit, ticks()) === 0) destination.sites.delete(key)
    const isUnused = destination.sites.size === 0 && destination.usedAt < now - DESTINATION_KEPT_MS
    if (isUnused && destination.pace.suspendedUntil < now) traffic.destinations.delete(name)
  }
}
