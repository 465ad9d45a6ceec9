import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { getMessageSliceId, isSliceMessageId } from '../plan/message-slices.ts'
import type { SenderContext } from '../senders/sender-context.ts'
import type { MessageOutcome } from './outcome.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Outcomes are written when so many wait, or after so long: the statement's cost is shared by its rows. */
const RECORD_AT = 500
const RECORD_MS = 500

/** What the recorder collects, and writes behind the sending. */
export interface OutcomeRecorder {
  add(outcome: MessageOutcome): void
  /** Messages were given back: there is nothing to record of them. */
  released(ids: Iterable<number>): void
  /** Everything added is in the database, or the sender has to end. */
  finish(): Promise<void>
  /** The slices of the batch, to be ended. Throws when one of their messages is neither recorded nor given back. */
  slices(): ReadonlySet<number>
}

/** Collects the outcomes of a batch and writes them behind the sending: the journal holds them until they are in the database. */
export function startOutcomeRecorder(
  sender: SenderContext,
  messages: ReadonlyMap<number, ClaimedMessage>,
): OutcomeRecorder {
  const waiting: MessageOutcome[] = []
  const open = new Set([...messages.keys()].filter(isSliceMessageId))
  const slices = new Set([...open].map(getMessageSliceId))
  let writing = Promise.resolve()
  // Stays so when it fails: nothing is written after that.
  let isWriting = false
  const write = async (outcomes: readonly MessageOutcome[]): Promise<void> => {
    isWriting = true
    await retryWhileUnavailable(sender, () => recordOutcomes(sender.db, sender, messages, outcomes))
    for (const { id, isPart } of outcomes) if (!isPart) open.delete(id)
    sender.observe(outcomes)
    isWriting = false
    if (waiting.length >= RECORD_AT) flush()
  }
  // What comes while a transaction is under way is written together in the next one.
  const flush = (): void => {
    if (waiting.length === 0 || isWriting) return
    writing = write(waiting.splice(0))
    // Looked at by finish(); until then a failure must not end the process.
    writing.catch(() => undefined)
  }
  const timer = setInterval(flush, RECORD_MS)
  return {
    add(outcome) {
      waiting.push(outcome)
      if (waiting.length >= RECORD_AT) flush()
    },
    released(ids) {
      for (const id of ids) open.delete(id)
    },
    async finish() {
      clearInterval(timer)
      while (isWriting) await writing
      flush()
      await writing
    },
    slices() {
      if (open.size > 0) throw new Error(`${open.size} messages of a batch have no outcome`)
      return slices
    },
  }
}
