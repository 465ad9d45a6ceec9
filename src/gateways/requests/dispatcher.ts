import { LRUCache } from 'lru-cache'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { circuitWaitMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayOutcome, GatewayStop, OutgoingMessage, SendBatchListener, SendBatchResult } from '../gateway.ts'
import {
  awaitBeforeBody,
  createDeliveryQueue,
  type DeliveryQueue,
  enqueueDeliveryBatch,
  hasQueuedDelivery,
  type QueuedDelivery,
  reportDeliveryOutcome,
  stopDeliveryQueue,
  takeQueuedDelivery,
} from '../queue.ts'
import { createRequestPace, type RequestPace, type RequestReserver } from './pace.ts'
import type { SharedSuspensions } from './rests.ts'
import {
  createRemoteStatus,
  isProbingRemote,
  type RemoteStatus,
  type RequestAttempt,
  recordRequestVerdict,
} from './standing.ts'
import type { ReplyVerdict } from './verdict.ts'

/** A message that can wait, the longer the more often it was tried. */
export type PostponableMessage = OutgoingMessage & { attempts?: number }

/** Why a message may not be sent at all, with its code of RFC 3463. */
export interface OutgoingMessageFault {
  enhanced: string
  reply: string
}

/** A far side that takes one message a request. */
export interface RequestRemote<Message extends PostponableMessage> {
  /** Name of the remote in events. */
  mta: string
  /** Requests at once. */
  concurrency: number
  /** Messages a second; 0: no limit. */
  speed: number
  /** Reserves messages of a speed that all senders share. Absent: the gateway has the speed for itself. */
  take?: RequestReserver | undefined
  /** Its rests after refused credentials, where all senders keep them together. */
  rests?: SharedSuspensions | undefined
  /** Halves that speed for a while. Absent: that of this gateway is halved. */
  slow?: (() => void) | undefined
  faultOf(message: Message): OutgoingMessageFault | undefined
  /** The outcome of a message whose time was over before it could be handed over. Absent: messages have no end. */
  overdue?(message: Message): GatewayOutcome | undefined
  /**
   * Hands one message over and says what the answer means. `announce` is called before its first octet leaves; what it
   * throws is passed on, and nothing else is thrown.
   */
  handOver(message: Message, announce: () => Promise<unknown>): Promise<ReplyVerdict>
  /** Returns the part of the remote side that accepts a message, if parts fail independently. Absent: there is only one part. */
  destinationOf?(message: Message): string
  /** Cuts what is under way, and disconnects. */
  disconnect(): void
}

/** Times of day, and a clock that runs evenly; both in milliseconds. */
export interface DispatcherClocks {
  clock: Clock
  ticks: () => number
}

/** Sends messages one by one, and tracks requests in flight. */
export interface RequestDispatcher<Message extends PostponableMessage> {
  send(batch: Iterable<Message>, listener: SendBatchListener): Promise<SendBatchResult>
  /** Why it takes no message now; undefined: it does. */
  stopped(): GatewayStop | undefined
  close(graceMs?: number): Promise<void>
}

/** Time limit for requests in flight when the gateway closes. */
const CLOSE_GRACE_MS = 5000
const MAX_DESTINATIONS = 1000
/** A rest that all senders keep is noticed by then, and messages wait as whoever opens the gateways says. */
const MAX_SHARED_WAIT_MS = 5000

interface DispatcherState<Message extends PostponableMessage> extends DispatcherClocks {
  remote: RequestRemote<Message>
  queue: DeliveryQueue<Message>
  pace: RequestPace
  standing: RemoteStatus
  destinations: LRUCache<string, RemoteStatus>
  /** Requests without an answer yet. They never reject. */
  open: Set<Promise<void>>
  timer: NodeJS.Timeout | undefined
  closing: boolean
}

/** Limits the time that blocked messages wait in this process. */
function limitLocalWait<Message extends PostponableMessage>(
  { remote, standing: remoteStatus }: DispatcherState<Message>,
  waitMs: number,
): number {
  return remote.rests !== undefined && isProbingRemote(remoteStatus) ? Math.min(waitMs, MAX_SHARED_WAIT_MS) : waitMs
}

