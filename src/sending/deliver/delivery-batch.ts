import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type {
  DeliveryKey,
  GatewayOutcome,
  GatewayStop,
  MessageGateway,
  OutgoingMessage,
  SendBatchListener,
} from '../../gateways/gateway.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import { type BatchComposition, composeOrCancel, isSendingPaused } from '../prepare/composition.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import { storeShortLinks } from '../prepare/short-links.ts'
import { buildOutcomeBase, toDeliveryEnding } from '../record/endings.ts'
import type { MessageOutcome } from '../record/outcome.ts'
import { type BatchJournal, WHOLE_MESSAGE_SEQUENCE } from '../recover/journal.ts'
import {
  createInFlightMessage,
  type DeliveryAnswer,
  finalizeInFlightMessage,
  type InFlightMessage,
  recordDeliveryAnswer,
} from './deliveries.ts'
import { explainUnsentMessages, getStopPauseMs, releaseUntouchedMessages } from './gateway-batch.ts'
import { markIdempotentMessages } from './idempotence.ts'

/*
 * Messages of channels with deliveries: all of a batch are made first, as what they become says which gateways carry them.
 * Each delivery has its own line in the journal and its own outcome; the message has one of its own when it has several.
 */

/** A batch of such messages. */
export interface DeliveryBatch extends BatchComposition {
  journal: BatchJournal
  handedOver(): void
}

/** Deliveries of one gateway, and the messages they were composed from, by the key of the delivery. */
interface DeliveryGroup {
  gateway: MessageGateway
  deliveries: Map<string, { open: InFlightMessage; composed: ComposedMessage }>
}

function formatDeliveryKey(key: number | { id: number; sequence?: number }): string {
  return typeof key === 'number' ? `${key}.0` : `${key.id}.${key.sequence ?? 0}`
}

/** Returns the key of a delivery in the journal: the message alone if it has no other delivery. */
function toJournalKey(inFlight: InFlightMessage | undefined, key: DeliveryKey): DeliveryKey {
  const { id, sequence } = typeof key === 'number' ? { id: key, sequence: 0 } : key
  return inFlight?.isSingle ? id : { id, sequence }
}

/** Records the outcome of a message once all of its deliveries of this try were answered, or returned. */
function finishMessage({ journal, recorder, sender }: DeliveryBatch, inFlight: InFlightMessage): void {
  const ending = finalizeInFlightMessage(inFlight)
  if (ending === undefined) return
  const outcome: MessageOutcome = { ...buildOutcomeBase(inFlight.prepared, sender.clock.now()), ending }
  journal.end({ id: outcome.id, sequence: WHOLE_MESSAGE_SEQUENCE }, outcome)
  recorder.add(outcome)
}

/** Takes the answer to one delivery; the last of a message closes it. */
function recordAnswer(batch: DeliveryBatch, inFlight: InFlightMessage, answer: DeliveryAnswer): void {
  const { sender, journal, recorder, untouched } = batch
  untouched.delete(inFlight.prepared.message.id)
  const isPart = recordDeliveryAnswer(inFlight, answer)
  const outcome: MessageOutcome = {
    ...buildOutcomeBase(inFlight.prepared, sender.clock.now()),
    ...(answer.sequence !== 0 && { sequence: answer.sequence }),
    ...(isPart && { isPart }),
    ending: answer.ending,
  }
  const { id } = outcome
  if (answer.ending.type !== 'returned') journal.end(isPart ? { id, sequence: answer.sequence } : id, outcome)
  // What is to be tried again is written once, with what the message comes to.
  if (!isPart || (answer.ending.type !== 'postponed' && answer.ending.type !== 'returned')) recorder.add(outcome)
  if (isPart && inFlight.left.size === 0) finishMessage(batch, inFlight)
}

function createListener(batch: DeliveryBatch, { gateway, deliveries }: DeliveryGroup): SendBatchListener {
  const { sender, journal } = batch
  const beginDelivery = gateway.isIdempotent ? journal.beginIdempotent : journal.begin
  return {
    signal: sender.signal,
    beforeBody(...keys) {
      beginDelivery(...keys.map((key) => toJournalKey(deliveries.get(formatDeliveryKey(key))?.open, key)))
    },
    outcome(answer: GatewayOutcome) {
      const delivery = deliveries.get(formatDeliveryKey(answer))
      if (!delivery) return
      deliveries.delete(formatDeliveryKey(answer))
      const ending = toDeliveryEnding(delivery.composed, answer, gateway, sender.clock.now())
      recordAnswer(batch, delivery.open, { sequence: answer.sequence ?? 0, ending })
    },
  }
}

