import type { DeliveryRecord } from '../../channels/channel.ts'
import { getVersionLifetimeMs } from '../../channels/version-source.ts'
import type { GatewayOutcome, MessageGateway, ReturnedDelivery } from '../../gateways/gateway.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import { getMessageAddress, toRecipientFootprint } from '../prepare/exclusions.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import { getRetryDelayMs, MESSAGE_GIVE_UP_MS } from '../recover/backoff.ts'
import type { DeliveryEnding, FinishedEnding, MessageOutcome, PostponedEnding } from './outcome.ts'

type AcceptedAnswer = Extract<GatewayOutcome, { result: 'accepted' }>
type RefusedAnswer = Extract<GatewayOutcome, { result: 'refused' }>
type DeferredAnswer = Extract<GatewayOutcome, { result: 'deferred' }>

/** Builds the part of a message's outcome that does not depend on its ending. */
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

/** Builds the ending of a message that was not started because its destination currently accepts no further messages. */
export function buildReturnedEnding(
  { destination, reason, retryAfterMs }: Omit<ReturnedDelivery, 'id' | 'result'>,
  at: number,
) {
  return { type: 'returned' as const, notBefore: at + retryAfterMs, destination, reply: reason }
}

/** Builds the channel's record of a delivery, if it has one. */
function buildDeliveryRecord(
  { outgoing, prepared }: ComposedMessage,
  answer: AcceptedAnswer | RefusedAnswer | DeferredAnswer,
): { delivery?: DeliveryRecord } {
  const delivery = prepared.channel.deliveryOf?.(outgoing, answer)
  return delivery === undefined ? {} : { delivery }
}

function buildRefusedEnding(
  composed: ComposedMessage,
  answer: RefusedAnswer | DeferredAnswer,
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
    ...buildDeliveryRecord(composed, answer),
  }
}

/** Tried again later, or refused when its time is over. */
function buildDeferredEnding(
  composed: ComposedMessage,
  answer: DeferredAnswer,
  gateway: string,
  at: number,
): DeliveryEnding | PostponedEnding {
  const { message, source, facts, version } = composed.prepared
  const firstTryTime = message.firstTriedAt?.getTime() ?? at
  // What has an expiration of its own is tried for as long.
  const hasOwnLifetime = getVersionLifetimeMs(source) !== undefined || version.channel.triesUntilExpiry === true
  const giveUpAt = hasOwnLifetime ? (facts.endsAt ?? Number.POSITIVE_INFINITY) : firstTryTime + MESSAGE_GIVE_UP_MS
  const hasExpired = at >= Math.min(message.expiresAt.getTime(), giveUpAt)
  if (hasExpired) {
    const expiryReply = `delivery time expired: ${answer.reply}`
    return buildRefusedEnding(composed, answer, gateway, { enhanced: '4.4.7', reply: expiryReply })
  }
  return {
    type: 'postponed',
    notBefore: at + (answer.retryAfterMs ?? getRetryDelayMs(message)),
    reply: answer.reply,
    ...(answer.destination !== undefined && { destination: answer.destination }),
  }
}

/**
 * Builds the ending of a message whose outcome is unknown: it is tried again if its gateway accepts it once however often it is sent, or
 * if the account allows it; otherwise it is held.
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

/** Converts a gateway's answer into the result of a delivery: its ending, or the time of the next try. */
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
      return {
        type: 'accepted',
        address,
        gateway,
        values,
        reference,
        ...references,
        ...buildDeliveryRecord(composed, answer),
      }
    }
    case 'refused':
      if (channel.isOurFault(answer)) {
        const cancellation = { type: 'configuration', value: { gateway, message: answer.reply } } as const
        return { type: 'cancelled', cancellation }
      }
      return buildRefusedEnding(composed, answer, gateway, answer)
    case 'returned':
      return buildReturnedEnding(answer, at)
    case 'doubtful': {
      const { inDoubt } = prepared.owner
      return buildDoubtfulEnding(prepared.message, { isIdempotent, inDoubt }, { at, reason: answer.reason })
    }
    case 'deferred':
      return buildDeferredEnding(composed, answer, gateway, at)
  }
}