function findStop<Message extends PostponableMessage>(state: DispatcherState<Message>): GatewayStop | undefined {
  const { closing: isClosing, standing: remoteStatus, ticks } = state
  if (isClosing) return { why: 'aborted', detail: 'the gateway is closing' }
  const pauseMs = limitLocalWait(state, circuitWaitMs(remoteStatus.circuit, ticks()))
  return pauseMs > 0 ? { why: 'down', detail: remoteStatus.circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

type ReplyText = { reply: string; code: string }

function buildDeferral(mta: string, id: number, { reply, code }: ReplyText, retryAfterMs: number): GatewayOutcome {
  const gatewayCodeMember = code === '' ? {} : { gatewayCode: code }
  return {
    id,
    result: 'deferred',
    stage: 'data',
    reply,
    ...gatewayCodeMember,
    mta,
    retryAfterMs: Math.ceil(retryAfterMs),
  }
}

/** Returns the status of the part of the remote side that accepts a message; the common status if there is only one part. */
function getOrCreateStatus<Message extends PostponableMessage>(
  state: DispatcherState<Message>,
  destination: string | undefined,
): RemoteStatus {
  if (destination === undefined) return state.standing
  const existingStatus = state.destinations.get(destination)
  if (existingStatus !== undefined) return existingStatus
  const newStatus = createRemoteStatus()
  state.destinations.set(destination, newStatus)
  return newStatus
}

/** Takes note of what is said of the whole, for all senders where rests are kept together. Answers as `recordRequestVerdict`. */
function recordSharedVerdict<Message extends PostponableMessage>(
  { standing: remoteStatus, remote: { rests } }: DispatcherState<Message>,
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): number | undefined {
  const previousRests = remoteStatus.rests
  const waitMs = recordRequestVerdict(remoteStatus, verdict, attempt)
  // A rest that cannot be written is kept here alone.
  if (remoteStatus.rests > previousRests) rests?.begin().catch(() => undefined)
  if (remoteStatus.rests < previousRests) rests?.end().catch(() => undefined)
  return waitMs
}

/** Takes note of a verdict, and gives the outcome of its message. */
function recordVerdict<Message extends PostponableMessage>(
  state: DispatcherState<Message>,
  { message, own: destinationStatus }: { message: Message; own: RemoteStatus },
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): GatewayOutcome {
  const { standing: remoteStatus, pace, remote } = state
  const { id } = message
  const { mta } = remote
  if (verdict.what === 'settled' || verdict.what === 'denied') {
    if (destinationStatus !== remoteStatus)
      recordRequestVerdict(destinationStatus, { what: 'settled', outcome: verdict.outcome }, attempt)
    const waitMs = recordSharedVerdict(state, verdict, attempt)
    if (waitMs === undefined || verdict.what === 'settled') return verdict.outcome
    const { reply, gatewayCode: code = '' } = verdict.outcome
    return buildDeferral(mta, id, { reply, code }, limitLocalWait(state, waitMs))
  }
  const waitMs = recordRequestVerdict(destinationStatus, verdict, attempt) ?? 0
  if (verdict.what === 'busy') {
    if (remote.slow === undefined) pace.halve(attempt.now)
    else remote.slow()
  }
  return verdict.what === 'silent'
    ? { id, result: 'doubtful', reason: verdict.reply, mta }
    : buildDeferral(mta, id, verdict, waitMs)
}

/** Hands one message over, and takes note of how it went. */
async function sendDelivery<Message extends PostponableMessage>(
  state: DispatcherState<Message>,
  delivery: QueuedDelivery<Message>,
): Promise<GatewayOutcome> {
  const { remote, clock, ticks } = state
  const { message } = delivery
  const { id, attempts = 0 } = message
  const fault = remote.faultOf(message)
  if (fault !== undefined) return { id, result: 'refused', stage: 'data', ...fault, mta: '' }
  const expiredOutcome = remote.overdue?.(message)
  if (expiredOutcome !== undefined) return expiredOutcome
  const destination = remote.destinationOf?.(message)
  const destinationStatus = getOrCreateStatus(state, destination)
  const suspensionMs = circuitWaitMs(destinationStatus.circuit, ticks())
  if (destination !== undefined && suspensionMs > 0)
    return {
      id,
      result: 'returned',
      destination,
      reason: destinationStatus.circuit.lastFault,
      retryAfterMs: suspensionMs,
    }
  const beganAt = ticks()
  try {
    const verdict = await remote.handOver(message, () => awaitBeforeBody(delivery, () => true))
    return recordVerdict(state, { message, own: destinationStatus }, verdict, {
      beganAt,
      now: ticks(),
      date: clock.now(),
      attempts,
    })
  } catch (error) {
    return { id, result: 'deferred', stage: 'data', reply: formatErrorReason(error), mta: remote.mta }
  }
}

/** Returns the number of requests allowed at once. */
function countAllowedRequests<Message extends PostponableMessage>({
  remote,
  standing: remoteStatus,
  pace,
  ticks,
}: DispatcherState<Message>): number {
  const { concurrency, speed } = remote
  if (isProbingRemote(remoteStatus)) return 1
  // Without a limit of speed the number of requests is what rules it.
  return speed === 0 && pace.isHalved(ticks()) ? Math.ceil(concurrency / 2) : concurrency
}

function scheduleAdvance<Message extends PostponableMessage>(state: DispatcherState<Message>, waitMs: number): void {
  state.timer ??= setTimeout(() => {
    state.timer = undefined
    advance(state)
  }, waitMs)
}

/** Makes requests while there is room, or ends the batches while nothing may be tried. */
function advance<Message extends PostponableMessage>(state: DispatcherState<Message>): void {
  const { queue, open: openRequests, pace, ticks, remote } = state
  const stop = findStop(state)
  if (stop !== undefined) {
    const stopReply = { reply: stop.detail, code: '' }
    stopDeliveryQueue(queue, stop, ({ message: { id } }) =>
      buildDeferral(remote.mta, id, stopReply, stop.retryAfterMs ?? 0),
    )
    return
  }
  while (openRequests.size < countAllowedRequests(state) && hasQueuedDelivery(queue)) {
    const waitMs = pace.waitMs(ticks())
    if (waitMs === undefined) return
    if (waitMs > 0) {
      scheduleAdvance(state, waitMs)
      return
    }
    const delivery = takeQueuedDelivery(queue)
    if (delivery === undefined) return
    pace.spend(ticks())
    const request = sendDelivery(state, delivery).then((outcome) => {
      openRequests.delete(request)
      reportDeliveryOutcome(delivery, outcome)
      advance(state)
    })
    openRequests.add(request)
  }
}

async function closeDispatcher<Message extends PostponableMessage>(
  state: DispatcherState<Message>,
  graceMs: number,
): Promise<void> {
  state.closing = true
  advance(state)
  const timer = setTimeout(() => state.remote.disconnect(), graceMs)
  await Promise.all(state.open)
  clearTimeout(timer)
  clearTimeout(state.timer)
  state.remote.disconnect()
}

/** Hands messages over to a far side, one a request, as fast as it takes them. Nothing is connected yet. */
export function createRequestDispatcher<Message extends PostponableMessage>(
  remote: RequestRemote<Message>,
  { clock, ticks }: DispatcherClocks,
): RequestDispatcher<Message> {
  const pace = createRequestPace({ speed: remote.speed, take: remote.take, now: ticks }, () => advance(state))
  const state: DispatcherState<Message> = {
    remote,
    clock,
    ticks,
    queue: createDeliveryQueue(),
    pace,
    standing: createRemoteStatus(remote.rests?.rests),
    destinations: new LRUCache({ max: MAX_DESTINATIONS }),
    open: new Set(),
    timer: undefined,
    closing: false,
  }
  return {
    async send(batch, listener) {
      const stop = findStop(state)
      if (stop !== undefined) return { taken: 0, stop }
      const result = enqueueDeliveryBatch(state.queue, batch, listener)
      advance(state)
      return result
    },
    stopped: () => findStop(state),
    close: (graceMs = CLOSE_GRACE_MS) => closeDispatcher(state, graceMs),
  }
}
