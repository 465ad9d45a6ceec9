import { findActionFamily } from '../../channels/action-families.ts'
import { loadChannels as loadAllChannels } from '../../channels/load-channel.ts'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { AccountSigningKeys } from '../../features/accounts/domain-keys.ts'
import type { TemplateCampaign } from '../../features/campaign-groups/oldest.ts'
import type { MessageGateway } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import type { OutboxLane } from '../../lib/lanes.ts'
import { runInSpan } from '../../lib/telemetry/tracing.ts'
import { claimMessageBatch } from '../claim/claim-batch.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { messageReservationKinds } from '../claim/reservation-kinds.ts'
import { decideReservations } from '../claim/reservations.ts'
import { sendDeliveries } from '../deliver/delivery-batch.ts'
import { type GatewayBatch, sendGatewayBatch } from '../deliver/gateway-batch.ts'
import { markIdempotentMessages } from '../deliver/idempotence.ts'
import { endMessageSlices } from '../plan/message-slices.ts'
import { type CompositionMeter, getSpanTimeMs, startBatchSpan, traceBatchSending } from '../prepare/batch-spans.ts'
import { findExclusion } from '../prepare/exclusions.ts'
import { fetchBatchAttachments, hasRemoteAttachments } from '../prepare/fetching.ts'
import { loadMessageRecipients } from '../prepare/load-recipients.ts'
import { watchPausedSendings } from '../prepare/paused-sendings.ts'
import type { CompiledContentVersion, PreparedMessage, SenderAccount } from '../prepare/prepared-message.ts'
import type { SenderCache } from '../prepare/sender-cache.ts'
import { buildOutcomeBase } from '../record/endings.ts'
import { type OutcomeRecorder, startOutcomeRecorder } from '../record/outcome-recorder.ts'
import type { BatchJournal } from '../recover/journal.ts'
import type { SenderContext } from './sender-context.ts'

/** The campaigns that templates of a batch name, by its sendings. */
async function loadNamedCampaigns(
  cache: SenderCache,
  claimed: readonly ClaimedMessage[],
  versions: ReadonlyMap<number, CompiledContentVersion>,
): Promise<Map<number, TemplateCampaign | null>> {
  const campaigns = new Map<number, TemplateCampaign | null>()
  for (const { account, sending, sourceKind, source, version } of claimed) {
    if (
      campaigns.has(sending) ||
      findActionFamily(sourceKind) === undefined ||
      !versions.get(version)?.compiled.needs.campaign
    )
      continue
    campaigns.set(sending, await cache.campaign(account, source))
  }
  return campaigns
}

/** Loads the data that channels require of their messages, by message id. */
async function loadChannelData(
  db: SenderContext['db'],
  claimed: readonly ClaimedMessage[],
  versions: ReadonlyMap<number, CompiledContentVersion>,
  now: number,
): Promise<Map<number, unknown>> {
  const versionedMessages = claimed.map((message) => ({ message, ...versions.get(message.version)! }))
  const dataByMessage = new Map<number, unknown>()
  for (const [channel, channelMessages] of Map.groupBy(
    versionedMessages,
    (versionedMessage) => versionedMessage.channel,
  ))
    for (const [id, messageData] of (await channel.loadOwn?.(db, channelMessages, now)) ?? [])
      dataByMessage.set(id, messageData)
  return dataByMessage
}

/** Gathers what claimed messages need: their versions, their accounts' rules, and the facts of this moment. */
async function prepareMessages(
  { db, cache, signing, clock, channels: loadChannels = loadAllChannels }: SenderContext,
  claimed: readonly ClaimedMessage[],
): Promise<PreparedMessage[]> {
  const versions = new Map<number, CompiledContentVersion>()
  const ownersByAccount = new Map<AccountId, { owner: SenderAccount; keys: AccountSigningKeys['byDomain'] }>()
  for (const { account, version } of claimed) {
    if (!versions.has(version)) versions.set(version, await cache.version(account, version))
    if (!ownersByAccount.has(account))
      ownersByAccount.set(account, { owner: await cache.account(account), keys: await signing.of(account) })
  }
  const campaigns = await loadNamedCampaigns(cache, claimed, versions)
  const channels = await loadChannels(claimed.filter(({ kind }) => kind === 'fallback').map(({ channel }) => channel))
  const recipientsByMessage = await loadMessageRecipients(
    db,
    claimed,
    (version) => versions.get(version)!.source.settings.field,
  )
  const now = clock.now()
  const channelDataByMessage = await loadChannelData(db, claimed, versions, now)
  return claimed.flatMap((message) => {
    const [version, ownerEntry, messageRecipient] = [
      versions.get(message.version),
      ownersByAccount.get(message.account),
      recipientsByMessage.get(message.id),
    ]
    return version && ownerEntry && messageRecipient
      ? {
          ...ownerEntry,
          message,
          version,
          campaign: campaigns.get(message.sending),
          source: version.source,
          channel: message.kind === 'fallback' ? channels.get(message.channel)! : version.channel,
          facts: messageRecipient,
          own: channelDataByMessage.get(message.id),
          rules: ownerEntry.owner.rules,
          account: message.account,
          now,
        }
      : []
  })
}

