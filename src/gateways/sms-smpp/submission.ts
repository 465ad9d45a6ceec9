import type { DeferredDelivery, GatewayOutcome, OutgoingSms, RefusedDelivery } from '../gateway.ts'
import type { QueuedDelivery } from '../queue.ts'
import type { SubmitSmPdu } from './submit-sm.ts'

/** One message being submitted: its submit_sm PDUs, and the answer to each. */
export interface Submission {
  delivery: QueuedDelivery<OutgoingSms>
  parts: readonly SubmitSmPdu[]
  /** Indexes of parts that are to be submitted, or submitted again. */
  waiting: number[]
  /** The journal has it. */
  journaled: boolean
  /** Parts without an answer yet. */
  open: number
  /** By index: the reference of an accepted part. */
  references: (string | undefined)[]
  failure: DeferredDelivery | RefusedDelivery | undefined
  /** Why the outcome of a part is unknown. */
  doubt: string | undefined
  /** Time of the first throttling by the message centre, or of the connection loss between two parts. */
  waitingSince: number | undefined
}

export function createSubmission(delivery: QueuedDelivery<OutgoingSms>, parts: readonly SubmitSmPdu[]): Submission {
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

/** No more will be submitted: one unknown outcome, or one refusal, decides on the whole message. */
export function isSubmissionDecided({ failure, doubt }: Submission): boolean {
  return failure !== undefined || doubt !== undefined
}

/** Returns true if a part was accepted. Sending the whole message again would duplicate that part. */
export function isSubmissionPartlyAccepted({ references }: Submission): boolean {
  return references.some((reference) => reference !== undefined)
}

/** Returns true if every part is answered and no further part will be submitted. */
export function isSubmissionOver(submission: Submission): boolean {
  return submission.open === 0 && (submission.waiting.length === 0 || isSubmissionDecided(submission))
}

/**
 * The outcome of the message. When only some parts were accepted, it must not be sent again as a whole unless the account
 * says so: its outcome is unknown, unless the refusal is permanent.
 */
export function getSubmissionOutcome(
  { delivery, parts, references, failure, doubt }: Submission,
  mta: string,
): GatewayOutcome {
  const { id } = delivery.message
  const acceptedReferences = references.filter((reference) => reference !== undefined)
  if (doubt !== undefined) return { id, result: 'doubtful', reason: doubt, mta }
  if (failure !== undefined) {
    if (acceptedReferences.length === 0) return failure
    const reply = `${acceptedReferences.length} of ${parts.length} parts were accepted, then: ${failure.reply}`
    return failure.result === 'deferred' ? { id, result: 'doubtful', reason: reply, mta } : { ...failure, reply }
  }
  const [reference = ''] = acceptedReferences
  return {
    id,
    result: 'accepted',
    reference,
    ...(acceptedReferences.length > 1 && { references: acceptedReferences }),
    reply: 'ESME_ROK',
    mta,
  }
}
