import { findActionFamily } from '../../channels/families.ts'
import { loadChannels as loadAllChannels } from '../../channels/registry.ts'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { AccountSigningKeys } from '../../features/accounts/domain-keys.ts'
import type { TemplateCampaign } from '../../features/campaigns/oldest.ts'
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
import { findExclusion } from '../plan/exclusions.ts'
import { endMessageSlices } from '../plan/message-slices.ts'
import { type CompositionMeter, getSpanTimeMs, startBatchSpan, traceBatchSending } from '../prepare/batch-spans.ts'
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
async function namedCampaigns(
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

/** What channels have to know of their messages, by message id. */
async function loadOwn(
  db: SenderContext['db'],
  claimed: readonly ClaimedMessage[],
  versions: ReadonlyMap<number, CompiledContentVersion>,
  now: number,
): Promise<Map<number, unknown>> {
  const all = claimed.map((message) => ({ message, ...versions.get(message.version)! }))
  const loaded = new Map<number, unknown>()
  for (const [channel, own] of Map.groupBy(all, (one) => one.channel))
    for (const [id, known] of (await channel.loadOwn?.(db, own, now)) ?? []) loaded.set(id, known)
  return loaded
}

/** Gathers what claimed messages need: their versions, their accounts' rules, and the facts of this moment. */
async function prepare(
  { db, cache, signing, clock, channels: loadChannels = loadAllChannels }: SenderContext,
  claimed: readonly ClaimedMessage[],
): Promise<PreparedMessage[]> {
  const versions = new Map<number, CompiledContentVersion>()
  const owners = new Map<AccountId, { owner: SenderAccount; keys: AccountSigningKeys['byDomain'] }>()
  for (const { account, version } of claimed) {
    if (!versions.has(version)) versions.set(version, await cache.version(account, version))
    if (!owners.has(account))
      owners.set(account, { owner: await cache.account(account), keys: await signing.of(account) })
  }
  const campaigns = await namedCampaigns(cache, claimed, versions)
  const channels = await loadChannels(claimed.filter(({ kind }) => kind === 'fallback').map(({ channel }) => channel))
  const facts = await loadMessageRecipients(db, claimed, (version) => versions.get(version)!.source.settings.field)
  const now = clock.now()
  const ownFacts = await loadOwn(db, claimed, versions, now)
  return claimed.flatMap((message) => {
    const [version, owned, known] = [versions.get(message.version), owners.get(message.account), facts.get(message.id)]
    return version && owned && known
      ? {
          ...owned,
          message,
          version,
          campaign: campaigns.get(message.sending),
          source: version.source,
          channel: message.kind === 'fallback' ? channels.get(message.channel)! : version.channel,
          facts: known,
          own: ownFacts.get(message.id),
          rules: owned.owner.rules,
          account: message.account,
          now,
        }
      : []
  })
}

/** The gateway of each message, and the messages of each gateway. */
async function byGateway(
  { gateways }: SenderContext,
  list: readonly PreparedMessage[],
): Promise<Map<MessageGateway, PreparedMessage[]>> {
  const groups = new Map<MessageGateway, PreparedMessage[]>()
  for (const prepared of list) {
    const gateway = await gateways.gatewayOf(prepared.account, prepared.message.channel)
    const group = groups.get(gateway)
    if (group) group.push(prepared)
    else groups.set(gateway, [prepared])
  }
  return groups
}

/** Has what messages reserve places in decide on them; gives those that pass. */
async function applyReservations(
  sender: SenderContext,
  fit: readonly PreparedMessage[],
  recorder: OutcomeRecorder,
): Promise<readonly PreparedMessage[]> {
  const { db, id, clock, reservations: kinds = messageReservationKinds } = sender
  if (fit.length === 0 || Object.keys(kinds).length === 0) return fit
  const { stopped, lost } = await retryWhileUnavailable(sender, () => decideReservations(db, id, kinds, fit))
  recorder.released(lost)
  return fit.filter((prepared) => {
    const decision = stopped.get(prepared.message.id)
    if (decision?.type === 'cancelled') recorder.add({ ...buildOutcomeBase(prepared, clock.now()), ending: decision })
    else if (decision) {
      const { until, reply, postponement } = decision
      const ending = { type: 'returned', notBefore: until, reply, destination: '', postponement } as const
      recorder.add({ ...buildOutcomeBase(prepared, clock.now()), ending })
    }
    return !decision && !lost.has(prepared.message.id)
  })
}

/** What is left of a batch: by gateway, and messages of which each delivery may have a gateway of its own. */
interface Fit {
  groups: Map<MessageGateway, PreparedMessage[]>
  several: PreparedMessage[]
}

/** Ends the messages that are excluded; gives the others. */
async function applyExclusions(
  sender: SenderContext,
  claimed: readonly ClaimedMessage[],
  recorder: OutcomeRecorder,
): Promise<Fit> {
  const fit: PreparedMessage[] = []
  for (const prepared of await retryWhileUnavailable(sender, () => prepare(sender, claimed))) {
    const cancellation = findExclusion(prepared)
    if (cancellation)
      recorder.add({ ...buildOutcomeBase(prepared, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
    else fit.push(prepared)
  }
  const passed = await applyReservations(sender, fit, recorder)
  const isSeveral = ({ channel }: PreparedMessage) => channel.hasDeliveries === true
  const { several = [], single = [] } = Object.groupBy(passed, (one) => (isSeveral(one) ? 'several' : 'single'))
  const groups = await retryWhileUnavailable(sender, () => byGateway(sender, single))
  const carried = [...groups].flatMap(([{ isIdempotent = false }, list]) =>
    list.map(({ message }) => ({ message, isIdempotent })),
  )
  await markIdempotentMessages(sender, carried)
  return { groups, several }
}

/** Something on its way: when gateways have taken all of it, and when it is over. */
interface InFlight {
  handedOver: Promise<void>
  ended: Promise<void>
}

/** Sends what a gateway is to have of a batch. Messages whose attachments are to be fetched keep none of the rest waiting. */
function sendTo(
  batch: Pick<GatewayBatch, 'sender' | 'gateway' | 'journal' | 'recorder' | 'halts'>,
  list: readonly PreparedMessage[],
): InFlight[] {
  const { sender, gateway } = batch
  const batchOf = (own: readonly PreparedMessage[], handedOver: () => void, meter?: CompositionMeter): GatewayBatch => {
    const untouched = new Set(own.map(({ message }) => message.id))
    const state = { composed: new Map(), deferred: [], untouched, isStorageAway: false, isHalted: false }
    return { ...batch, ...state, meter, handedOver }
  }
  const within = (own: readonly PreparedMessage[], work: (meter?: CompositionMeter) => Promise<void>) =>
    traceBatchSending(sender, { gateway: gateway.name, count: own.length }, work)
  const { whole = [], waiting = [] } = Object.groupBy(list, (prepared) =>
    hasRemoteAttachments(prepared) ? 'waiting' : 'whole',
  )
  const parts: InFlight[] = []
  if (whole.length > 0) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ended = within(whole, (meter) => sendGatewayBatch(batchOf(whole, resolve, meter), [whole]))
    parts.push({ ended, handedOver: Promise.race([promise, ended]) })
  }
  if (waiting.length > 0) {
    // Lists come as files do: that there are no more is known at the end.
    const ended = within(waiting, (meter) => {
      const slow = batchOf(waiting, () => undefined, meter)
      return sendGatewayBatch(slow, fetchBatchAttachments(slow, waiting))
    })
    parts.push({ ended, handedOver: ended })
  }
  return parts
}

/** Sends messages of which each delivery may have a gateway of its own. */
function sendSeveral(
  batch: Pick<GatewayBatch, 'sender' | 'journal' | 'recorder' | 'halts'>,
  list: readonly PreparedMessage[],
): InFlight {
  const { promise, resolve } = Promise.withResolvers<void>()
  const untouched = new Set(list.map(({ message }) => message.id))
  const ended = traceBatchSending(batch.sender, { gateway: undefined, count: list.length }, (meter) =>
    sendDeliveries({ ...batch, untouched, isHalted: false, handedOver: resolve, meter }, list),
  )
  return { ended, handedOver: Promise.race([promise, ended]) }
}

/** A batch on its way. */
export interface SendingBatch extends InFlight {
  claimed: number
}

/** Works through a batch; calls `isHandedOver` when gateways have all of it. */
async function runBatch(
  sender: SenderContext,
  { claimed, journal }: { claimed: readonly ClaimedMessage[]; journal: BatchJournal },
  isHandedOver: () => void,
): Promise<void> {
  const recorder = startOutcomeRecorder(sender, new Map(claimed.map((message) => [message.id, message])))
  const halts = watchPausedSendings(sender, claimed)
  try {
    const { groups, several } = await runInSpan(
      sender.tracing,
      'prepare',
      () => ({ parent: sender.span }),
      () => applyExclusions(sender, claimed, recorder),
    )
    const parts = [...groups].flatMap(([gateway, list]) => sendTo({ sender, gateway, journal, recorder, halts }, list))
    if (several.length > 0) parts.push(sendSeveral({ sender, journal, recorder, halts }, several))
    const ended = Promise.all(parts.map((part) => part.ended))
    await Promise.race([Promise.all(parts.map((part) => part.handedOver)), ended])
    isHandedOver()
    await ended
  } finally {
    halts.close()
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
  const ended = runBatch({ ...batch, span }, { claimed, journal }, resolve)
  ended.then(
    () => span?.end(),
    (error) => span?.end(error),
  )
  const handedOver = Promise.race([promise, ended])
  // A failure is reported by `ended`.
  handedOver.catch(() => undefined)
  return { claimed: claimed.length, ended, handedOver }
}

/** The same from the beginning to the end; gives how many were claimed. */
export async function sendMessageBatch(sender: SenderContext, lane: OutboxLane, limit: number): Promise<number> {
  const batch = await startSendingBatch(sender, lane, limit)
  await batch?.ended
  return batch?.claimed ?? 0
}