/** The gateway of each message, and the messages of each gateway. */
async function groupByGateway(
  { gateways }: SenderContext,
  list: readonly PreparedMessage[],
): Promise<Map<MessageGateway, PreparedMessage[]>> {
  const messagesByGateway = new Map<MessageGateway, PreparedMessage[]>()
  for (const prepared of list) {
    const gateway = await gateways.gatewayOf(prepared.account, prepared.message.channel)
    const gatewayMessages = messagesByGateway.get(gateway)
    if (gatewayMessages) gatewayMessages.push(prepared)
    else messagesByGateway.set(gateway, [prepared])
  }
  return messagesByGateway
}

/** Has what messages reserve places in decide on them; gives those that pass. */
async function applyReservations(
  sender: SenderContext,
  fit: readonly PreparedMessage[],
  recorder: OutcomeRecorder,
): Promise<readonly PreparedMessage[]> {
  const { db, id, clock, reservations: reservationKinds = messageReservationKinds } = sender
  if (fit.length === 0 || Object.keys(reservationKinds).length === 0) return fit
  const { stopped, lost } = await retryWhileUnavailable(sender, () => decideReservations(db, id, reservationKinds, fit))
  recorder.released(lost)
  return fit.filter((prepared) => {
    const decision = stopped.get(prepared.message.id)
    if (decision?.type === 'cancelled') recorder.add({ ...buildOutcomeBase(prepared, clock.now()), ending: decision })
    else if (decision) {
      const { until, reply, postponement } = decision
      const returnedEnding = { type: 'returned', notBefore: until, reply, destination: '', postponement } as const
      recorder.add({ ...buildOutcomeBase(prepared, clock.now()), ending: returnedEnding })
    }
    return !decision && !lost.has(prepared.message.id)
  })
}

/** Remaining messages of a batch: by gateway, and those whose deliveries may each have a gateway of their own. */
interface SendableMessages {
  groups: Map<MessageGateway, PreparedMessage[]>
  several: PreparedMessage[]
}

