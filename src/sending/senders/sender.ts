import { familyNamed } from '../../channels/families.ts'
import { loadChannels as loadAllChannels } from '../../channels/registry.ts'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { AccountKeys } from '../../features/accounts/domain-keys.ts'
import type { NamedCampaign } from '../../features/campaigns/oldest.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Lane } from '../../lib/lanes.ts'
import { traced } from '../../lib/telemetry/tracing.ts'
import { claimBatch } from '../claim/claim-batch.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { reservationKinds } from '../claim/reservation-kinds.ts'
import { decideReservations } from '../claim/reservations.ts'
import { sendDeliveries } from '../deliver/delivery-batch.ts'
import { type GatewayBatch, sendGatewayBatch } from '../deliver/gateway-batch.ts'
import { markIdempotent } from '../deliver/idempotence.ts'
import { exclusionOf } from '../plan/exclusions.ts'
import { endSlices } from '../plan/message-slices.ts'
import { type MakingMeter, spanTime, startBatchSpan, tracedSending } from '../prepare/batch-spans.ts'
import { fetching, hasToFetch } from '../prepare/fetching.ts'
import { loadFacts } from '../prepare/load-recipients.ts'
import { watchHalts } from '../prepare/paused-sendings.ts'
import type { CompiledVersion, PreparedMessage, SenderAccount } from '../prepare/prepared-message.ts'
import type { SenderCache } from '../prepare/sender-cache.ts'
import { outcomeBase } from '../record/endings.ts'
import { type Recorder, startRecorder } from '../record/outcome-recorder.ts'
import type { BatchJournal } from '../recover/journal.ts'
import type { Sender } from './sender-context.ts'

/** The campaigns that templates of a batch name, by its sendings. */
async function namedCampaigns(
  cache: SenderCache,
  claimed: readonly ClaimedMessage[],
  versions: ReadonlyMap<number, CompiledVersion>,
): Promise<Map<number, NamedCampaign | null>> {
  const campaigns = new Map<number, NamedCampaign | null>()
  for (const { account, sending, sourceKind, source, version } of claimed) {
    if (
      campaigns.has(sending) ||
      familyNamed(sourceKind) === undefined ||
      !versions.get(version)?.compiled.needs.campaign
    )
      continue
    campaigns.set(sending, await cache.campaign(account, source))
  }
  return campaigns
}

/** What channels have to know of their messages, by message id. */
async function loadOwn(
  db: Sender['db'],
  claimed: readonly ClaimedMessage[],
  versions: ReadonlyMap<number, CompiledVersion>,
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
  { db, cache, signing, clock, channels: loadChannels = loadAllChannels }: Sender,
  claimed: readonly ClaimedMessage[],
): Promise<PreparedMessage[]> {
  const versions = new Map<number, CompiledVersion>()
  const owners = new Map<AccountId, { owner: SenderAccount; keys: AccountKeys['byDomain'] }>()
  for (const { account, version } of claimed) {
    if (!versions.has(version)) versions.set(version, await cache.version(account, version))
    if (!owners.has(account))
      owners.set(account, { owner: await cache.account(account), keys: await signing.of(account) })
  }
  const campaigns = await namedCampaigns(cache, claimed, versions)
  const channels = await loadChannels(claimed.filter(({ kind }) => kind === 'fallback').map(({ channel }) => channel))
  const facts = await loadFacts(db, claimed, (version) => versions.get(version)!.source.settings.field)
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
  { gateways }: Sender,
  list: readonly PreparedMessage[],
): Promise<Map<Gateway, PreparedMessage[]>> {
  const groups = new Map<Gateway, PreparedMessage[]>()
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
  sender: Sender,
  fit: readonly PreparedMessage[],
  recorder: Recorder,
): Promise<readonly PreparedMessage[]> {
  const { db, id, clock, reservations: kinds = reservationKinds } = sender
  if (fit.length === 0 || Object.keys(kinds).length === 0) return fit
  const { stopped, lost } = await retryWhileUnavailable(sender, () => decideReservations(db, id, kinds, fit))
  recorder.released(lost)
  return fit.filter((prepared) => {
    const decision = stopped.get(prepared.message.id)
    if (decision?.type === 'cancelled') recorder.add({ ...outcomeBase(prepared, clock.now()), ending: decision })
    else if (decision) {
      const { until, reply, postponement } = decision
      const ending = { type: 'returned', notBefore: until, reply, destination: '', postponement } as const
      recorder.add({ ...outcomeBase(prepared, clock.now()), ending })
    }
    return !decision && !lost.has(prepared.message.id)
  })
}

