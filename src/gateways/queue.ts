import { type DeliveryKey, getDeliveryKey } from './delivery.ts'
import type { GatewayOutcome, GatewayStop, OutgoingMessage, SendBatchListener, SendBatchResult } from './gateway.ts'

/** A message whose body is ready to be sent. */
interface ReadyBody {
  key: DeliveryKey
  /** Returns true if its connection is still open. */
  isStillReady(): boolean
  journaled: PromiseWithResolvers<boolean>
}

/** One call of `send` under way. */
interface SendingBatch<Message> {
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
  /** The error thrown by the batch or its listener. */
  error: unknown
  settled: PromiseWithResolvers<SendBatchResult>
}

/** A message taken by a connection. */
export interface QueuedDelivery<Message extends OutgoingMessage> {
  message: Message
  batch: SendingBatch<Message>
  /** Number of times it was requeued because its connection ended before the body was sent. */
  requeues: number
}

/** Deliveries waiting for a connection: the batches under way, which take turns, preceded by the requeued deliveries. */
export interface DeliveryQueue<Message extends OutgoingMessage> {
  waiting: SendingBatch<Message>[]
  requeued: QueuedDelivery<Message>[]
}

export function createDeliveryQueue<Message extends OutgoingMessage>(): DeliveryQueue<Message> {
  return { waiting: [], requeued: [] }
}

function resolveWhenDone<Message>(batch: SendingBatch<Message>): void {
  if (!batch.over || batch.peeked !== undefined || batch.open > 0) return
  const { taken: acceptedCount, stop } = batch
  if (batch.error !== undefined) batch.settled.reject(batch.error)
  else batch.settled.resolve(stop === undefined ? { taken: acceptedCount } : { taken: acceptedCount, stop })
}

/** The next message of a batch, which stays there; undefined at the end. */
function peekMessage<Message>(batch: SendingBatch<Message>): Message | undefined {
  if (batch.peeked !== undefined || batch.over) return batch.peeked
  try {
    const nextResult = batch.source.next()
    if (nextResult.done === true) batch.over = true
    // A batch that was stopped while it made this one leaves it behind, not sent.
    else if (!batch.over) batch.peeked = nextResult.value
  } catch (error) {
    batch.over = true
    batch.error = error
  }
  return batch.peeked
}

/** Takes nothing more from a batch. A generator may clean up; what it throws then is ignored. */
function stopBatch<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
  batch: SendingBatch<Message>,
  stop: GatewayStop,
): void {
  queue.waiting = queue.waiting.filter((queuedBatch) => queuedBatch !== batch)
  if (!batch.over || batch.peeked !== undefined) batch.stop = stop
  batch.peeked = undefined
  if (!batch.over) {
    batch.over = true
    try {
      batch.source.return?.()
    } catch {}
  }
  resolveWhenDone(batch)
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
  const batch: SendingBatch<Message> = {
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
  const abortBatch = () => stopBatch(queue, batch, { why: 'aborted', detail: 'the sender is stopping' })
  listener.signal?.addEventListener('abort', abortBatch)
  if (listener.signal?.aborted) abortBatch()
  try {
    return await batch.settled.promise
  } finally {
    listener.signal?.removeEventListener('abort', abortBatch)
  }
}

/** The batch whose turn it is, first in the queue; batches that turn out to be at their end leave it. */
function findNextBatch<Message extends OutgoingMessage>({
  waiting: waitingBatches,
}: DeliveryQueue<Message>): SendingBatch<Message> | undefined {
  for (let batch = waitingBatches[0]; batch !== undefined; batch = waitingBatches[0]) {
    if (peekMessage(batch) !== undefined) return batch
    waitingBatches.shift()
    resolveWhenDone(batch)
  }
  return undefined
}

export function hasQueuedDelivery<Message extends OutgoingMessage>(queue: DeliveryQueue<Message>): boolean {
  return queue.requeued.length > 0 || findNextBatch(queue) !== undefined
}

/** The next delivery; its batch goes behind the others. */
export function takeQueuedDelivery<Message extends OutgoingMessage>(
  queue: DeliveryQueue<Message>,
): QueuedDelivery<Message> | undefined {
  const requeuedDelivery = queue.requeued.shift()
  if (requeuedDelivery !== undefined) return requeuedDelivery
  const batch = findNextBatch(queue)
  if (batch?.peeked === undefined) return undefined
  if (queue.waiting.length > 1) queue.waiting.push(queue.waiting.shift() ?? batch)
  const delivery: QueuedDelivery<Message> = { message: batch.peeked, batch, requeues: 0 }
  batch.peeked = undefined
  batch.taken++
  batch.open++
  return delivery
}

/** Reports to the listener all bodies that are ready by now: one write of its journal serves them. */
function reportReadyBodies<Message>(batch: SendingBatch<Message>): void {
  const readyEntries: ReadyBody[] = []
  for (const readyBody of batch.readyBodies.splice(0)) {
    if (readyBody.isStillReady()) readyEntries.push(readyBody)
    else readyBody.journaled.resolve(false)
  }
  if (readyEntries.length === 0) return
  try {
    batch.listener.beforeBody?.(...readyEntries.map(({ key }) => key))
    for (const { journaled } of readyEntries) journaled.resolve(true)
  } catch (error) {
    for (const { journaled } of readyEntries) journaled.reject(error)
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
  resolveWhenDone(batch)
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
