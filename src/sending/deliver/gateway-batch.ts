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

/** How long messages wait for a gateway that is down and does not say for how long. */
const GATEWAY_PAUSE_MS = 5000

/** Why messages wait that are to be archived and cannot be. */
const STORAGE_AWAY: GatewayStop = { why: 'down', detail: 'the storage of archives is away', retryAfterMs: 10_000 }

/** Why messages wait whose sending was paused or cancelled while they were being sent. */
const HALTED: GatewayStop = { why: 'aborted', detail: 'the action was stopped' }

/** Why messages wait that were not started when the sender had to end. */
const ENDING: GatewayStop = { why: 'aborted', detail: 'the sender ends' }

/** So many messages, or octets of them, are kept in memory until what has to be stored before they leave is stored. */
const MAX_DEFERRED = { messages: 250, bytes: 8 * 1024 * 1024 }

/** What one gateway has of a batch, while it is being sent. */
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

/** How a message goes back whose destination is known and takes nothing now. */
function closedTo(
  { gateway, sender }: GatewayBatch,
  { message }: PreparedMessage,
): MessageOutcome['ending'] | undefined {
  const { account, destination } = message
  if (destination === null) return undefined
  const closed = gateway.shaping?.closed(account, destination)
  return closed && buildReturnedEnding({ destination, ...closed }, sender.clock.now())
}

/**
 * Makes messages one by one as the gateway takes them; one that cannot be composed ends here. It stops when enough of them
 * have to wait for what is to be stored first.
 */
function* composing(batch: GatewayBatch, list: Iterator<PreparedMessage>): Generator<OutgoingMessage> {
  const { sender, recorder, composed, deferred, untouched } = batch
  let bytes = 0
  while (deferred.length < MAX_DEFERRED.messages && bytes < MAX_DEFERRED.bytes) {
    const { done, value: prepared } = list.next()
    if (done) {
      if (deferred.length === 0) batch.handedOver()
      return
    }
    if (batch.isStorageAway && mustArchiveMessage(prepared)) continue
    if (isSendingPaused(batch, prepared)) continue
    // Known to come back: it need not be composed.
    const closed = closedTo(batch, prepared)
    if (closed) {
      untouched.delete(prepared.message.id)
      recorder.add({ ...buildOutcomeBase(prepared, sender.clock.now()), ending: closed })
      continue
    }
    const result = composeOrCancel(batch, prepared)
    if (!result) continue
    if (!isSingle(result)) throw new Error('a channel without deliveries made several of one message')
    composed.set(prepared.message.id, result)
    const archived = archivedOf(result)
    if (archived) bytes += getArchivedBytes(archived.mail)
    if (archived || result.shortLinks.length > 0) deferred.push(result)
    else yield result.outgoing
  }
}

function isSingle(made: ComposedMessage<OutgoingMessage | readonly OutgoingMessage[]>): made is ComposedMessage {
  return !Array.isArray(made.outgoing)
}

function listenerOf({ sender, gateway, journal, recorder, composed, untouched }: GatewayBatch): SendBatchListener {
  return {
    signal: sender.signal,
    beforeBody: gateway.isIdempotent ? journal.beginIdempotent : journal.begin,
    outcome(answer) {
      const one = composed.get(answer.id)
      if (!one) return
      composed.delete(answer.id)
      untouched.delete(answer.id)
      const at = sender.clock.now()
      const outcome = {
        ...buildOutcomeBase(one.prepared, at),
        ending: toDeliveryEnding(one, answer, gateway, at),
      }
      // One that was not started is not accounted for after a crash: it is still to be sent.
      if (answer.result !== 'returned') journal.end(answer.id, outcome)
      recorder.add(outcome)
    },
  }
}

function shortLinksOf(deferred: readonly ComposedMessage[]): { message: ClaimedMessage; link: ShortLink }[] {
  return deferred.flatMap(({ prepared, shortLinks }) => shortLinks.map((link) => ({ message: prepared.message, link })))
}

function archivedOf({ prepared, outgoing }: ComposedMessage): ArchivableMessage | undefined {
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
  const links = shortLinksOf(deferred)
  if (links.length > 0) await retryWhileUnavailable(sender, () => storeShortLinks(sender.db, links, sender.clock.now()))
  const archived = deferred.flatMap((one) => archivedOf(one) ?? [])
  try {
    if (archived.length > 0) await archiveMessages(sender, archived)
    return deferred
  } catch (error) {
    if (!(error instanceof ArchiveUnavailable)) throw error
    sender.log.warn({ err: error }, 'messages wait for the storage of archives')
    for (const { message } of archived) composed.delete(message.id)
    batch.isStorageAway = true
    return deferred.filter((one) => !archivedOf(one))
  }
}

/** Sends messages as they are composed, and in turns with these those for which something is stored first. */
async function sendInTurns(batch: GatewayBatch, list: Iterator<PreparedMessage>): Promise<GatewayStop | undefined> {
  const { gateway, deferred } = batch
  const listener = listenerOf(batch)
  for (;;) {
    const { stop } = await gateway.send(composing(batch, list), listener)
    const stored = deferred.splice(0)
    if (stop || stored.length === 0) return stop
    const free = await storeBeforeSending(batch, stored)
    const second = await gateway.send(
      free.map(({ outgoing }) => outgoing),
      listener,
    )
    if (second.stop) return second.stop
  }
}

/** Why messages are left over though the gateway takes all that it is given. */
export function explainUnsentMessages(batch: BatchComposition & { isStorageAway: boolean }): GatewayStop | undefined {
  if (batch.isStorageAway) return STORAGE_AWAY
  if (batch.isHalted) return HALTED
  return batch.sender.signal.aborted ? ENDING : undefined
}

/** How long messages wait after a stop, in milliseconds. */
export function getStopPauseMs({ why, retryAfterMs }: GatewayStop): number {
  return why === 'down' ? (retryAfterMs ?? GATEWAY_PAUSE_MS) : 0
}

/** Gives back what was not started, to be claimed again when what stopped it may be over. */
export async function releaseUntouchedMessages(
  { sender, recorder, untouched }: BatchComposition,
  reason: GatewayStop,
): Promise<void> {
  const release = { notBefore: sender.clock.now() + getStopPauseMs(reason), reply: reason.detail }
  await retryWhileUnavailable(sender, () => releaseMessages(sender.db, sender.id, [...untouched], release))
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
    stop = await sendInTurns(batch, list.values())
    if (stop) break
  }
  if (stop?.why === 'down')
    sender.log.warn({ gateway: gateway.name, waiting: untouched.size, reason: stop.detail }, 'gateway is down')
  const reason = stop ?? explainUnsentMessages(batch)
  if (reason) await releaseUntouchedMessages(batch, reason)
}
