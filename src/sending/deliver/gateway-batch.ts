import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { ShortLink } from '../../features/rendering/message-links.ts'
import type { GatewayStop, MessageGateway, OutgoingMessage, SendBatchListener } from '../../gateways/gateway.ts'
import { releaseMessages } from '../claim/claim-messages.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import { type BatchComposition, composeOrCancel, isSendingPaused } from '../prepare/composition.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import { storeShortLinks } from '../prepare/short-links.ts'
import {
  type ArchivableMessage,
  ArchiveUnavailable,
  archiveMessages,
  getArchivedBytes,
  mustArchiveMessage,
} from '../record/archive-messages.ts'
import { buildOutcomeBase, buildReturnedEnding, toDeliveryEnding } from '../record/endings.ts'
import type { MessageOutcome } from '../record/outcome.ts'
import type { BatchJournal } from '../recover/journal.ts'

/** Time that messages wait for a gateway that is down and does not report for how long. */
const GATEWAY_PAUSE_MS = 5000

/** Why messages wait that are to be archived and cannot be. */
const STORAGE_UNAVAILABLE: GatewayStop = {
  why: 'down',
  detail: 'the archive storage is unavailable',
  retryAfterMs: 10_000,
}

/** Why messages wait whose sending was paused or cancelled while they were being sent. */
const SENDING_STOPPED: GatewayStop = { why: 'aborted', detail: 'the action was stopped' }

/** Why messages wait that were not started when the sender had to end. */
const SENDER_ENDING: GatewayStop = { why: 'aborted', detail: 'the sender is stopping' }

/** So many messages, or octets of them, are kept in memory until what has to be stored before they leave is stored. */
const MAX_DEFERRED = { messages: 250, bytes: 8 * 1024 * 1024 }

/** Part of a batch that one gateway sends, while it is being sent. */
export interface GatewayBatch extends BatchComposition {
  gateway: MessageGateway
  journal: BatchJournal
  /** Composed, and without an outcome yet. */
  composed: Map<number, ComposedMessage>
  /** Composed, but short links or archives are to be stored first. */
  deferred: ComposedMessage[]
  /** Messages that are to be archived are not started any more. */
  isStorageAway: boolean
  /** Called when the gateway has taken what there is: the last ones may be on their way for long. */
  handedOver(): void
}

/** Returns the ending of a message whose destination is known and currently closed. */
function findClosedEnding(
  { gateway, sender }: GatewayBatch,
  { message }: PreparedMessage,
): MessageOutcome['ending'] | undefined {
  const { account, destination } = message
  if (destination === null) return undefined
  const closedState = gateway.shaping?.closed(account, destination)
  return closedState && buildReturnedEnding({ destination, ...closedState }, sender.clock.now())
}

/**
 * Makes messages one by one as the gateway takes them; one that cannot be composed ends here. It stops when enough of them
 * have to wait for what is to be stored first.
 */
function* composeMessages(batch: GatewayBatch, list: Iterator<PreparedMessage>): Generator<OutgoingMessage> {
  const { sender, recorder, composed, deferred, untouched } = batch
  let deferredBytes = 0
  while (deferred.length < MAX_DEFERRED.messages && deferredBytes < MAX_DEFERRED.bytes) {
    const { done, value: prepared } = list.next()
    if (done) {
      if (deferred.length === 0) batch.handedOver()
      return
    }
    if (batch.isStorageAway && mustArchiveMessage(prepared)) continue
    if (isSendingPaused(batch, prepared)) continue
    // Known to come back: it need not be composed.
    const closedEnding = findClosedEnding(batch, prepared)
    if (closedEnding) {
      untouched.delete(prepared.message.id)
      recorder.add({ ...buildOutcomeBase(prepared, sender.clock.now()), ending: closedEnding })
      continue
    }
    const result = composeOrCancel(batch, prepared)
    if (!result) continue
    if (!isSingleDelivery(result)) throw new Error('a channel without deliveries made several of one message')
    composed.set(prepared.message.id, result)
    const archivableMessage = toArchivable(result)
    if (archivableMessage) deferredBytes += getArchivedBytes(archivableMessage.mail)
    if (archivableMessage || result.shortLinks.length > 0) deferred.push(result)
    else yield result.outgoing
  }
}

function isSingleDelivery(
  composition: ComposedMessage<OutgoingMessage | readonly OutgoingMessage[]>,
): composition is ComposedMessage {
  return !Array.isArray(composition.outgoing)
}

