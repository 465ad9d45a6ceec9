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

/** What one gateway is to carry, and what it was made of, by the key of the delivery. */
interface Group {
  gateway: MessageGateway
  deliveries: Map<string, { open: InFlightMessage; composed: ComposedMessage }>
}

function textOf(key: number | { id: number; sequence?: number }): string {
  return typeof key === 'number' ? `${key}.0` : `${key.id}.${key.sequence ?? 0}`
}

/** How the journal names a delivery: by the message alone when it has no other. */
function journalKey(open: InFlightMessage | undefined, key: DeliveryKey): DeliveryKey {
  const { id, sequence } = typeof key === 'number' ? { id: key, sequence: 0 } : key
  return open?.isSingle ? id : { id, sequence }
}

/** What is known of a message once all of its deliveries of this try were answered, or given back. */
function finish({ journal, recorder, sender }: DeliveryBatch, open: InFlightMessage): void {
  const ending = finalizeInFlightMessage(open)
  if (ending === undefined) return
  const outcome: MessageOutcome = { ...buildOutcomeBase(open.prepared, sender.clock.now()), ending }
  journal.end({ id: outcome.id, sequence: WHOLE_MESSAGE_SEQUENCE }, outcome)
  recorder.add(outcome)
}

/** Takes the answer to one delivery; the last of a message closes it. */
function answered(batch: DeliveryBatch, open: InFlightMessage, answer: DeliveryAnswer): void {
  const { sender, journal, recorder, untouched } = batch
  untouched.delete(open.prepared.message.id)
  const isPart = recordDeliveryAnswer(open, answer)
  const outcome: MessageOutcome = {
    ...buildOutcomeBase(open.prepared, sender.clock.now()),
    ...(answer.sequence !== 0 && { sequence: answer.sequence }),
    ...(isPart && { isPart }),
    ending: answer.ending,
  }
  const { id } = outcome
  if (answer.ending.type !== 'returned') journal.end(isPart ? { id, sequence: answer.sequence } : id, outcome)
  // What is to be tried again is written once, with what the message comes to.
  if (!isPart || (answer.ending.type !== 'postponed' && answer.ending.type !== 'returned')) recorder.add(outcome)
  if (isPart && open.left.size === 0) finish(batch, open)
}

function listenerOf(batch: DeliveryBatch, { gateway, deliveries }: Group): SendBatchListener {
  const { sender, journal } = batch
  const begin = gateway.isIdempotent ? journal.beginIdempotent : journal.begin
  return {
    signal: sender.signal,
    beforeBody(...keys) {
      begin(...keys.map((key) => journalKey(deliveries.get(textOf(key))?.open, key)))
    },
    outcome(answer: GatewayOutcome) {
      const one = deliveries.get(textOf(answer))
      if (!one) return
      deliveries.delete(textOf(answer))
      const ending = toDeliveryEnding(one.composed, answer, gateway, sender.clock.now())
      answered(batch, one.open, { sequence: answer.sequence ?? 0, ending })
    },
  }
}

/** What a gateway takes, delivery by delivery, as long as nothing stops their sendings. */
function* taking(batch: DeliveryBatch, { deliveries }: Group): Generator<OutgoingMessage> {
  for (const { composed } of [...deliveries.values()])
    if (!isSendingPaused(batch, composed.prepared)) yield composed.outgoing
}

/** A message and what is made of it in this try. */
interface Made {
  open: InFlightMessage
  deliveries: readonly ComposedMessage[]
}

/** The gateway of each delivery: the one it names, else that of its account and channel. Undefined: it is not there. */
async function gatewaysOf({ sender }: DeliveryBatch, all: readonly Made[]) {
  const gateways = new Map<ComposedMessage, MessageGateway | undefined>()
  // One that is not there is looked for once a batch, not once a delivery.
  const found = new Map<string, MessageGateway | undefined>()
  for (const composed of all.flatMap(({ deliveries }) => deliveries)) {
    const { account, channel } = composed.prepared.message
    const { gateway } = composed.outgoing
    const place = JSON.stringify([account, channel, gateway?.kind, gateway?.key])
    if (!found.has(place)) {
      const asked = gateway
        ? sender.gateways.named(account, channel, gateway)
        : sender.gateways.gatewayOf(account, channel)
      found.set(place, await asked)
    }
    gateways.set(composed, found.get(place))
  }
  return gateways
}

/** Ends a delivery whose gateway is not there. */
function withoutGateway(batch: DeliveryBatch, open: InFlightMessage, { sequence = 0, gateway }: OutgoingMessage): void {
  const value = { gateway: gateway?.kind ?? '', message: 'the gateway is not set up' }
  const cancellation = { type: 'configuration', value } as const
  answered(batch, open, { sequence, ending: { type: 'cancelled', cancellation } })
}

