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
  /** What it is called in events. */
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
  /** Which part of the far side takes a message, where parts fail apart. Absent: it is one. */
  destinationOf?(message: Message): string
  /** Cuts what is under way, and disconnects. */
  disconnect(): void
}

/** Times of day, and a clock that runs evenly; both in milliseconds. */
export interface DispatcherClocks {
  clock: Clock
  ticks: () => number
}

/** What hands messages over, and its requests in flight. */
export interface RequestDispatcher<Message extends PostponableMessage> {
  send(batch: Iterable<Message>, listener: SendBatchListener): Promise<SendBatchResult>
  /** Why it takes no message now; undefined: it does. */
  stopped(): GatewayStop | undefined
  close(graceMs?: number): Promise<void>
}

/** How long requests in flight may take when the gateway closes. */
const CLOSING_MS = 5000
const MAX_DESTINATIONS = 1000
/** A rest that all senders keep is noticed by then, and messages wait as whoever opens the gateways says. */
const SHARED_BY_MS = 5000

interface State<Message extends PostponableMessage> extends DispatcherClocks {
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

/** How long messages wait that may not be tried for so long. */
function waitHere<Message extends PostponableMessage>({ remote, standing }: State<Message>, waitMs: number): number {
  return remote.rests !== undefined && isProbingRemote(standing) ? Math.min(waitMs, SHARED_BY_MS) : waitMs
}

function stopOf<Message extends PostponableMessage>(state: State<Message>): GatewayStop | undefined {
  const { closing, standing, ticks } = state
  if (closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const pauseMs = waitHere(state, circuitWaitMs(standing.circuit, ticks()))
  return pauseMs > 0 ? { why: 'down', detail: standing.circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

type Reply = { reply: string; code: string }

function deferred(mta: string, id: number, { reply, code }: Reply, retryAfterMs: number): GatewayOutcome {
  const said = code === '' ? {} : { gatewayCode: code }
  return { id, result: 'deferred', stage: 'data', reply, ...said, mta, retryAfterMs: Math.ceil(retryAfterMs) }
}

/** How the part of the far side stands that takes a message: the whole, where it is one. */
function standingFor<Message extends PostponableMessage>(
  state: State<Message>,
  destination: string | undefined,
): RemoteStatus {
  if (destination === undefined) return state.standing
  const known = state.destinations.get(destination)
  if (known !== undefined) return known
  const made = createRemoteStatus()
  state.destinations.set(destination, made)
  return made
}

/** Takes note of what is said of the whole, for all senders where rests are kept together. Answers as `recordRequestVerdict`. */
function noteWhole<Message extends PostponableMessage>(
  { standing, remote: { rests } }: State<Message>,
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): number | undefined {
  const before = standing.rests
  const waitMs = recordRequestVerdict(standing, verdict, attempt)
  // A rest that cannot be written is kept here alone.
  if (standing.rests > before) rests?.begin().catch(() => undefined)
  if (standing.rests < before) rests?.end().catch(() => undefined)
  return waitMs
}

/** Takes note of a verdict, and gives the outcome of its message. */
function outcomeOf<Message extends PostponableMessage>(
  state: State<Message>,
  { message, own }: { message: Message; own: RemoteStatus },
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): GatewayOutcome {
  const { standing, pace, remote } = state
  const { id } = message
  const { mta } = remote
  if (verdict.what === 'settled' || verdict.what === 'denied') {
    if (own !== standing) recordRequestVerdict(own, { what: 'settled', outcome: verdict.outcome }, attempt)
    const waitMs = noteWhole(state, verdict, attempt)
    if (waitMs === undefined || verdict.what === 'settled') return verdict.outcome
    const { reply, gatewayCode: code = '' } = verdict.outcome
    return deferred(mta, id, { reply, code }, waitHere(state, waitMs))
  }
  const waitMs = recordRequestVerdict(own, verdict, attempt) ?? 0
  if (verdict.what === 'busy') {
    if (remote.slow === undefined) pace.halve(attempt.now)
    else remote.slow()
  }
  return verdict.what === 'silent'
    ? { id, result: 'doubtful', reason: verdict.reply, mta }
    : deferred(mta, id, verdict, waitMs)
}

/** Hands one message over, and takes note of how it went. */
async function handOver<Message extends PostponableMessage>(
  state: State<Message>,
  delivery: QueuedDelivery<Message>,
): Promise<GatewayOutcome> {
  const { remote, clock, ticks } = state
  const { message } = delivery
  const { id, attempts = 0 } = message
  const fault = remote.faultOf(message)
  if (fault !== undefined) return { id, result: 'refused', stage: 'data', ...fault, mta: '' }
  const overdue = remote.overdue?.(message)
  if (overdue !== undefined) return overdue
  const destination = remote.destinationOf?.(message)
  const own = standingFor(state, destination)
  const restMs = circuitWaitMs(own.circuit, ticks())
  if (destination !== undefined && restMs > 0)
    return { id, result: 'returned', destination, reason: own.circuit.lastFault, retryAfterMs: restMs }
  const beganAt = ticks()
  try {
    const verdict = await remote.handOver(message, () => awaitBeforeBody(delivery, () => true))
    return outcomeOf(state, { message, own }, verdict, { beganAt, now: ticks(), date: clock.now(), attempts })
  } catch (error) {
    return { id, result: 'deferred', stage: 'data', reply: formatErrorReason(error), mta: remote.mta }
  }
}

/** How many requests there may be at once. */
function room<Message extends PostponableMessage>({ remote, standing, pace, ticks }: State<Message>): number {
  const { concurrency, speed } = remote
  if (isProbingRemote(standing)) return 1
  // Without a limit of speed the number of requests is what rules it.
  return speed === 0 && pace.isHalved(ticks()) ? Math.ceil(concurrency / 2) : concurrency
}

function advanceLater<Message extends PostponableMessage>(state: State<Message>, waitMs: number): void {
  state.timer ??= setTimeout(() => {
    state.timer = undefined
    advance(state)
  }, waitMs)
}

/** Makes requests while there is room, or ends the batches while nothing may be tried. */
function advance<Message extends PostponableMessage>(state: State<Message>): void {
  const { queue, open, pace, ticks, remote } = state
  const stop = stopOf(state)
  if (stop !== undefined) {
    const said = { reply: stop.detail, code: '' }
    stopDeliveryQueue(queue, stop, ({ message: { id } }) => deferred(remote.mta, id, said, stop.retryAfterMs ?? 0))
    return
  }
  while (open.size < room(state) && hasQueuedDelivery(queue)) {
    const waitMs = pace.waitMs(ticks())
    if (waitMs === undefined) return
    if (waitMs > 0) {
      advanceLater(state, waitMs)
      return
    }
    const delivery = takeQueuedDelivery(queue)
    if (delivery === undefined) return
    pace.spend(ticks())
    const request = handOver(state, delivery).then((outcome) => {
      open.delete(request)
      reportDeliveryOutcome(delivery, outcome)
      advance(state)
    })
    open.add(request)
  }
}

async function close<Message extends PostponableMessage>(state: State<Message>, graceMs: number): Promise<void> {
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
  const state: State<Message> = {
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
      const stop = stopOf(state)
      if (stop !== undefined) return { taken: 0, stop }
      const result = enqueueDeliveryBatch(state.queue, batch, listener)
      advance(state)
      return result
    },
    stopped: () => stopOf(state),
    close: (graceMs = CLOSING_MS) => close(state, graceMs),
  }
}
