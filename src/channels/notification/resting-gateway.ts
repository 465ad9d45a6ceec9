import type { Gateway, GatewayOutcome, SendListener } from '../../gateways/gateway.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { Clock } from '../../lib/clock.ts'

/** How long pushes of a provider that rests wait until it is looked at again; its activation makes them due before. */
const LOOK_AGAIN_MS = 300_000

const REASON = 'the provider rests: activate the application again'

/** What rests, and what its messages wait for. */
export interface Resting {
  name: string
  kind: string
  destination: string
}

function outcomeOf(push: OutgoingPush, destination: string, now: number): GatewayOutcome {
  const { id, sequence, expiresAt } = push
  const of = { id, ...(sequence !== undefined && { sequence }) }
  // One that was tried before is over at its time as those are that no service takes.
  if (now >= expiresAt) return { ...of, result: 'deferred', stage: 'data', reply: REASON, mta: '' }
  const retryAfterMs = Math.min(LOOK_AGAIN_MS, expiresAt - now)
  return { ...of, result: 'returned', destination, reason: REASON, retryAfterMs }
}

/** In place of the gateway of a provider that rests: sends nothing, and every push waits, without counting an attempt. */
export function openRestingGateway({ name, kind, destination }: Resting, clock: Clock): Gateway<OutgoingPush> {
  async function send(batch: Iterable<OutgoingPush>, listener: SendListener) {
    let taken = 0
    for (const push of batch) {
      taken++
      listener.outcome(outcomeOf(push, destination, clock.now()))
    }
    return { taken }
  }
  return {
    name,
    kind,
    channel: 'notification',
    send,
    check: async () => ({ ok: false, detail: REASON }),
    close: async () => undefined,
  }
}