/** Puts the deliveries of messages to their gateways. */
function distribute(
  batch: DeliveryBatch,
  all: readonly Made[],
  gateways: ReadonlyMap<ComposedMessage, MessageGateway | undefined>,
): Iterable<Group> {
  const groups = new Map<MessageGateway, Group>()
  for (const { open, deliveries } of all) {
    for (const composed of deliveries) {
      const gateway = gateways.get(composed)
      if (!gateway) {
        withoutGateway(batch, open, composed.outgoing)
        continue
      }
      open.isIdempotent &&= gateway.isIdempotent ?? false
      const group = groups.get(gateway) ?? { gateway, deliveries: new Map() }
      group.deliveries.set(textOf(composed.outgoing), { open, composed })
      groups.set(gateway, group)
    }
  }
  return groups.values()
}

/** Makes the messages of a list; those of which nothing is left to be delivered end here. */
function makeAll(batch: DeliveryBatch, list: readonly PreparedMessage[]): Made[] {
  return list.flatMap((prepared) => {
    const composed = isSendingPaused(batch, prepared) ? undefined : composeOrCancel(batch, prepared)
    if (!composed) return []
    const done = prepared.message.deliveries ?? {}
    const left = [composed.outgoing].flat().filter(({ sequence = 0 }) => !Object.hasOwn(done, sequence))
    const open = createInFlightMessage(
      prepared,
      composed,
      left.map(({ sequence = 0 }) => sequence),
    )
    if (left.length > 0) return [{ open, deliveries: left.map((outgoing) => ({ ...composed, outgoing })) }]
    batch.untouched.delete(prepared.message.id)
    finish(batch, open)
    return []
  })
}

/** What gateways had of a batch and did not take, with what stopped each; undefined: they take all. */
type Stopped = { group: Group; reason: GatewayStop | undefined }[]

/**
 * What was begun of a message whose other deliveries were not: these are tried again when their gateways take them. Gives
 * why messages of which nothing was begun wait; of several reasons that which is over first.
 */
function giveBackRest(batch: DeliveryBatch, stopped: Stopped): Map<number, GatewayStop> {
  const waiting = new Map<number, GatewayStop>()
  const now = batch.sender.clock.now()
  for (const { group, reason } of stopped) {
    if (!reason) continue
    for (const { open, composed } of group.deliveries.values()) {
      const { id } = open.prepared.message
      if (batch.untouched.has(id)) {
        const known = waiting.get(id)
        if (!known || getStopPauseMs(reason) < getStopPauseMs(known)) waiting.set(id, reason)
        continue
      }
      const { sequence = 0 } = composed.outgoing
      const notBefore = now + getStopPauseMs(reason)
      recordDeliveryAnswer(open, {
        sequence,
        ending: { type: 'returned', notBefore, reply: reason.detail, destination: '' },
      })
      if (open.left.size === 0) finish(batch, open)
    }
  }
  return waiting
}

/** Gives back the messages of which nothing was begun, each with its reason; `reason`: of those that have none of their own. */
async function giveBackWhole(
  batch: DeliveryBatch,
  waiting: ReadonlyMap<number, GatewayStop>,
  reason: GatewayStop | undefined,
) {
  const byReason = Map.groupBy(batch.untouched, (id) => waiting.get(id) ?? reason)
  for (const [own, ids] of byReason) if (own) await releaseUntouchedMessages({ ...batch, untouched: new Set(ids) }, own)
}

/** Writes what has to be there before messages leave. */
async function storeBefore({ sender }: DeliveryBatch, all: readonly Made[]): Promise<void> {
  const links = all.flatMap(({ open, deliveries }) =>
    (deliveries[0]?.shortLinks ?? []).map((link) => ({ message: open.prepared.message, link })),
  )
  if (links.length > 0) await retryWhileUnavailable(sender, () => storeShortLinks(sender.db, links, sender.clock.now()))
  await markIdempotentMessages(
    sender,
    all.map(({ open: { prepared, isIdempotent } }) => ({ message: prepared.message, isIdempotent })),
  )
}

/** Sends the messages of a batch whose channels have deliveries; what gateways do not take is given back. */
export async function sendDeliveries(batch: DeliveryBatch, list: readonly PreparedMessage[]): Promise<void> {
  const { sender } = batch
  const all = makeAll(batch, list)
  const gateways = await retryWhileUnavailable(sender, () => gatewaysOf(batch, all))
  const groups = [...distribute(batch, all, gateways)]
  await storeBefore(batch, all)
  const sending = groups.map(async (group) => {
    const { stop } = await group.gateway.send(taking(batch, group), listenerOf(batch, group))
    return { group, stop }
  })
  batch.handedOver()
  const sent = await Promise.all(sending)
  for (const { group, stop } of sent)
    if (stop?.why === 'down') sender.log.warn({ gateway: group.gateway.name, reason: stop.detail }, 'gateway is down')
  const reason = explainUnsentMessages({ ...batch, isStorageAway: false })
  const waiting = giveBackRest(
    batch,
    sent.map(({ group, stop }) => ({ group, reason: stop ?? reason })),
  )
  await giveBackWhole(batch, waiting, reason)
}
