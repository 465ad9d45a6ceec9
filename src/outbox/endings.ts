import type { GatewayOutcome, Returned } from '../gateways/gateway.ts'
import { GIVE_UP_MS, retryDelay } from './backoff.ts'
import type { ComposedMessage } from './compose.ts'
import { footprintOf } from './exclusions.ts'
import type { Ending, Outcome } from './outcome.ts'
import type { PreparedMessage } from './prepared-message.ts'

type Refused = Extract<GatewayOutcome, { result: 'refused' }>
type Deferred = Extract<GatewayOutcome, { result: 'deferred' }>

/** What the outcome of a message says, however it ends. */
export function outcomeBase({ message, facts, source }: PreparedMessage, at: number): Omit<Outcome, 'ending'> {
  return {
    id: message.id,
    footprint: footprintOf(facts.contact),
    field: message.address === null ? source.settings.field : null,
    at,
  }
}

/** Of a message that was not started, as its destination takes no more for now. */
export function returnedEnding({ destination, reason, retryAfterMs }: Omit<Returned, 'id' | 'result'>, at: number) {
  return { type: 'returned' as const, notBefore: at + retryAfterMs, destination, reply: reason }
}

function refusedEnding(
  { address, values }: ComposedMessage,
  answer: Refused | Deferred,
  gateway: string,
  { enhanced, reply }: { enhanced: string | null; reply: string },
): Ending {
  return {
    type: 'refused',
    address,
    gateway,
    values,
    stage: answer.stage,
    code: answer.code ?? null,
    enhanced,
    ...(answer.gatewayCode !== undefined && { gatewayCode: answer.gatewayCode }),
    reply,
    mta: answer.mta,
  }
}

/** Tried again later, or refused when its time is over. */
function deferredEnding(composed: ComposedMessage, answer: Deferred, gateway: string, at: number): Outcome['ending'] {
  const { message } = composed.prepared
  const since = message.firstTriedAt?.getTime() ?? at
  const isOver = at >= Math.min(message.expiresAt.getTime(), since + GIVE_UP_MS)
  if (isOver) {
    const reply = `delivery time expired: ${answer.reply}`
    return refusedEnding(composed, answer, gateway, { enhanced: '4.4.7', reply })
  }
  return {
    type: 'postponed',
    notBefore: at + (answer.retryAfterMs ?? retryDelay(message)),
    reply: answer.reply,
    ...(answer.destination !== undefined && { destination: answer.destination }),
  }
}

/** What a gateway's answer means for a message: its end, or when to try again. */
export function endingOf(
  composed: ComposedMessage,
  answer: GatewayOutcome,
  gateway: string,
  at: number,
): Outcome['ending'] {
  const { address, values, outgoing, prepared } = composed
  const { channel } = prepared.version
  switch (answer.result) {
    case 'accepted': {
      const { reference } = answer
      const references = channel.referencesOf?.(outgoing, answer)
      return { type: 'accepted', address, gateway, values, reference, ...references }
    }
    case 'refused':
      if (channel.isOurFault(answer.stage)) {
        const cancellation = { type: 'configuration', value: { gateway, message: answer.reply } } as const
        return { type: 'cancelled', cancellation }
      }
      return refusedEnding(composed, answer, gateway, answer)
    case 'returned':
      return returnedEnding(answer, at)
    case 'doubtful':
      return prepared.owner.inDoubt === 'send'
        ? { type: 'postponed', notBefore: at + retryDelay(prepared.message), reply: answer.reason }
        : { type: 'held', reason: answer.reason }
    case 'deferred':
      return deferredEnding(composed, answer, gateway, at)
  }
}
