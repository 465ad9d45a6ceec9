import type { GatewayOutcome, MessageGateway, SendBatchListener } from '../../gateways/gateway.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Delay before pushes of a suspended provider are checked again. Its activation makes them due earlier. */
const RECHECK_MS = 300_000

/** That a rest has begun or ended is noticed so late. */
const STATUS_LAG_MS = 3000

/** A suspended provider, and the condition its messages wait for. */
export interface SuspendedPushProvider {
  name: string
  kind: string
  destination: string
  reason: string
  /** End of the suspension, in milliseconds since 1970; absent: a user has to end it. */
  until?: number
}

function buildOutcome(
  push: OutgoingPush,
  { destination, reason, until }: SuspendedPushProvider,
  now: number,
): GatewayOutcome {
  const { id, sequence, expiresAt } = push
  const deliveryId = { id, ...(sequence !== undefined && { sequence }) }
  // One that was tried before is over at its time as those are that no service takes.
  if (now >= expiresAt) return { ...deliveryId, result: 'deferred', stage: 'data', reply: reason, mta: '' }
  const waitMs = until === undefined ? RECHECK_MS : Math.max(until - now, STATUS_LAG_MS)
  const retryAfterMs = Math.min(waitMs, expiresAt - now)
  return { ...deliveryId, result: 'returned', destination, reason, retryAfterMs }
}

/** In place of the gateway of a provider that rests: sends nothing, and every push waits, without counting an attempt. */
export function openSuspendedPushGateway(resting: SuspendedPushProvider, clock: Clock): MessageGateway<OutgoingPush> {
  async function send(batch: Iterable<OutgoingPush>, listener: SendBatchListener) {
    let acceptedCount = 0
    for (const push of batch) {
      acceptedCount++
      listener.outcome(buildOutcome(push, resting, clock.now()))
    }
    return { taken: acceptedCount }
  }
  const { name, kind, reason } = resting
  return {
    name,
    kind,
    channel: 'notification',
    send,
    check: async () => ({ ok: false, detail: reason }),
    close: async () => undefined,
  }
}
