import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { getMessageSliceId, isSliceMessageId } from '../plan/message-slices.ts'
import type { SenderContext } from '../senders/sender-context.ts'
import type { MessageOutcome } from './outcome.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Outcomes are written when this many wait, or after this time: the rows share the cost of the statement. */
const MAX_WAITING_OUTCOMES = 500
const RECORD_INTERVAL_MS = 500

/** Collects outcomes, and writes them while the sending continues. */
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
  const waitingOutcomes: MessageOutcome[] = []
  const openSliceMessages = new Set([...messages.keys()].filter(isSliceMessageId))
  const slices = new Set([...openSliceMessages].map(getMessageSliceId))
  let pendingWrite = Promise.resolve()
  // Stays so when it fails: nothing is written after that.
  let isWriting = false
  const writeOutcomes = async (outcomes: readonly MessageOutcome[]): Promise<void> => {
    isWriting = true
    await retryWhileUnavailable(sender, () => recordOutcomes(sender.db, sender, messages, outcomes))
    for (const { id, isPart } of outcomes) if (!isPart) openSliceMessages.delete(id)
    sender.observe(outcomes)
    isWriting = false
    if (waitingOutcomes.length >= MAX_WAITING_OUTCOMES) flushOutcomes()
  }
  // What comes while a transaction is under way is written together in the next one.
  const flushOutcomes = (): void => {
    if (waitingOutcomes.length === 0 || isWriting) return
    pendingWrite = writeOutcomes(waitingOutcomes.splice(0))
    // Looked at by finish(); until then a failure must not end the process.
    pendingWrite.catch(() => undefined)
  }
  const flushTimer = setInterval(flushOutcomes, RECORD_INTERVAL_MS)
  return {
    add(outcome) {
      waitingOutcomes.push(outcome)
      if (waitingOutcomes.length >= MAX_WAITING_OUTCOMES) flushOutcomes()
    },
    released(ids) {
      for (const id of ids) openSliceMessages.delete(id)
    },
    async finish() {
      clearInterval(flushTimer)
      while (isWriting) await pendingWrite
      flushOutcomes()
      await pendingWrite
    },
    slices() {
      if (openSliceMessages.size > 0) throw new Error(`${openSliceMessages.size} messages of a batch have no outcome`)
      return slices
    },
  }
}
