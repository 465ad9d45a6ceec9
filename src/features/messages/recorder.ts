import type { Claimed } from './claim.ts'
import { type Outcome, recordOutcomes } from './record.ts'
import { type Sender, whileAway } from './sender-context.ts'

/** Outcomes are written when so many wait, or after so long: the statement's cost is shared by its rows. */
const RECORD_AT = 500
const RECORD_MS = 500

/** What the recorder collects, and writes behind the sending. */
export interface Recorder {
  add(outcome: Outcome): void
  /** Everything added is in the database, or the sender was told to end. */
  finish(): Promise<void>
}

/** Collects the outcomes of a batch and writes them behind the sending: the journal holds them until they are in the database. */
export function startRecorder(sender: Sender, messages: ReadonlyMap<number, Claimed>): Recorder {
  let waiting: Outcome[] = []
  let writing = Promise.resolve()
  const flush = (): void => {
    if (waiting.length === 0) return
    const outcomes = waiting
    waiting = []
    writing = writing.then(async () => {
      await whileAway(sender, () => recordOutcomes(sender.db, sender.id, messages, outcomes))
      sender.observe(outcomes)
    })
    // Looked at by finish(); until then a failure must not end the process.
    writing.catch(() => undefined)
  }
  const timer = setInterval(flush, RECORD_MS)
  return {
    add(outcome) {
      waiting.push(outcome)
      if (waiting.length >= RECORD_AT) flush()
    },
    async finish() {
      clearInterval(timer)
      flush()
      await writing
    },
  }
}
