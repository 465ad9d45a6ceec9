import type { Outcome, Outgoing, SendListener, SendResult, Stop } from './gateway.ts'

/** A message whose body is ready to begin. */
interface Beginner {
  id: number
  /** Nothing came between. */
  mayBegin(): boolean
  told: PromiseWithResolvers<boolean>
}

/** One call of `send` under way. */
interface Batch<Message> {
  listener: SendListener
  source: Iterator<Message>
  /** Nothing more will be taken. */
  over: boolean
  /** Looked at, to know whether there is more, and not handed out yet. */
  peeked: Message | undefined
  taken: number
  /** Taken and without an outcome. */
  open: number
  /** The listener is told of them at the end of this turn of the event loop. */
  beginners: Beginner[]
  stop: Stop | undefined
  /** What the batch or its listener threw. */
  error: unknown
  settled: PromiseWithResolvers<SendResult>
}

/** A message in the hands of a connection. */
export interface Errand<Message extends Outgoing> {
  message: Message
  batch: Batch<Message>
  /** How often a connection ended under it before its body was begun. */
  returns: number
}

/** What waits for a connection: the batches under way, which take turns, and before them the errands that came back. */
export interface Queue<Message extends Outgoing> {
  waiting: Batch<Message>[]
  returned: Errand<Message>[]
}

export function createQueue<Message extends Outgoing>(): Queue<Message> {
  return { waiting: [], returned: [] }
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
    // A batch that was stopped while it made this one leaves it behind, not begun.
    else if (!batch.over) batch.peeked = next.value
  } catch (error) {
    batch.over = true
    batch.error = error
  }
  return batch.peeked
}

/** Takes nothing more from a batch. A generator may clean up; what it throws then interests nobody. */
function stopBatch<Message extends Outgoing>(queue: Queue<Message>, batch: Batch<Message>, stop: Stop): void {
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
export async function addBatch<Message extends Outgoing>(
  queue: Queue<Message>,
  source: Iterable<Message>,
  listener: SendListener,
): Promise<SendResult> {
  const batch: Batch<Message> = {
    listener,
    source: source[Symbol.iterator](),
    over: false,
    peeked: undefined,
    taken: 0,
    open: 0,
    beginners: [],
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
function batchInTurn<Message extends Outgoing>({ waiting }: Queue<Message>): Batch<Message> | undefined {
  for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
    if (peek(batch) !== undefined) return batch
    waiting.shift()
    settleWhenDone(batch)
  }
  return undefined
}

export function hasErrand<Message extends Outgoing>(queue: Queue<Message>): boolean {
  return queue.returned.length > 0 || batchInTurn(queue) !== undefined
}

/** The next errand; its batch goes behind the others. */
export function takeErrand<Message extends Outgoing>(queue: Queue<Message>): Errand<Message> | undefined {
  const back = queue.returned.shift()
  if (back !== undefined) return back
  const batch = batchInTurn(queue)
  if (batch?.peeked === undefined) return undefined
  if (queue.waiting.length > 1) queue.waiting.push(queue.waiting.shift() ?? batch)
  const errand: Errand<Message> = { message: batch.peeked, batch, returns: 0 }
  batch.peeked = undefined
  batch.taken++
  batch.open++
  return errand
}

/** Tells the listener of all that may begin by now: one write of its journal serves them. */
function tellBeginners<Message>(batch: Batch<Message>): void {
  const ready: Beginner[] = []
  for (const beginner of batch.beginners.splice(0)) {
    if (beginner.mayBegin()) ready.push(beginner)
    else beginner.told.resolve(false)
  }
  if (ready.length === 0) return
  try {
    batch.listener.beforeBody?.(...ready.map(({ id }) => id))
    for (const { told } of ready) told.resolve(true)
  } catch (error) {
    for (const { told } of ready) told.reject(error)
  }
}

/**
 * Resolves when the listener was told that the errand begins, together with all of its batch that are ready in the same
 * turn of the event loop: with false, and without a word to it, if the errand may not begin any more by then. Rejects
 * with what the listener throws.
 */
export function beginErrand<Message extends Outgoing>(
  { message, batch }: Errand<Message>,
  mayBegin: () => boolean,
): Promise<boolean> {
  const told = Promise.withResolvers<boolean>()
  batch.beginners.push({ id: message.id, mayBegin, told })
  if (batch.beginners.length === 1) setImmediate(tellBeginners, batch)
  return told.promise
}

/** The one outcome of an errand. */
export function reportErrand<Message extends Outgoing>({ batch }: Errand<Message>, outcome: Outcome): void {
  batch.open--
  try {
    batch.listener.outcome(outcome)
  } catch (error) {
    batch.error ??= error
  }
  settleWhenDone(batch)
}

/** Empties the queue: batches end as they are, errands that had come back get an outcome. */
export function stopQueue<Message extends Outgoing>(
  queue: Queue<Message>,
  stop: Stop,
  outcomeOf: (errand: Errand<Message>) => Outcome,
): void {
  for (const errand of queue.returned.splice(0)) reportErrand(errand, outcomeOf(errand))
  for (const batch of [...queue.waiting]) stopBatch(queue, batch, stop)
}
