import type {
  AcceptedSend,
  ChannelModule,
  DeliveryRecord,
  DeliveryRefusal,
  EndedDelivery,
} from '../../channels/channel.ts'
import { resolveHitChannel } from '../../channels/channel-traits.ts'
import { createRcsDeliveryEvent } from '../../features/events/delivery-reports/rcs-reports.ts'
import type { NewEvent } from '../../features/events/record/new-event.ts'
import {
  type ChannelSend,
  createActivationEvent,
  createCancellationEvent,
  createSyncBounceEvent,
  type RcsRoute,
  truncateEventText,
} from '../../features/events/record/record.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { DeliveryEnding, FinishedEnding, MessageOutcome } from './outcome.ts'

/** Code units of a title that is kept: 250 characters may have twice as many. */
const MAX_TITLE_LENGTH = 500

/** The outcome of a message that leaves the outbox. */
export type EndedOutcome = MessageOutcome & {
  ending: Exclude<DeliveryEnding, { type: 'held' }> | FinishedEnding
  /** As what it leaves when some of its deliveries had ended before. */
  left?: FinishedEnding['outcome']
  /** Why one of its deliveries was cancelled, of a message that is cancelled as they all are. */
  why?: string
}

/** The outcome of a message that leaves the outbox, or of one of its deliveries. */
export type RecordableOutcome = MessageOutcome & { ending: DeliveryEnding | FinishedEnding }

/** The way a rich message went, or the SMS in its place. */
function buildRoute({ request }: ClaimedMessage, { rcs }: MessageOutcome): { rcs?: RcsRoute } {
  const { type, reason, route = rcs } = request.fallback ?? {}
  if (!route) return {}
  return { rcs: { ...route, ...(type !== undefined && reason !== undefined && { fallback: { type, reason } }) } }
}

/** A message that stands in for another is of that one's channel and kind. */
function toChannelSend(message: ClaimedMessage, outcome: MessageOutcome): ChannelSend {
  const { footprint, field, push } = outcome
  const { account, channel, sourceKind, source, contact, stamp, depth, kind, request } = message
  const originalKind = kind === 'fallback' || kind === 'copy' ? (request.fallback?.kind ?? 'message') : kind
  return {
    account,
    // Of one whose contact was erased the request is empty.
    channel: request.fallback?.channel ?? (kind === 'fallback' ? resolveHitChannel(sourceKind, channel) : channel),
    sourceKind,
    source,
    contact,
    stamp,
    depth,
    footprint,
    field,
    kind: originalKind,
    ...buildRoute(message, outcome),
    ...(push && { push }),
  }
}

/** Builds the event members that are specific to one of several deliveries, and to a message that replaces another. */
function buildDeliveryParts({ stamp, kind, request }: ClaimedMessage, { sequence = 0, ending }: MessageOutcome) {
  const parts = [stamp.id, ...(sequence === 0 ? [] : [sequence]), ...(kind === 'fallback' ? ['fallback'] : [])]
  const deliveryRecord: DeliveryRecord = ('delivery' in ending && ending.delivery) || {}
  const { members, title, address: _, isDelivered: _arrived, push: _push, ...columns } = deliveryRecord
  const { type, reason } = request.fallback ?? {}
  const fallback = kind === 'fallback' && type !== undefined ? { fallback: { type, reason } } : {}
  return { key: parts.join(' '), columns, title, members: { ...members, ...fallback } }
}

function addDetailMembers(event: NewEvent, member: string, members: object): NewEvent {
  if (Object.keys(members).length === 0) return event
  return { ...event, detail: { ...event.detail, [member]: { ...(event.detail[member] as object), ...members } } }
}

/** The delivery of a rich message that has arrived at once, and of which no report comes. */
function buildArrivalEvents(
  send: ChannelSend,
  ending: Extract<DeliveryEnding, { type: 'accepted' }>,
  time: number,
): NewEvent[] {
  const { account, rcs, stamp } = send
  if (!ending.delivery?.isDelivered || !rcs) return []
  const { agent, phone } = rcs
  const report = { account, agent, phone: phone ?? '', message: stamp.id, event: null, time }
  return [createRcsDeliveryEvent(report, { send, contacts: [] }, ending.gateway)]
}

/** The events of an ending, in the order they are published. Copies write none: they are no sends of their own. */
export function buildOutcomeEvents(
  message: ClaimedMessage,
  outcome: RecordableOutcome,
  { verdictOf }: Pick<ChannelModule, 'verdictOf'>,
): NewEvent[] {
  if (message.kind === 'copy' || outcome.ending.type === 'finished' || outcome.ending.type === 'held') return []
  const deliveryParts = buildDeliveryParts(message, outcome)
  const send = toChannelSend(message, outcome)
  const { ending } = outcome
  if (ending.type === 'cancelled') {
    const { data = {}, origin = { type: 'api' } } = message.request
    const requestDetail = message.kind === 'message' ? { data, origin } : undefined
    return [{ ...createCancellationEvent(send, ending.cancellation, requestDetail), key: deliveryParts.key }]
  }
  const reference = ending.type === 'accepted' ? ending.reference : null
  const address = ending.delivery?.address ?? ending.address
  const activationEvent = createActivationEvent(send, {
    address,
    gateway: { name: ending.gateway, message: reference },
  })
  const titleMember =
    deliveryParts.title === undefined ? {} : { title: truncateEventText(deliveryParts.title, MAX_TITLE_LENGTH) }
  const handOverEvent = {
    ...addDetailMembers(activationEvent, 'activation', deliveryParts.members),
    ...deliveryParts.columns,
    ...titleMember,
    key: deliveryParts.key,
  }
  if (ending.type === 'accepted')
    return [
      handOverEvent,
      ...buildArrivalEvents(send, ending, outcome.at).map((event) => ({ ...event, ...deliveryParts.columns })),
    ]
  const { gatewayCode, reply, mta } = ending
  const analysis = verdictOf(buildRefusal(ending))
  const bounceEvent = createSyncBounceEvent(send, {
    time: outcome.at,
    diagnostic: reply,
    mta,
    address,
    analysis,
    gatewayCode,
  })
  return [
    handOverEvent,
    { ...bounceEvent, ...deliveryParts.columns, key: [deliveryParts.key, address, 'sync'].join(' ') },
  ]
}

function buildRefusal({
  stage,
  code,
  enhanced,
  gatewayCode,
  reply,
}: Extract<DeliveryEnding, { type: 'refused' }>): DeliveryRefusal {
  return { stage, code, enhanced, reply, ...(gatewayCode !== undefined && { gatewayCode }) }
}

/** A delivery as its channel sees it; undefined of one that was neither accepted nor refused. */
export function toEndedDelivery(message: ClaimedMessage, outcome: RecordableOutcome): EndedDelivery | undefined {
  const { ending, at, sequence = 0 } = outcome
  if (ending.type !== 'accepted' && ending.type !== 'refused') return undefined
  const { account, stamp, contact } = message
  const refusal = ending.type === 'refused' ? buildRefusal(ending) : null
  return {
    account,
    gateway: ending.gateway,
    stamp: stamp.id,
    contact,
    sequence,
    at,
    delivery: ending.delivery ?? {},
    refusal,
  }
}

/** Under which names an accepted message is known to its gateway, where they are kept. */
export function toAcceptedSends(message: ClaimedMessage, { at, ending }: RecordableOutcome): AcceptedSend[] {
  if (ending.type !== 'accepted' || ending.references === undefined) return []
  const { account, stamp, contact } = message
  const { gateway, address, references, sender = '' } = ending
  return [{ account, gateway, references, contact, address, sender, at, stamp: stamp.id }]
}