/** What is left of a batch: by gateway, and messages of which each delivery may have a gateway of its own. */
interface Fit {
  groups: Map<Gateway, PreparedMessage[]>
  several: PreparedMessage[]
}

/** Ends the messages that are excluded; gives the others. */
async function applyExclusions(sender: Sender, claimed: readonly ClaimedMessage[], recorder: Recorder): Promise<Fit> {
  const fit: PreparedMessage[] = []
  for (const prepared of await retryWhileUnavailable(sender, () => prepare(sender, claimed))) {
    const cancellation = exclusionOf(prepared)
    if (cancellation)
      recorder.add({ ...outcomeBase(prepared, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
    else fit.push(prepared)
  }
  const passed = await applyReservations(sender, fit, recorder)
  const isSeveral = ({ channel }: PreparedMessage) => channel.hasDeliveries === true
  const { several = [], single = [] } = Object.groupBy(passed, (one) => (isSeveral(one) ? 'several' : 'single'))
  const groups = await retryWhileUnavailable(sender, () => byGateway(sender, single))
  const carried = [...groups].flatMap(([{ isIdempotent = false }, list]) =>
    list.map(({ message }) => ({ message, isIdempotent })),
  )
  await markIdempotent(sender, carried)
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
  const batchOf = (own: readonly PreparedMessage[], handedOver: () => void, meter?: MakingMeter): GatewayBatch => {
    const untouched = new Set(own.map(({ message }) => message.id))
    const state = { composed: new Map(), deferred: [], untouched, isStorageAway: false, isHalted: false }
    return { ...batch, ...state, meter, handedOver }
  }
  const within = (own: readonly PreparedMessage[], work: (meter?: MakingMeter) => Promise<void>) =>
    tracedSending(sender, { gateway: gateway.name, count: own.length }, work)
  const { whole = [], waiting = [] } = Object.groupBy(list, (prepared) => (hasToFetch(prepared) ? 'waiting' : 'whole'))
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
      return sendGatewayBatch(slow, fetching(slow, waiting))
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
  const ended = tracedSending(batch.sender, { gateway: undefined, count: list.length }, (meter) =>
    sendDeliveries({ ...batch, untouched, isHalted: false, handedOver: resolve, meter }, list),
  )
  return { ended, handedOver: Promise.race([promise, ended]) }
}

/** A batch on its way. */
export interface Batch extends InFlight {
  claimed: number
}

/** Works through a batch; calls `isHandedOver` when gateways have all of it. */
async function runBatch(
  sender: Sender,
  { claimed, journal }: { claimed: readonly ClaimedMessage[]; journal: BatchJournal },
  isHandedOver: () => void,
): Promise<void> {
  const recorder = startRecorder(sender, new Map(claimed.map((message) => [message.id, message])))
  const halts = watchHalts(sender, claimed)
  try {
    const { groups, several } = await traced(
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
  await retryWhileUnavailable(sender, () => endSlices(sender.db, sender.id, slices))
  journal.close()
}

/**
 * Claims up to `limit` due messages of a lane and begins to check, compose, send and record them; undefined when none is
 * due. While the database is away it waits with what it has. When it throws, or `ended` rejects, the next sender
 * recovers the rest from the journal.
 */
export async function startBatch(sender: Sender, lane: Lane, limit: number): Promise<Batch | undefined> {
  const journal = sender.journal.open()
  const batch = { ...sender, id: journal.name }
  const startedAt = spanTime()
  const claimed = await claimBatch(batch, lane, limit)
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
export async function sendBatch(sender: Sender, lane: Lane, limit: number): Promise<number> {
  const batch = await startBatch(sender, lane, limit)
  await batch?.ended
  return batch?.claimed ?? 0
}