/** Yields the deliveries for a gateway one by one, as long as nothing stops their sendings. */
function* takeDeliveries(batch: DeliveryBatch, { deliveries }: DeliveryGroup): Generator<OutgoingMessage> {
  for (const { composed } of [...deliveries.values()])
    if (!isSendingPaused(batch, composed.prepared)) yield composed.outgoing
}

/** A message and what is made of it in this try. */
interface ComposedEntry {
  open: InFlightMessage
  deliveries: readonly ComposedMessage[]
}

/** The gateway of each delivery: the one it names, else that of its account and channel. Undefined: it is not there. */
async function findGateways({ sender }: DeliveryBatch, composedEntries: readonly ComposedEntry[]) {
  const gateways = new Map<ComposedMessage, MessageGateway | undefined>()
  // One that is not there is looked for once a batch, not once a delivery.
  const gatewayCache = new Map<string, MessageGateway | undefined>()
  for (const composed of composedEntries.flatMap(({ deliveries }) => deliveries)) {
    const { account, channel } = composed.prepared.message
    const { gateway } = composed.outgoing
    const cacheKey = JSON.stringify([account, channel, gateway?.kind, gateway?.key])
    if (!gatewayCache.has(cacheKey)) {
      const gatewayLookup = gateway
        ? sender.gateways.named(account, channel, gateway)
        : sender.gateways.gatewayOf(account, channel)
      gatewayCache.set(cacheKey, await gatewayLookup)
    }
    gateways.set(composed, gatewayCache.get(cacheKey))
  }
  return gateways
}

/** Ends a delivery whose gateway is not there. */
function endWithoutGateway(
  batch: DeliveryBatch,
  inFlight: InFlightMessage,
  { sequence = 0, gateway }: OutgoingMessage,
): void {
  const value = { gateway: gateway?.kind ?? '', message: 'the gateway is not set up' }
  const cancellation = { type: 'configuration', value } as const
  recordAnswer(batch, inFlight, { sequence, ending: { type: 'cancelled', cancellation } })
}

/** Puts the deliveries of messages to their gateways. */
function groupDeliveries(
  batch: DeliveryBatch,
  composedEntries: readonly ComposedEntry[],
  gateways: ReadonlyMap<ComposedMessage, MessageGateway | undefined>,
): Iterable<DeliveryGroup> {
  const groupsByGateway = new Map<MessageGateway, DeliveryGroup>()
  for (const { open: inFlight, deliveries } of composedEntries) {
    for (const composed of deliveries) {
      const gateway = gateways.get(composed)
      if (!gateway) {
        endWithoutGateway(batch, inFlight, composed.outgoing)
        continue
      }
      inFlight.isIdempotent &&= gateway.isIdempotent ?? false
      const deliveryGroup = groupsByGateway.get(gateway) ?? { gateway, deliveries: new Map() }
      deliveryGroup.deliveries.set(formatDeliveryKey(composed.outgoing), { open: inFlight, composed })
      groupsByGateway.set(gateway, deliveryGroup)
    }
  }
  return groupsByGateway.values()
}

/** Makes the messages of a list; those of which nothing is left to be delivered end here. */
function composeEntries(batch: DeliveryBatch, list: readonly PreparedMessage[]): ComposedEntry[] {
  return list.flatMap((prepared) => {
    const composed = isSendingPaused(batch, prepared) ? undefined : composeOrCancel(batch, prepared)
    if (!composed) return []
    const endedDeliveries = prepared.message.deliveries ?? {}
    const remainingDeliveries = [composed.outgoing]
      .flat()
      .filter(({ sequence = 0 }) => !Object.hasOwn(endedDeliveries, sequence))
    const inFlight = createInFlightMessage(
      prepared,
      composed,
      remainingDeliveries.map(({ sequence = 0 }) => sequence),
    )
    if (remainingDeliveries.length > 0)
      return [{ open: inFlight, deliveries: remainingDeliveries.map((outgoing) => ({ ...composed, outgoing })) }]
    batch.untouched.delete(prepared.message.id)
    finishMessage(batch, inFlight)
    return []
  })
}

