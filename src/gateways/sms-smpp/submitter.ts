import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DeferredDelivery, OutgoingSms } from '../gateway.ts'
import {
  type DeliveryQueue,
  hasQueuedDelivery,
  type QueuedDelivery,
  reportDeliveryOutcome,
  takeQueuedDelivery,
} from '../queue.ts'
import { smppTags } from './commands.ts'
import { cutSmppLink, type SmppLink, SmppLinkFault, type SmppResponse, sendSmppRequest } from './link.ts'
import type { SmppPace } from './pace.ts'
import { normalizeAnswerId } from './receipt.ts'
import type { SmppSettings } from './settings.ts'
import { classifySmppStatus, formatSmppStatus } from './status.ts'
import {
  createSubmission,
  getSubmissionOutcome,
  isSubmissionDecided,
  isSubmissionOver,
  isSubmissionPartlyAccepted,
  type Submission,
} from './submission.ts'
import { toSubmitSmPdus } from './submit-sm.ts'

/** A bind that submits. */
export interface SmppSubmitBind {
  link: SmppLink
  /** Parts without an answer yet: never more than the window. */
  open: number
  /** Answers about a message, not about the bind. */
  judged: number
}

/** Messages being submitted to one message centre, over whichever bind is free. */
export interface SmppSubmitter {
  name: string
  settings: SmppSettings
  clock: Clock
  queue: DeliveryQueue<OutgoingSms>
  /** Messages without an outcome yet. */
  open: Set<Submission>
  /** Those with parts to submit, in order. */
  unfinished: Submission[]
  pace: SmppPace
  /** Nothing is retried any more. */
  closing: boolean
  /** Called when there is room in a window, or work. */
  changed: () => void
}

function settleWhenOver(submitter: SmppSubmitter, submission: Submission): void {
  if (!isSubmissionOver(submission) || !submitter.open.delete(submission)) return
  reportDeliveryOutcome(submission.delivery, getSubmissionOutcome(submission, submitter.name))
}

function deferred({ delivery }: Submission, more: Omit<DeferredDelivery, 'id' | 'result'>): DeferredDelivery {
  return { id: delivery.message.id, result: 'deferred', ...more }
}

/** Starts the submission of a delivery, or refuses it here. */
function accept(submitter: SmppSubmitter, delivery: QueuedDelivery<OutgoingSms>): Submission | undefined {
  const { settings, clock, open, unfinished } = submitter
  const parts = toSubmitSmPdus(delivery.message, settings, clock.now())
  if ('reply' in parts) {
    reportDeliveryOutcome(delivery, { id: delivery.message.id, result: 'refused', ...parts, mta: '' })
    return undefined
  }
  const submission = createSubmission(delivery, parts)
  open.add(submission)
  unfinished.push(submission)
  return submission
}

/** Drops submissions without parts to submit; answers the first that has some. */
function firstUnfinished({ unfinished }: SmppSubmitter): Submission | undefined {
  for (let first = unfinished[0]; first !== undefined; first = unfinished[0]) {
    if (first.waiting.length > 0 && !isSubmissionDecided(first)) return first
    unfinished.shift()
  }
  return undefined
}

export function hasSmppWork(submitter: SmppSubmitter): boolean {
  return firstUnfinished(submitter) !== undefined || hasQueuedDelivery(submitter.queue)
}

/** The next submission: unfinished ones first, then, unless the gateway is closing, a new one. */
export function takeNextSubmission(submitter: SmppSubmitter): Submission | undefined {
  const started = firstUnfinished(submitter)
  if (started !== undefined || submitter.closing) return started
  for (
    let delivery = takeQueuedDelivery(submitter.queue);
    delivery !== undefined;
    delivery = takeQueuedDelivery(submitter.queue)
  ) {
    const submission = accept(submitter, delivery)
    if (submission !== undefined) return submission
  }
  return undefined
}

function replyOf({ status, tlvs }: SmppResponse): string {
  const text = tlvs.get(smppTags.additionalStatusText)
  const more = text === undefined ? '' : ` ${Buffer.from(text).toString('latin1')}`
  return `${formatSmppStatus(status)}${more}`.replace(/[\x00-\x1f\x7f]+/g, ' ').trimEnd()
}

