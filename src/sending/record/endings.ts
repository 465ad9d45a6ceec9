import type { DeliveryRecord } from '../../channels/channel.ts'
import { getVersionLifetimeMs } from '../../channels/version-source.ts'
import type { GatewayOutcome, MessageGateway, ReturnedDelivery } from '../../gateways/gateway.ts'
import { getMessageAddress, toRecipientFootprint } from '../plan/exclusions.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import { getRetryDelayMs, MESSAGE_GIVE_UP_MS } from '../recover/backoff.ts'
import type { DeliveryEnding, FinishedEnding, MessageOutcome, PostponedEnding } from './outcome.ts'

type Accepted = Extract<GatewayOutcome, { result: 'accepted' }>
type Refused = Extract<GatewayOutcome, { result: 'refused' }>
type Deferred = Extract<GatewayOutcome, { result: 'deferred' }>

/** What the outcome of a message says, however it ends. */
export function buildOutcomeBase(prepared: PreparedMessage, at: number): Omit<MessageOutcome, 'ending'> {
  const { message, facts, source, version } = prepared
  const { pushOf, routeOf } = version.channel
  return {
    id: message.id,
    footprint: toRecipientFootprint(facts.contact),
    field: message.address === null ? source.settings.field : null,
    ...(pushOf && { push: pushOf(source, message) }),
    ...(routeOf && { rcs: routeOf(source, getMessageAddress(prepared)) }),
    at,
  }
}

/** Of a message that was not started, as its destination takes no more for now. */
export function buildReturnedEnding(
  { destination, reason, retryAfterMs }: Omit<ReturnedDelivery, 'id' | 'result'>,
  at: number,
) {
  return { type: 'returned' as const, notBefore: at + retryAfterMs, destination, reply: reason }
}

/** What the channel says of a delivery, where it says anything. */
function recordOf(
  { outgoing, prepared }: ComposedMessage,
  answer: Accepted | Refused | Deferred,
): { delivery?: DeliveryRecord } {
  const delivery = prepared.channel.deliveryOf?.(outgoing, answer)
  return delivery === undefined ? {} : { delivery }
}

function refusedEnding(
  composed: ComposedMessage,
  answer: Refused | Deferred,
  gateway: string,
  { enhanced, reply }: { enhanced: string | null; reply: string },
): DeliveryEnding {
  const { address, values } = composed
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
    ...recordOf(composed, answer),
  }
}

/** Tried again later, or refused when its time is over. */
function deferredEnding(
  composed: ComposedMessage,
  answer: Deferred,
  gateway: string,
  at: number,
): DeliveryEnding | PostponedEnding {
  const { message, source, facts, version } = composed.prepared
  const since = message.firstTriedAt?.getTime() ?? at
  // What has an expiration of its own is tried for as long.
  const hasOwn = getVersionLifetimeMs(source) !== undefined || version.channel.triesUntilExpiry === true
  const giveUpAt = hasOwn ? (facts.endsAt ?? Number.POSITIVE_INFINITY) : since + MESSAGE_GIVE_UP_MS
  const isOver = at >= Math.min(message.expiresAt.getTime(), giveUpAt)
  if (isOver) {
    const reply = `delivery time expired: ${answer.reply}`
    return refusedEnding(composed, answer, gateway, { enhanced: '4.4.7', reply })
  }
  return {
    type: 'postponed',
    notBefore: at + (answer.retryAfterMs ?? getRetryDelayMs(message)),
    reply: answer.reply,
    ...(answer.destination !== undefined && { destination: answer.destination }),
  }
}

/**
 * Of a message whose outcome is unknown: asked again when its gateway takes it once however often it is sent, or when the
 * account says so, else held.
 */
export function buildDoubtfulEnding(
  message: Parameters<typeof getRetryDelayMs>[0],
  { isIdempotent, inDoubt }: { isIdempotent: boolean; inDoubt: 'hold' | 'send' },
  { at, reason }: { at: number; reason: string },
): PostponedEnding | Extract<DeliveryEnding, { type: 'held' }> {
  return isIdempotent || inDoubt === 'send'
    ? { type: 'postponed', notBefore: at + getRetryDelayMs(message), reply: reason }
    : { type: 'held', reason }
}

/** What a gateway's answer means for a delivery: its end, or when to try again. */
export function toDeliveryEnding(
  composed: ComposedMessage,
  answer: GatewayOutcome,
  { name: gateway, isIdempotent = false }: Pick<MessageGateway, 'name' | 'isIdempotent'>,
  at: number,
): Exclude<MessageOutcome['ending'], FinishedEnding> {
  const { address, values, outgoing, prepared } = composed
  const { channel } = prepared
  switch (answer.result) {
    case 'accepted': {
      const { reference } = answer
      const references = channel.referencesOf?.(outgoing, answer)
      return { type: 'accepted', address, gateway, values, reference, ...references, ...recordOf(composed, answer) }
    }
    case 'refused':
      if (channel.isOurFault(answer)) {
        const cancellation = { type: 'configuration', value: { gateway, message: answer.reply } } as const
        return { type: 'cancelled', cancellation }
      }
      return refusedEnding(composed, answer, gateway, answer)
    case 'returned':
      return buildReturnedEnding(answer, at)
    case 'doubtful': {
      const { inDoubt } = prepared.owner
      return buildDoubtfulEnding(prepared.message, { isIdempotent, inDoubt }, { at, reason: answer.reason })
    }
    case 'deferred':
      return deferredEnding(composed, answer, gateway, at)
  }
}
