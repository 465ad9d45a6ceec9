import type { ShortLink } from '../features/rendering/message-links.ts'
import type { Gateway, GatewayOutcome, Outgoing, Returned, SendListener, Stop } from '../gateways/gateway.ts'
import { type Archived, archive, isArchived, StorageAway, sizeOf } from './archiving.ts'
import { GIVE_UP_MS, retryDelay } from './backoff.ts'
import { releaseMessages } from './claim.ts'
import { type Composed, compose } from './compose.ts'
import { expiryOf, footprintOf } from './exclusions.ts'
import type { Halts } from './halts.ts'
import type { BatchJournal } from './journal.ts'
import type { Claimed } from './outbox.ts'
import type { Outcome } from './record.ts'
import type { Recorder } from './recorder.ts'
import type { PreparedMessage } from './sender-cache.ts'
import { retryWhileUnavailable, type Sender } from './sender-context.ts'
import { storeShortLinks } from './short-links.ts'

/** How long messages wait for a gateway that is down and does not say for how long. */
const GATEWAY_PAUSE_MS = 5000

/** Why messages wait that are to be archived and cannot be. */
const STORAGE_AWAY: Stop = { why: 'down', detail: 'the storage of archives is away', retryAfterMs: 10_000 }

/** Why messages wait whose sending was paused or cancelled while they were being sent. */
const HALTED: Stop = { why: 'aborted', detail: 'the action was stopped' }

/** Why messages wait that were not begun when the sender was told to end. */
const ENDING: Stop = { why: 'aborted', detail: 'the sender ends' }

/** So many messages, or octets of them, are kept in memory until what has to be stored before they leave is stored. */
const MAX_DEFERRED = { messages: 250, bytes: 8 * 1024 * 1024 }

/** What the outcome of a message says whatever it is. */
export function outcomeBase({ message, facts, source }: PreparedMessage, at: number): Omit<Outcome, 'ending'> {
  return {
    id: message.id,
    footprint: footprintOf(facts.contact),
    field: message.address === null ? source.settings.field : null,
    at,
  }
}

/** Of a message that was not begun, as its destination takes no more for now. */
function returnedEnding({ destination, reason, retryAfterMs }: Omit<Returned, 'id' | 'result'>, at: number) {
  return { type: 'returned' as const, notBefore: at + retryAfterMs, destination, reply: reason }
}

/** What a gateway's answer means for a message: its end, or when to try again. */
function endingOf(
  { message, owner, version }: PreparedMessage,
  composed: Composed,
  answer: GatewayOutcome,
  gateway: string,
  at: number,
): Outcome['ending'] {
  const { address, values } = composed
  switch (answer.result) {
    case 'accepted':
      return {
        type: 'accepted',
        address,
        gateway,
        values,
        reference: answer.reference,
        ...version.channel.referencesOf?.(composed.outgoing, answer),
      }
    case 'refused':
      if (version.channel.isOurFault(answer.stage)) {
        const cancellation = { type: 'configuration', value: { gateway, message: answer.reply } } as const
        return { type: 'cancelled', cancellation }
      }
      return {
        type: 'refused',
        address,
        gateway,
        values,
        stage: answer.stage,
        code: answer.code ?? null,
        enhanced: answer.enhanced,
        ...(answer.gatewayCode !== undefined && { gatewayCode: answer.gatewayCode }),
        reply: answer.reply,
        mta: answer.mta,
      }
    case 'returned':
      return returnedEnding(answer, at)
    case 'doubtful':
      return owner.inDoubt === 'send'
        ? { type: 'postponed', notBefore: at + retryDelay(message), reply: answer.reason }
        : { type: 'held', reason: answer.reason }
    case 'deferred': {
      const since = message.firstTriedAt?.getTime() ?? at
      const isOver = at >= Math.min(message.expiresAt.getTime(), since + GIVE_UP_MS)
      if (!isOver)
        return {
          type: 'postponed',
          notBefore: at + (answer.retryAfterMs ?? retryDelay(message)),
          reply: answer.reply,
          ...(answer.destination !== undefined && { destination: answer.destination }),
        }
      return {
        type: 'refused',
        address,
        gateway,
        values,
        stage: answer.stage,
        code: answer.code ?? null,
        enhanced: '4.4.7',
        ...(answer.gatewayCode !== undefined && { gatewayCode: answer.gatewayCode }),
        reply: `delivery time expired: ${answer.reply}`,
        mta: answer.mta,
      }
    }
  }
}

