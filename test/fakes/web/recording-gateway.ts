import type {
  GatewayChannelName,
  GatewayOutcome,
  MessageGateway,
  OutgoingMail,
  OutgoingMessage,
  OutgoingSms,
  TrafficShaping,
} from '../../../src/gateways/gateway.ts'
import type { OutgoingPush } from '../../../src/gateways/push-message.ts'
import type { OutgoingRcs } from '../../../src/gateways/rcs.ts'

/** What a test wants to become of a message; the members of the outcome it does not care about are filled in. */
export type Wish =
  | { result: 'accepted'; reference?: string }
  | { result: 'deferred'; code?: number; enhanced?: string; reply?: string; retryAfterMs?: number }
  | { result: 'refused'; code?: number; enhanced?: string; reply?: string }
  | { result: 'doubtful'; reason?: string }
  | { result: 'returned'; destination: string; retryAfterMs?: number }

export interface RecordedMail {
  id: number
  envelope: OutgoingMail['envelope']
  origin: OutgoingMail['origin']
  bytes: Buffer
}

/** A gateway that keeps everything in memory. Whatever is given to it is taken, unless `down` says why it is not. */
export interface RecordingGateway extends MessageGateway {
  /** Mail accepted or doubtful, in order. */
  readonly sent: RecordedMail[]
  /** SMS accepted or doubtful, in order. */
  readonly sentSms: OutgoingSms[]
  /** Rich messages accepted or doubtful, in order. */
  readonly sentRcs: OutgoingRcs[]
  /** Pushes accepted or doubtful, in order. */
  readonly sentPushes: OutgoingPush[]
  /** Every outcome given, in order. */
  readonly outcomes: GatewayOutcome[]
  /** The following attempts at this address come to these, one after the other, then to the last of them. */
  plan(address: string, ...wishes: Wish[]): void
  /** Takes nothing while set. */
  down: string | undefined
  /** What it says of destinations, when it is to. */
  shaping?: TrafficShaping
  /** Mail sent to this address, newest last. */
  to(address: string): RecordedMail[]
}

const MTA = 'recording.test'

function outcomeOf(id: number, wish: Wish): GatewayOutcome {
  switch (wish.result) {
    case 'accepted':
      return { id, mta: MTA, reference: `recorded-${id}`, reply: '250 2.0.0 ok', ...wish }
    case 'deferred':
      return { id, mta: MTA, stage: 'rcpt', code: 451, enhanced: '4.3.0', reply: '451 4.3.0 try again later', ...wish }
    case 'refused':
      return { id, mta: MTA, stage: 'rcpt', code: 550, enhanced: '5.1.1', reply: '550 5.1.1 no such user', ...wish }
    case 'returned':
      return { id, reason: 'enough for now', retryAfterMs: 60_000, ...wish }
    case 'doubtful':
      return { id, mta: MTA, reason: 'the connection was closed', ...wish }
  }
}

function addressOf(message: OutgoingMessage): string {
  if ('envelope' in message) return message.envelope.to
  return 'device' in message ? message.meta.subscription : message.to
}

function recordMail({ id, envelope, origin, bytes }: OutgoingMail): RecordedMail {
  return { id, envelope, origin, bytes: Buffer.concat(bytes instanceof Uint8Array ? [bytes] : bytes) }
}

export function createRecordingGateway(name = 'recording', channel: GatewayChannelName = 'email'): RecordingGateway {
  const plans = new Map<string, Wish[]>()
  const sent: RecordedMail[] = []
  const sentSms: OutgoingSms[] = []
  const sentRcs: OutgoingRcs[] = []
  const sentPushes: OutgoingPush[] = []
  const outcomes: GatewayOutcome[] = []

  function wishFor(address: string): Wish {
    const plan = plans.get(address)
    const wish = plan !== undefined && plan.length > 1 ? plan.shift() : plan?.[0]
    return wish ?? { result: 'accepted' }
  }

  const gateway: RecordingGateway = {
    name,
    kind: 'recording',
    channel,
    sent,
    sentSms,
    sentRcs,
    sentPushes,
    outcomes,
    down: undefined,
    plan: (address, ...wishes) => plans.set(address, wishes),
    to: (address) => sent.filter(({ envelope }) => envelope.to === address),
    async send(batch, { signal, beforeBody, outcome }) {
      let taken = 0
      if (gateway.down !== undefined) return { taken, stop: { why: 'down', detail: gateway.down, retryAfterMs: 1000 } }
      for (const message of batch) {
        if (signal?.aborted) return { taken, stop: { why: 'aborted', detail: 'the sender is stopping' } }
        taken++
        const { id } = message
        const wish = wishFor(addressOf(message))
        const began = wish.result === 'accepted' || wish.result === 'doubtful'
        if (began) {
          beforeBody?.(id)
          if ('envelope' in message) sent.push(recordMail(message))
          else if ('device' in message) sentPushes.push(message)
          else if ('contentMessage' in message) sentRcs.push(message)
          else sentSms.push(message)
        }
        const { sequence } = message
        const result = { ...outcomeOf(id, wish), ...(sequence !== undefined && { sequence }) }
        outcomes.push(result)
        outcome(result)
      }
      return { taken }
    },
    check: async () => ({ ok: gateway.down === undefined, detail: gateway.down ?? 'records everything in memory' }),
    close: async () => {},
  }
  return gateway
}