/** Deliveries of a batch that gateways did not accept, with the reason of each; `undefined`: they accept all. */
type StoppedGroups = { group: DeliveryGroup; reason: GatewayStop | undefined }[]

/**
 * Returns to the outbox the deliveries that were not started of messages with other deliveries that were: these are tried again when their
 * gateways accept them. The result has the reasons of messages of which nothing was started; of several reasons, the one that ends first.
 */
function returnUnstartedDeliveries(batch: DeliveryBatch, stopped: StoppedGroups): Map<number, GatewayStop> {
  const waitReasons = new Map<number, GatewayStop>()
  const now = batch.sender.clock.now()
  for (const { group, reason } of stopped) {
    if (!reason) continue
    for (const { open: inFlight, composed } of group.deliveries.values()) {
      const { id } = inFlight.prepared.message
      if (batch.untouched.has(id)) {
        const knownReason = waitReasons.get(id)
        if (!knownReason || getStopPauseMs(reason) < getStopPauseMs(knownReason)) waitReasons.set(id, reason)
        continue
      }
      const { sequence = 0 } = composed.outgoing
      const notBefore = now + getStopPauseMs(reason)
      recordDeliveryAnswer(inFlight, {
        sequence,
        ending: { type: 'returned', notBefore, reply: reason.detail, destination: '' },
      })
      if (inFlight.left.size === 0) finishMessage(batch, inFlight)
    }
  }
  return waitReasons
}

/** Gives back the messages of which nothing was begun, each with its reason; `reason`: of those that have none of their own. */
async function returnUnstartedMessages(
  batch: DeliveryBatch,
  waitReasons: ReadonlyMap<number, GatewayStop>,
  reason: GatewayStop | undefined,
) {
  const idsByReason = Map.groupBy(batch.untouched, (id) => waitReasons.get(id) ?? reason)
  for (const [ownReason, ids] of idsByReason)
    if (ownReason) await releaseUntouchedMessages({ ...batch, untouched: new Set(ids) }, ownReason)
}

/** Writes what has to be there before messages leave. */
async function storePrerequisites({ sender }: DeliveryBatch, composedEntries: readonly ComposedEntry[]): Promise<void> {
  const shortLinkRows = composedEntries.flatMap(({ open: inFlight, deliveries }) =>
    (deliveries[0]?.shortLinks ?? []).map((link) => ({ message: inFlight.prepared.message, link })),
  )
  if (shortLinkRows.length > 0)
    await retryWhileUnavailable(sender, () => storeShortLinks(sender.db, shortLinkRows, sender.clock.now()))
  await markIdempotentMessages(
    sender,
    composedEntries.map(({ open: { prepared, isIdempotent } }) => ({ message: prepared.message, isIdempotent })),
  )
}

/** Sends the messages of a batch whose channels have deliveries; what gateways do not take is given back. */
export async function sendDeliveries(batch: DeliveryBatch, list: readonly PreparedMessage[]): Promise<void> {
  const { sender } = batch
  const composedEntries = composeEntries(batch, list)
  const gateways = await retryWhileUnavailable(sender, () => findGateways(batch, composedEntries))
  const groups = [...groupDeliveries(batch, composedEntries, gateways)]
  await storePrerequisites(batch, composedEntries)
  const sendResults = groups.map(async (group) => {
    const { stop } = await group.gateway.send(takeDeliveries(batch, group), createListener(batch, group))
    return { group, stop }
  })
  batch.handedOver()
  const sentGroups = await Promise.all(sendResults)
  for (const { group, stop } of sentGroups)
    if (stop?.why === 'down') sender.log.warn({ gateway: group.gateway.name, reason: stop.detail }, 'gateway is down')
  const reason = explainUnsentMessages({ ...batch, isStorageAway: false })
  const waitReasons = returnUnstartedDeliveries(
    batch,
    sentGroups.map(({ group, stop }) => ({ group, reason: stop ?? reason })),
  )
  await returnUnstartedMessages(batch, waitReasons, reason)
}