/** The same part again, before all others: when the pace allows, or on another bind. */
function resubmit({ unfinished }: SmppSubmitter, submission: Submission, part: number): void {
  submission.waiting.unshift(part)
  if (!unfinished.includes(submission)) unfinished.unshift(submission)
}

function throttle(submitter: SmppSubmitter, submission: Submission, part: number, answer: SmppResponse): void {
  const now = performance.now()
  const { pace, settings, closing } = submitter
  pace.throttle(now)
  submission.waitingSince ??= now
  if (!closing && now - submission.waitingSince < settings.patienceMs) {
    resubmit(submitter, submission, part)
    return
  }
  submission.failure ??= deferred(submission, {
    stage: 'data',
    reply: replyOf(answer),
    gatewayCode: formatSmppStatus(answer.status),
    mta: submitter.name,
  })
}

function judge(
  submitter: SmppSubmitter,
  bound: SmppSubmitBind,
  submission: Submission,
  part: number,
  answer: SmppResponse,
): void {
  const { name: mta, settings, pace } = submitter
  if (answer.status === 0) {
    bound.judged++
    pace.ease()
    submission.references[part] = normalizeAnswerId(answer.messageId, settings.receiptId)
    return
  }
  const verdict = classifySmppStatus(answer.status, settings.retryStatuses)
  const said = { reply: replyOf(answer), gatewayCode: formatSmppStatus(answer.status), mta }
  switch (verdict.kind) {
    case 'throttled':
      bound.judged++
      throttle(submitter, submission, part, answer)
      return
    case 'unbound':
      cutSmppLink(bound.link, said.reply)
      resubmit(submitter, submission, part)
      return
    case 'later':
      bound.judged++
      submission.failure ??= deferred(submission, { stage: 'data', ...said })
      return
    case 'never': {
      bound.judged++
      const { stage, enhanced } = verdict
      submission.failure ??= { id: submission.delivery.message.id, result: 'refused', stage, enhanced, ...said }
    }
  }
}

/** Writes the journal before the first part is sent. When that throws, the message is deferred and not sent. */
function recordStart(submitter: SmppSubmitter, submission: Submission): boolean {
  const { delivery, journaled } = submission
  if (journaled) return true
  try {
    delivery.batch.listener.beforeBody?.(delivery.message.id)
    submission.journaled = true
  } catch (error) {
    submission.failure = deferred(submission, { stage: 'data', reply: formatErrorReason(error), mta: submitter.name })
    settleWhenOver(submitter, submission)
  }
  return submission.journaled
}

/** Submits the next part of a message. Never throws or rejects: every error becomes an outcome. */
export async function submitNextSmsPart(
  submitter: SmppSubmitter,
  bound: SmppSubmitBind,
  submission: Submission,
): Promise<void> {
  if (!recordStart(submitter, submission)) return
  const part = submission.waiting.shift()!
  const { fields, tlvs } = submission.parts[part]!
  submitter.pace.spend(performance.now())
  submission.open++
  bound.open++
  try {
    const answer = await sendSmppRequest(bound.link, 'submit_sm', fields, {
      timeoutMs: submitter.settings.answerMs,
      tlvs,
    })
    judge(submitter, bound, submission, part, answer)
  } catch (error) {
    if (error instanceof SmppLinkFault) submission.doubt ??= error.message
    else
      submission.failure ??= deferred(submission, {
        stage: 'connect',
        reply: formatErrorReason(error),
        mta: submitter.name,
      })
  }
  submission.open--
  bound.open--
  settleWhenOver(submitter, submission)
  submitter.changed()
}

/**
 * The message centre cannot be reached: defers what is still to be submitted. The rest of a partly accepted message is
 * kept for `patienceMs`, unless the gateway is closing.
 */
export function deferSmppSubmissions(
  submitter: SmppSubmitter,
  { reply, retryAfterMs }: { reply: string; retryAfterMs?: number },
): void {
  const now = performance.now()
  for (const submission of submitter.open) {
    if (submission.waiting.length === 0) continue
    if (isSubmissionPartlyAccepted(submission) && !submitter.closing && !isSubmissionDecided(submission)) {
      submission.waitingSince ??= now
      if (now - submission.waitingSince < submitter.settings.patienceMs) continue
    }
    const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
    submission.failure ??= deferred(submission, { stage: 'connect', reply, mta: '', ...retry })
    settleWhenOver(submitter, submission)
  }
}
