import type { AcceptedSend, Channel } from '../channels/channel.ts'
import type { NewEvent } from '../features/events/new-event.ts'
import { activation, cancellation, type Send, syncBounce } from '../features/events/record.ts'
import type { ClaimedMessage } from './messages.ts'
import type { Ending, Outcome } from './outcome.ts'

/** The outcome of a message that leaves the outbox. */
export type Ended = Outcome & { ending: Exclude<Ending, { type: 'held' }> }

function sendOf(message: ClaimedMessage, { footprint, field }: Outcome): Send {
  const { account, channel, sourceKind, source, contact, stamp, depth, kind } = message
  return {
    account,
    channel,
    sourceKind,
    source,
    contact,
    stamp,
    depth,
    footprint,
    field,
    kind: kind === 'copy' ? 'message' : kind,
  }
}

/** The events of an ending, in the order they are published. Copies write none: they are no sends of their own. */
export function eventsOf(
  message: ClaimedMessage,
  outcome: Ended,
  { verdictOf }: Pick<Channel, 'verdictOf'>,
): NewEvent[] {
  if (message.kind === 'copy') return []
  const send = sendOf(message, outcome)
  const { ending } = outcome
  if (ending.type === 'cancelled') {
    const asked =
      message.kind === 'message' ? { data: message.request.data ?? {}, origin: { type: 'api' } as const } : undefined
    return [cancellation(send, ending.cancellation, asked)]
  }
  const reference = ending.type === 'accepted' ? ending.reference : null
  const handOver = activation(send, { address: ending.address, gateway: { name: ending.gateway, message: reference } })
  if (ending.type === 'accepted') return [handOver]
  const { stage, code, enhanced, gatewayCode, reply, mta, address } = ending
  const analysis = verdictOf({ stage, code, enhanced, reply, ...(gatewayCode !== undefined && { gatewayCode }) })
  return [handOver, syncBounce(send, { time: outcome.at, diagnostic: reply, mta, address, analysis, gatewayCode })]
}

/** Under which names an accepted message is known to its gateway, where they are kept. */
export function acceptedSends(message: ClaimedMessage, { at, ending }: Ended): AcceptedSend[] {
  if (ending.type !== 'accepted' || ending.references === undefined) return []
  const { account, stamp, contact } = message
  const { gateway, address, references, sender = '' } = ending
  return [{ account, gateway, references, contact, address, sender, at, stamp: stamp.id }]
}