/** Ends the messages that are excluded; gives the others. */
async function applyExclusions(
  sender: SenderContext,
  claimed: readonly ClaimedMessage[],
  recorder: OutcomeRecorder,
): Promise<SendableMessages> {
  const includedMessages: PreparedMessage[] = []
  for (const prepared of await retryWhileUnavailable(sender, () => prepareMessages(sender, claimed))) {
    const cancellation = findExclusion(prepared)
    if (cancellation)
      recorder.add({ ...buildOutcomeBase(prepared, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
    else includedMessages.push(prepared)
  }
  const passedMessages = await applyReservations(sender, includedMessages, recorder)
  const isSeveral = ({ channel }: PreparedMessage) => channel.hasDeliveries === true
  const { several = [], single = [] } = Object.groupBy(passedMessages, (passedMessage) =>
    isSeveral(passedMessage) ? 'several' : 'single',
  )
  const groups = await retryWhileUnavailable(sender, () => groupByGateway(sender, single))
  const idempotenceMarks = [...groups].flatMap(([{ isIdempotent = false }, list]) =>
    list.map(({ message }) => ({ message, isIdempotent })),
  )
  await markIdempotentMessages(sender, idempotenceMarks)
  return { groups, several }
}

/** Something on its way: when gateways have taken all of it, and when it is over. */
interface InFlightBatch {
  handedOver: Promise<void>
  ended: Promise<void>
}

/** Sends what a gateway is to have of a batch. Messages whose attachments are to be fetched keep none of the rest waiting. */
function sendThroughGateway(
  batch: Pick<GatewayBatch, 'sender' | 'gateway' | 'journal' | 'recorder' | 'halts'>,
  list: readonly PreparedMessage[],
): InFlightBatch[] {
  const { sender, gateway } = batch
  const createGatewayBatch = (
    batchMessages: readonly PreparedMessage[],
    handedOver: () => void,
    meter?: CompositionMeter,
  ): GatewayBatch => {
    const untouched = new Set(batchMessages.map(({ message }) => message.id))
    const batchState = { composed: new Map(), deferred: [], untouched, isStorageAway: false, isHalted: false }
    return { ...batch, ...batchState, meter, handedOver }
  }
  const traceWithin = (tracedMessages: readonly PreparedMessage[], work: (meter?: CompositionMeter) => Promise<void>) =>
    traceBatchSending(sender, { gateway: gateway.name, count: tracedMessages.length }, work)
  const { whole: readyMessages = [], waiting: attachmentMessages = [] } = Object.groupBy(list, (prepared) =>
    hasRemoteAttachments(prepared) ? 'waiting' : 'whole',
  )
  const parts: InFlightBatch[] = []
  if (readyMessages.length > 0) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const readyEnd = traceWithin(readyMessages, (meter) =>
      sendGatewayBatch(createGatewayBatch(readyMessages, resolve, meter), [readyMessages]),
    )
    parts.push({ ended: readyEnd, handedOver: Promise.race([promise, readyEnd]) })
  }
  if (attachmentMessages.length > 0) {
    // Lists are sent as their files arrive: the end of the messages is known only when it is reached.
    const readyEnd = traceWithin(attachmentMessages, (meter) => {
      const attachmentBatch = createGatewayBatch(attachmentMessages, () => undefined, meter)
      return sendGatewayBatch(attachmentBatch, fetchBatchAttachments(attachmentBatch, attachmentMessages))
    })
    parts.push({ ended: readyEnd, handedOver: readyEnd })
  }
  return parts
}

/** Sends messages of which each delivery may have a gateway of its own. */
function sendMultiDelivery(
  batch: Pick<GatewayBatch, 'sender' | 'journal' | 'recorder' | 'halts'>,
  list: readonly PreparedMessage[],
): InFlightBatch {
  const { promise, resolve } = Promise.withResolvers<void>()
  const untouched = new Set(list.map(({ message }) => message.id))
  const deliveriesEnd = traceBatchSending(batch.sender, { gateway: undefined, count: list.length }, (meter) =>
    sendDeliveries({ ...batch, untouched, isHalted: false, handedOver: resolve, meter }, list),
  )
  return { ended: deliveriesEnd, handedOver: Promise.race([promise, deliveriesEnd]) }
}

/** A batch on its way. */
export interface SendingBatch extends InFlightBatch {
  claimed: number
}

/** Works through a batch; calls `isHandedOver` when gateways have all of it. */
async function runBatch(
  sender: SenderContext,
  { claimed, journal }: { claimed: readonly ClaimedMessage[]; journal: BatchJournal },
  isHandedOver: () => void,
): Promise<void> {
  const recorder = startOutcomeRecorder(sender, new Map(claimed.map((message) => [message.id, message])))
  const pausedSendings = watchPausedSendings(sender, claimed)
  try {
    const { groups, several } = await runInSpan(
      sender.tracing,
      'prepare',
      () => ({ parent: sender.span }),
      () => applyExclusions(sender, claimed, recorder),
    )
    const parts = [...groups].flatMap(([gateway, list]) =>
      sendThroughGateway({ sender, gateway, journal, recorder, halts: pausedSendings }, list),
    )
    if (several.length > 0) parts.push(sendMultiDelivery({ sender, journal, recorder, halts: pausedSendings }, several))
    const partsEnd = Promise.all(parts.map((part) => part.ended))
    await Promise.race([Promise.all(parts.map((part) => part.handedOver)), partsEnd])
    isHandedOver()
    await partsEnd
  } finally {
    pausedSendings.close()
    await recorder.finish()
  }
  const slices = recorder.slices()
  await retryWhileUnavailable(sender, () => endMessageSlices(sender.db, sender.id, slices))
  journal.close()
}

/**
 * Claims up to `limit` due messages of a lane and begins to check, compose, send and record them; undefined when none is
 * due. While the database is away it waits with what it has. When it throws, or `ended` rejects, the next sender
 * recovers the rest from the journal.
 */
export async function startSendingBatch(
  sender: SenderContext,
  lane: OutboxLane,
  limit: number,
): Promise<SendingBatch | undefined> {
  const journal = sender.journal.open()
  const batch = { ...sender, id: journal.name }
  const startedAt = getSpanTimeMs()
  const claimed = await claimMessageBatch(batch, lane, limit)
  if (claimed.length === 0) return undefined
  const span = startBatchSpan(sender.tracing, claimed, { lane, startedAt })
  const { promise, resolve } = Promise.withResolvers<void>()
  const batchEnd = runBatch({ ...batch, span }, { claimed, journal }, resolve)
  batchEnd.then(
    () => span?.end(),
    (error) => span?.end(error),
  )
  const handedOver = Promise.race([promise, batchEnd])
  // A failure is reported by `ended`.
  handedOver.catch(() => undefined)
  return { claimed: claimed.length, ended: batchEnd, handedOver }
}

/** The same from the beginning to the end; gives how many were claimed. */
export async function sendMessageBatch(sender: SenderContext, lane: OutboxLane, limit: number): Promise<number> {
  const batch = await startSendingBatch(sender, lane, limit)
  await batch?.ended
  return batch?.claimed ?? 0
}