function createListener({ sender, gateway, journal, recorder, composed, untouched }: GatewayBatch): SendBatchListener {
  return {
    signal: sender.signal,
    beforeBody: gateway.isIdempotent ? journal.beginIdempotent : journal.begin,
    outcome(answer) {
      const answeredMessage = composed.get(answer.id)
      if (!answeredMessage) return
      composed.delete(answer.id)
      untouched.delete(answer.id)
      const answeredAt = sender.clock.now()
      const outcome = {
        ...buildOutcomeBase(answeredMessage.prepared, answeredAt),
        ending: toDeliveryEnding(answeredMessage, answer, gateway, answeredAt),
      }
      // One that was not started is not accounted for after a crash: it is still to be sent.
      if (answer.result !== 'returned') journal.end(answer.id, outcome)
      recorder.add(outcome)
    },
  }
}

function listShortLinks(deferred: readonly ComposedMessage[]): { message: ClaimedMessage; link: ShortLink }[] {
  return deferred.flatMap(({ prepared, shortLinks }) => shortLinks.map((link) => ({ message: prepared.message, link })))
}

function toArchivable({ prepared, outgoing }: ComposedMessage): ArchivableMessage | undefined {
  return mustArchiveMessage(prepared) && 'envelope' in outgoing
    ? { message: prepared.message, mail: outgoing }
    : undefined
}

/** Stores what has to be there before messages leave; gives those that may. Others wait for the storage of archives. */
async function storeBeforeSending(
  batch: GatewayBatch,
  deferred: readonly ComposedMessage[],
): Promise<readonly ComposedMessage[]> {
  const { sender, composed } = batch
  const linkRows = listShortLinks(deferred)
  if (linkRows.length > 0)
    await retryWhileUnavailable(sender, () => storeShortLinks(sender.db, linkRows, sender.clock.now()))
  const archivableMessages = deferred.flatMap((deferredMessage) => toArchivable(deferredMessage) ?? [])
  try {
    if (archivableMessages.length > 0) await archiveMessages(sender, archivableMessages)
    return deferred
  } catch (error) {
    if (!(error instanceof ArchiveUnavailable)) throw error
    sender.log.warn({ err: error }, 'messages wait for the archive storage')
    for (const { message } of archivableMessages) composed.delete(message.id)
    batch.isStorageAway = true
    return deferred.filter((deferredMessage) => !toArchivable(deferredMessage))
  }
}

/** Sends messages as they are composed, and in turns with these those for which something is stored first. */
async function sendAlternating(batch: GatewayBatch, list: Iterator<PreparedMessage>): Promise<GatewayStop | undefined> {
  const { gateway, deferred } = batch
  const listener = createListener(batch)
  for (;;) {
    const { stop } = await gateway.send(composeMessages(batch, list), listener)
    const storableMessages = deferred.splice(0)
    if (stop || storableMessages.length === 0) return stop
    const sendableMessages = await storeBeforeSending(batch, storableMessages)
    const secondResult = await gateway.send(
      sendableMessages.map(({ outgoing }) => outgoing),
      listener,
    )
    if (secondResult.stop) return secondResult.stop
  }
}

/** Why messages are left over though the gateway takes all that it is given. */
export function explainUnsentMessages(batch: BatchComposition & { isStorageAway: boolean }): GatewayStop | undefined {
  if (batch.isStorageAway) return STORAGE_UNAVAILABLE
  if (batch.isHalted) return SENDING_STOPPED
  return batch.sender.signal.aborted ? SENDER_ENDING : undefined
}

/** Returns the time that messages wait after a stop, in milliseconds. */
export function getStopPauseMs({ why, retryAfterMs }: GatewayStop): number {
  return why === 'down' ? (retryAfterMs ?? GATEWAY_PAUSE_MS) : 0
}

/** Gives back what was not started, to be claimed again when what stopped it may be over. */
export async function releaseUntouchedMessages(
  { sender, recorder, untouched }: BatchComposition,
  reason: GatewayStop,
): Promise<void> {
  const releaseOptions = { notBefore: sender.clock.now() + getStopPauseMs(reason), reply: reason.detail }
  await retryWhileUnavailable(sender, () => releaseMessages(sender.db, sender.id, [...untouched], releaseOptions))
  recorder.released(untouched)
}

/** Sends what one gateway has of a batch, list by list as they are prepared; what it does not take is given back. */
export async function sendGatewayBatch(
  batch: GatewayBatch,
  lists: Iterable<readonly PreparedMessage[]> | AsyncIterable<readonly PreparedMessage[]>,
): Promise<void> {
  const { sender, gateway, untouched } = batch
  let stop: GatewayStop | undefined
  for await (const list of lists) {
    stop = await sendAlternating(batch, list.values())
    if (stop) break
  }
  if (stop?.why === 'down')
    sender.log.warn({ gateway: gateway.name, waiting: untouched.size, reason: stop.detail }, 'gateway is down')
  const reason = stop ?? explainUnsentMessages(batch)
  if (reason) await releaseUntouchedMessages(batch, reason)
}
