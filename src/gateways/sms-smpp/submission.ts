import type { Deferred, GatewayOutcome, OutgoingSms, Refused } from '../gateway.ts'
import type { Delivery } from '../queue.ts'
import type { SubmitSm } from './submit-sm.ts'

/** One message on its way: its submissions, and what is known of each. */
export interface Submission {
  delivery: Delivery<OutgoingSms>
  parts: readonly SubmitSm[]
  /** Indexes of parts that are still to be made, or made again. */
  waiting: number[]
  /** The journal was told. */
  journaled: boolean
  /** Submissions without an answer yet. */
  open: number
  /** By part: the reference of what was taken. */
  references: (string | undefined)[]
  failure: Deferred | Refused | undefined
  /** Why it is not known what became of a submission. */
  doubt: string | undefined
  /** When the message centre first asked for patience, or was gone between two submissions. */
  waitingSince: number | undefined
}

export function createSubmission(delivery: Delivery<OutgoingSms>, parts: readonly SubmitSm[]): Submission {
  return {
    delivery,
    parts,
    waiting: parts.map((_, index) => index),
    journaled: false,
    open: 0,
    references: [],
    failure: undefined,
    doubt: undefined,
    waitingSince: undefined,
  }
}

/** Nothing more will be submitted: what is not known, or one refusal, decides over the whole message. */
export function isDecided({ failure, doubt }: Submission): boolean {
  return failure !== undefined || doubt !== undefined
}

/** Whether something of the message was taken: sending it anew as a whole would send that twice. */
export function isPartlyAccepted({ references }: Submission): boolean {
  return references.some((reference) => reference !== undefined)
}

/** Whether every submission is answered, and no other one will be made. */
export function isOver(submission: Submission): boolean {
  return submission.open === 0 && (submission.waiting.length === 0 || isDecided(submission))
}

/**
 * What became of the message. When some of its submissions were taken and others not, it must not be sent once more as
 * a whole without the account's word: it is in doubt, unless the refusal is final.
 */
export function outcomeOf({ delivery, parts, references, failure, doubt }: Submission, mta: string): GatewayOutcome {
  const { id } = delivery.message
  const taken = references.filter((reference) => reference !== undefined)
  if (doubt !== undefined) return { id, result: 'doubtful', reason: doubt, mta }
  if (failure !== undefined) {
    if (taken.length === 0) return failure
    const reply = `${taken.length} of ${parts.length} parts were taken, then: ${failure.reply}`
    return failure.result === 'deferred' ? { id, result: 'doubtful', reason: reply, mta } : { ...failure, reply }
  }
  const [reference = ''] = taken
  return {
    id,
    result: 'accepted',
    reference,
    ...(taken.length > 1 && { references: taken }),
    reply: 'ESME_ROK',
    mta,
  }
}