/** The share of one gateway in a batch, while it is being sent. */
export interface GatewayBatch {
  sender: Sender
  gateway: Gateway
  journal: BatchJournal
  recorder: Recorder
  /** Composed, and without an outcome yet. */
  made: Map<number, ComposedMessage>
  /** Composed, but short links or archives are to be stored first. */
  later: ComposedMessage[]
  /** Neither ended nor taken by the gateway. */
  untouched: Set<number>
  /** Messages that are to be archived are not begun any more. */
  isStorageAway: boolean
  halts: Halts
  /** Messages were passed over because their sending was paused or cancelled. */
  isHalted: boolean
  /** Called when the gateway has taken what there is: the last ones may be on their way for long. */
  handedOver(): void
}

interface ComposedMessage {
  ready: PreparedMessage
  composed: Composed
}

/** A fault of ours in one message must not keep the others from leaving: it ends that message, and the log has the cause. */
function composeSafely({ tokens, clock, log }: Sender, ready: PreparedMessage): ReturnType<typeof compose> {
  try {
    return compose(ready, tokens, clock.now())
  } catch (error) {
    log.error({ err: error, message: ready.message.id, version: ready.message.version }, 'a message cannot be composed')
    return {
      cancellation: {
        type: 'render error',
        value: { type: 'render', message: 'the message cannot be composed', position: null },
      },
    }
  }
}

/** How a message goes back whose destination is known and takes nothing now. */
function closedTo({ gateway, sender }: GatewayBatch, { message }: PreparedMessage): Outcome['ending'] | undefined {
  const { account, destination } = message
  if (destination === null) return undefined
  const closed = gateway.shaping?.closed(account, destination)
  return closed && returnedEnding({ destination, ...closed }, sender.clock.now())
}

/**
 * Makes messages one by one as the gateway takes them; one that cannot be made ends here. It stops when enough of them
 * have to wait for what is to be stored first.
 */
function* composing(share: GatewayBatch, list: Iterator<PreparedMessage>): Generator<Outgoing> {
  const { sender, recorder, made, later, untouched, halts } = share
  let bytes = 0
  while (later.length < MAX_DEFERRED.messages && bytes < MAX_DEFERRED.bytes) {
    const { done, value: ready } = list.next()
    if (done) {
      if (later.length === 0) share.handedOver()
      return
    }
    if (share.isStorageAway && isArchived(ready)) continue
    if (halts.has(ready.message.sending)) {
      share.isHalted = true
      continue
    }
    // Known to come back: it need not be made.
    const closed = closedTo(share, ready)
    if (closed) {
      untouched.delete(ready.message.id)
      recorder.add({ ...outcomeBase(ready, sender.clock.now()), ending: closed })
      continue
    }
    // Its end may have come since it was claimed.
    const expiry = expiryOf(ready, sender.clock.now())
    const result = expiry ? { cancellation: expiry } : composeSafely(sender, ready)
    if ('cancellation' in result) {
      untouched.delete(ready.message.id)
      recorder.add({
        ...outcomeBase(ready, sender.clock.now()),
        ending: { type: 'cancelled', cancellation: result.cancellation },
      })
      continue
    }
    const one = { ready, composed: result }
    made.set(ready.message.id, one)
    const archived = archivedOf(one)
    if (archived) bytes += sizeOf(archived.mail)
    if (archived || result.shortLinks.length > 0) later.push(one)
    else yield result.outgoing
  }
}

