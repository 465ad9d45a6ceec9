import type { GatewayOutcome, MessageGateway, SendBatchListener } from '../../gateways/gateway.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** How long pushes of a provider that rests wait until it is looked at again; its activation makes them due before. */
const LOOK_AGAIN_MS = 300_000

/** That a rest has begun or ended is noticed so late. */
const NOTICED_MS = 3000

/** What rests, and what its messages wait for. */
export interface SuspendedPushProvider {
  name: string
  kind: string
  destination: string
  reason: string
  /** When it ends, in milliseconds since 1970; absent: when somebody says so. */
  until?: number
}

function outcomeOf(
  push: OutgoingPush,
  { destination, reason, until }: SuspendedPushProvider,
  now: number,
): GatewayOutcome {
  const { id, sequence, expiresAt } = push
  const of = { id, ...(sequence !== undefined && { sequence }) }
  // One that was tried before is over at its time as those are that no service takes.
  if (now >= expiresAt) return { ...of, result: 'deferred', stage: 'data', reply: reason, mta: '' }
  const restMs = until === undefined ? LOOK_AGAIN_MS : Math.max(until - now, NOTICED_MS)
  const retryAfterMs = Math.min(restMs, expiresAt - now)
  return { ...of, result: 'returned', destination, reason, retryAfterMs }
}

/** In place of the gateway of a provider that rests: sends nothing, and every push waits, without counting an attempt. */
export function openSuspendedPushGateway(resting: SuspendedPushProvider, clock: Clock): MessageGateway<OutgoingPush> {
  async function send(batch: Iterable<OutgoingPush>, listener: SendBatchListener) {
    let taken = 0
    for (const push of batch) {
      taken++
      listener.outcome(outcomeOf(push, resting, clock.now()))
    }
    return { taken }
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
