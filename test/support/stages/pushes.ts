import type { DeliveryKey, GatewayOutcome, MessageGateway, SendBatchResult } from '../../../src/gateways/gateway.ts'
import type { PushGatewayContext } from '../../../src/gateways/push/context.ts'
import type { OutgoingPush } from '../../../src/gateways/push-message.ts'
import { createOutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import type { PushAnswer, PushPeer } from '../../fakes/push/push-peer.ts'

/** The stamp of a push of a test. */
export const stampOf = (id: number) => `0198c301-0000-7000-8000-${String(id).padStart(12, '0')}`

/** One push; its device is of the one token. */
export function pushOf(id: number, more: Partial<OutgoingPush> = {}): OutgoingPush {
  return {
    id,
    device: { token: id.toString(16).padStart(64, '0') },
    meta: {
      notification: 12,
      version: '0198c300-2222-7333-8444-555566668888',
      application: '7d0b6a5e-1f2a-4c3b-8d4e-944455556666',
      subscription: `3b1e77aa-0c0d-4e0f-8a1b-${String(id).padStart(12, '0')}`,
      stamp: { time: 1_770_300_000_000, id: stampOf(id), thread: stampOf(id), set: stampOf(0) },
      channel: 'marketing',
      redirection: 'app://sale',
    },
    render: { title: '20% off', body: 'Ce soir “seulement” 🍐', icon: null, thumbnail: null, image: null, buttons: [] },
    tracking: {
      radical: 'https://t.orchard.example/hit/ACME/001/AQzk4v/link/',
      impression: 'i6f0Kq2',
      redirection: 'rM31xTb',
      dismiss: 'd0Pq9Zs',
      optout: { global: 'gW7c1Ye', channel: 'cB52uNa' },
    },
    expiresAt: Date.now() + 3_600_500,
    urgent: false,
    stampId: stampOf(id),
    ...more,
  }
}

export const pushesOf = (count: number, from = 1) => Array.from({ length: count }, (_, index) => pushOf(from + index))

/** The wait of a gateway: short for an answer that never comes, but long enough for a busy machine to begin the request. */
export const patienceWith = ({ how }: PushAnswer): Partial<PushGatewayContext> =>
  how === 'stall' ? { answerMs: 2000 } : {}

/** A gateway with its peer, and what it says. */
export interface PushBench<Peer extends PushPeer> {
  peer: Peer
  gateway: MessageGateway<OutgoingPush>
  outcomes: GatewayOutcome[]
  begun: DeliveryKey[]
  send(...pushes: OutgoingPush[]): Promise<SendBatchResult>
}

/** Opens a gateway to a peer, and closes both when the work is done. */
export async function withPushGateway<Peer extends PushPeer>(
  { peer, open }: { peer: Peer; open(context: PushGatewayContext): MessageGateway<OutgoingPush> },
  more: Partial<PushGatewayContext>,
  work: (bench: PushBench<Peer>) => Promise<void>,
): Promise<void> {
  const outcomes: GatewayOutcome[] = []
  const begun: DeliveryKey[] = []
  const listener = {
    beforeBody: (...keys: DeliveryKey[]) => void begun.push(...keys),
    outcome: (one: GatewayOutcome) => void outcomes.push(one),
  }
  try {
    const gateway = open({ clock: systemClock, reach: createOutboundPolicy([peer.host]), ...more })
    try {
      await work({ peer, gateway, outcomes, begun, send: (...pushes) => gateway.send(pushes, listener) })
    } finally {
      await gateway.close(100)
    }
  } finally {
    await peer.close()
  }
}

/** What an outcome says beside its id. */
export function factsOf(one: GatewayOutcome | undefined): unknown[] {
  switch (one?.result) {
    case 'refused':
      return [one.result, one.stage, one.enhanced, one.gatewayCode, ...(one.deviceGone ? [one.deviceGone] : [])]
    case 'deferred':
      return [one.result, one.gatewayCode]
    default:
      return [one?.result]
  }
}