function listenerOf({ sender, gateway, journal, recorder, made, untouched }: GatewayBatch): SendListener {
  return {
    signal: sender.signal,
    beforeBody: journal.begin,
    outcome(answer) {
      const one = made.get(answer.id)
      if (!one) return
      made.delete(answer.id)
      untouched.delete(answer.id)
      const at = sender.clock.now()
      const outcome = {
        ...outcomeBase(one.ready, at),
        ending: endingOf(one.ready, one.composed, answer, gateway.name, at),
      }
      // One that was not begun is not accounted for after a crash: it is still to be sent.
      if (answer.result !== 'returned') journal.end(answer.id, outcome)
      recorder.add(outcome)
    },
  }
}

function shortLinksOf(later: readonly ComposedMessage[]): { message: Claimed; link: ShortLink }[] {
  return later.flatMap(({ ready, composed }) => composed.shortLinks.map((link) => ({ message: ready.message, link })))
}

function archivedOf({ ready, composed: { outgoing } }: ComposedMessage): Archived | undefined {
  return isArchived(ready) && 'envelope' in outgoing ? { message: ready.message, mail: outgoing } : undefined
}

/** Stores what has to be there before messages leave; gives those that may. Others wait for the storage of archives. */
async function storeBeforeSending(
  share: GatewayBatch,
  later: readonly ComposedMessage[],
): Promise<readonly ComposedMessage[]> {
  const { sender, made } = share
  const links = shortLinksOf(later)
  if (links.length > 0) await retryWhileUnavailable(sender, () => storeShortLinks(sender.db, links, sender.clock.now()))
  const archived = later.flatMap((one) => archivedOf(one) ?? [])
  try {
    if (archived.length > 0) await archive(sender, archived)
    return later
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    sender.log.warn({ err: error }, 'messages wait for the storage of archives')
    for (const { message } of archived) made.delete(message.id)
    share.isStorageAway = true
    return later.filter((one) => !archivedOf(one))
  }
}

/** Sends messages as they are made, and in turns with these those for which something is stored first. */
async function sendInTurns(share: GatewayBatch, list: Iterator<PreparedMessage>): Promise<Stop | undefined> {
  const { gateway, later } = share
  const listener = listenerOf(share)
  for (;;) {
    const { stop } = await gateway.send(composing(share, list), listener)
    const stored = later.splice(0)
    if (stop || stored.length === 0) return stop
    const free = await storeBeforeSending(share, stored)
    const second = await gateway.send(
      free.map(({ composed }) => composed.outgoing),
      listener,
    )
    if (second.stop) return second.stop
  }
}

/** Why messages are left over though the gateway takes all that it is given. */
function reasonToWait({ sender, isStorageAway, isHalted }: GatewayBatch): Stop | undefined {
  if (isStorageAway) return STORAGE_AWAY
  if (isHalted) return HALTED
  return sender.signal.aborted ? ENDING : undefined
}

/** Sends one gateway's share of a batch, list by list as they are ready; what it does not take is given back. */
export async function sendGatewayBatch(
  share: GatewayBatch,
  lists: Iterable<readonly PreparedMessage[]> | AsyncIterable<readonly PreparedMessage[]>,
): Promise<void> {
  const { sender, gateway, recorder, untouched } = share
  let stop: Stop | undefined
  for await (const list of lists) {
    stop = await sendInTurns(share, list.values())
    if (stop) break
  }
  if (stop?.why === 'down')
    sender.log.warn({ gateway: gateway.name, waiting: untouched.size, reason: stop.detail }, 'gateway is down')
  const reason = stop ?? reasonToWait(share)
  if (!reason) return
  const pause = reason.why === 'down' ? (reason.retryAfterMs ?? GATEWAY_PAUSE_MS) : 0
  const release = { notBefore: sender.clock.now() + pause, reply: reason.detail }
  await retryWhileUnavailable(sender, () => releaseMessages(sender.db, sender.id, [...untouched], release))
  recorder.released(untouched)
}
