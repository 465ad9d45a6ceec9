import { type DeliveryKey, getDeliveryKey } from './delivery.ts'
import type { GatewayOutcome, GatewayStop, OutgoingMessage, SendBatchListener, SendBatchResult } from './gateway.ts'

/** A message whose body is ready to be sent. */
interface ReadyBody {
  key: DeliveryKey
  /** Whether its connection still stands. */
  isStillReady(): boolean
  journaled: PromiseWithResolvers<boolean>
}

/** One call of `send` under way. */
interface Batch<Message> {
  listener: SendBatchListener
  source: Iterator<Message>
  /** Nothing more will be taken. */
  over: boolean
  /** Taken from the source and not handed out yet. */
  peeked: Message | undefined
  taken: number
  /** Taken and without an outcome. */
  open: number
  /** Reported to the listener together, at the end of this turn of the event loop. */
  readyBodies: ReadyBody[]
  stop: GatewayStop | undefined
  /** What the batch or its listener threw. */
  error: unknown
  settled: PromiseWithResolvers<SendBatchResult>
}

/** A message taken by a connection. */
export interface QueuedDelivery<Message extends OutgoingMessage> {
  message: Message
  batch: Batch<Message>
  /** How often it was requeued since its connection ended before the body was sent. */
  requeues: number
}

/** What waits for a connection: the batches under way, which take turns, and before them the requeued deliveries. */
export interface DeliveryQueue<Message extends OutgoingMessage> {
  waiting: Batch<Message>[]
  requeued: QueuedDelivery<Message>[]
}

export function createDeliveryQueue<Message extends OutgoingMessage>(): DeliveryQueue<Message> {
  return { waiting: [], requeued: [] }
}

function settleWhenDone<Message>(batch: Batch<Message>): void {
  if (!batch.over || batch.peeked !== undefined || batch.open > 0) return
  const { taken, stop } = batch
  if (batch.error !== undefined) batch.settled.reject(batch.error)
  else batch.settled.resolve(stop === undefined ? { taken } : { taken, stop })
}

/** The next message of a batch, which stays there; undefined at the end. */
function peek<Message>(batch: Batch<Message>): Message | undefined {
  if (batch.peeked !== undefined || batch.over) return batch.peeked
  try {
    const next = batch.source.next()
    if (next.done === true) batch.over = true
    // A batch that was stopped while it made this one leaves it behind, not sent.
    else if (!batch.over) batch.peeked = next.value
  } catch (error) {
    batch.over = true
    batch.error = error
  }
  return batch.peeked
}

/** Takes nothing more from a batch. A generator may clean up; what it throws then is ignored. */
function stopBatch<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
  batch: Batch<Message>,
  stop: GatewayStop,
): void {
  queue.waiting = queue.waiting.filter((other) => other !== batch)
  if (!batch.over || batch.peeked !== undefined) batch.stop = stop
  batch.peeked = undefined
  if (!batch.over) {
    batch.over = true
    try {
      batch.source.return?.()
    } catch {}
  }
  settleWhenDone(batch)
}

/**
 * Puts a batch into the queue. Resolves when every message taken from it has its outcome. Rejects, then too, with what
 * the batch or its listener threw.
 */
export async function enqueueDeliveryBatch<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
  source: Iterable<Message>,
  listener: SendBatchListener,
): Promise<SendBatchResult> {
  const batch: Batch<Message> = {
    listener,
    source: source[Symbol.iterator](),
    over: false,
    peeked: undefined,
    taken: 0,
    open: 0,
    readyBodies: [],
    stop: undefined,
    error: undefined,
    settled: Promise.withResolvers(),
  }
  queue.waiting.push(batch)
  const abort = () => stopBatch(queue, batch, { why: 'aborted', detail: 'the sender stops' })
  listener.signal?.addEventListener('abort', abort)
  if (listener.signal?.aborted) abort()
  try {
    return await batch.settled.promise
  } finally {
    listener.signal?.removeEventListener('abort', abort)
  }
}

/** The batch whose turn it is, first in the queue; batches that turn out to be at their end leave it. */
function batchInTurn<Message extends OutgoingMessage>({ waiting }: DeliveryQueue<Message>): Batch<Message> | undefined {
  for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
    if (peek(batch) !== undefined) return batch
    waiting.shift()
    settleWhenDone(batch)
  }
  return undefined
}

export function hasQueuedDelivery<Message extends OutgoingMessage>(queue: DeliveryQueue<Message>): boolean {
  return queue.requeued.length > 0 || batchInTurn(queue) !== undefined
}

/** The next delivery; its batch goes behind the others. */
export function takeQueuedDelivery<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
): QueuedDelivery<Message> | undefined {
  const back = queue.requeued.shift()
  if (back !== undefined) return back
  const batch = batchInTurn(queue)
  if (batch?.peeked === undefined) return undefined
  if (queue.waiting.length > 1) queue.waiting.push(queue.waiting.shift() ?? batch)
  const delivery: QueuedDelivery<Message> = { message: batch.peeked, batch, requeues: 0 }
  batch.peeked = undefined
  batch.taken++
  batch.open++
  return delivery
}

/** Reports to the listener all bodies that are ready by now: one write of its journal serves them. */
function reportReadyBodies<Message>(batch: Batch<Message>): void {
  const ready: ReadyBody[] = []
  for (const readyBody of batch.readyBodies.splice(0)) {
    if (readyBody.isStillReady()) ready.push(readyBody)
    else readyBody.journaled.resolve(false)
  }
  if (ready.length === 0) return
  try {
    batch.listener.beforeBody?.(...ready.map(({ key }) => key))
    for (const { journaled } of ready) journaled.resolve(true)
  } catch (error) {
    for (const { journaled } of ready) journaled.reject(error)
  }
}

/**
 * Resolves with true when `beforeBody` of the listener has returned; it is called once for all messages of the batch that
 * are ready in the same turn of the event loop. Resolves with false, without that call, if the body may not be sent any
 * more by then. Rejects with what the listener throws.
 */
export function awaitBeforeBody<Message extends OutgoingMessage>(
  { message, batch }: QueuedDelivery<Message>,
  isStillReady: () => boolean,
): Promise<boolean> {
  const journaled = Promise.withResolvers<boolean>()
  batch.readyBodies.push({ key: getDeliveryKey(message), isStillReady, journaled })
  if (batch.readyBodies.length === 1) setImmediate(reportReadyBodies, batch)
  return journaled.promise
}

/** The one outcome of a delivery. */
export function reportDeliveryOutcome<Message extends OutgoingMessage>(
  { batch, message: { sequence } }: QueuedDelivery<Message>,
  outcome: GatewayOutcome,
): void {
  batch.open--
  try {
    batch.listener.outcome(sequence === undefined ? outcome : { ...outcome, sequence })
  } catch (error) {
    batch.error ??= error
  }
  settleWhenDone(batch)
}

/** Empties the queue: batches end as they are, requeued deliveries get an outcome. */
export function stopDeliveryQueue<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
  stop: GatewayStop,
  outcomeOf: (delivery: QueuedDelivery<Message>) => GatewayOutcome,
): void {
  for (const delivery of queue.requeued.splice(0)) reportDeliveryOutcome(delivery, outcomeOf(delivery))
  for (const batch of [...queue.waiting]) stopBatch(queue, batch, stop)
}
