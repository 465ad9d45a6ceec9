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

function reportWhenOver(submitter: SmppSubmitter, submission: Submission): void {
  if (!isSubmissionOver(submission) || !submitter.open.delete(submission)) return
  reportDeliveryOutcome(submission.delivery, getSubmissionOutcome(submission, submitter.name))
}

function buildDeferral(
  { delivery }: Submission,
  deferralDetails: Omit<DeferredDelivery, 'id' | 'result'>,
): DeferredDelivery {
  return { id: delivery.message.id, result: 'deferred', ...deferralDetails }
}

/** Starts the submission of a delivery, or refuses it here. */
function startSubmission(submitter: SmppSubmitter, delivery: QueuedDelivery<OutgoingSms>): Submission | undefined {
  const { settings, clock, open: openSubmissions, unfinished } = submitter
  const parts = toSubmitSmPdus(delivery.message, settings, clock.now())
  if ('reply' in parts) {
    reportDeliveryOutcome(delivery, { id: delivery.message.id, result: 'refused', ...parts, mta: '' })
    return undefined
  }
  const submission = createSubmission(delivery, parts)
  openSubmissions.add(submission)
  unfinished.push(submission)
  return submission
}

/** Drops submissions without parts to submit; answers the first that has some. */
function findFirstUnfinished({ unfinished }: SmppSubmitter): Submission | undefined {
  for (let firstSubmission = unfinished[0]; firstSubmission !== undefined; firstSubmission = unfinished[0]) {
    if (firstSubmission.waiting.length > 0 && !isSubmissionDecided(firstSubmission)) return firstSubmission
    unfinished.shift()
  }
  return undefined
}

export function hasSmppWork(submitter: SmppSubmitter): boolean {
  return findFirstUnfinished(submitter) !== undefined || hasQueuedDelivery(submitter.queue)
}

/** The next submission: unfinished ones first, then, unless the gateway is closing, a new one. */
export function takeNextSubmission(submitter: SmppSubmitter): Submission | undefined {
  const startedSubmission = findFirstUnfinished(submitter)
  if (startedSubmission !== undefined || submitter.closing) return startedSubmission
  for (
    let delivery = takeQueuedDelivery(submitter.queue);
    delivery !== undefined;
    delivery = takeQueuedDelivery(submitter.queue)
  ) {
    const submission = startSubmission(submitter, delivery)
    if (submission !== undefined) return submission
  }
  return undefined
}

function formatReply({ status, tlvs }: SmppResponse): string {
  const text = tlvs.get(smppTags.additionalStatusText)
  const statusSuffix = text === undefined ? '' : ` ${Buffer.from(text).toString('latin1')}`
  return `${formatSmppStatus(status)}${statusSuffix}`.replace(/[\x00-\x1f\x7f]+/g, ' ').trimEnd()
}

/** The same part again, before all others: when the pace allows, or on another bind. */
function requeuePart({ unfinished }: SmppSubmitter, submission: Submission, part: number): void {
  submission.waiting.unshift(part)
  if (!unfinished.includes(submission)) unfinished.unshift(submission)
}

function applyThrottling(submitter: SmppSubmitter, submission: Submission, part: number, answer: SmppResponse): void {
  const now = performance.now()
  const { pace, settings, closing } = submitter
  pace.throttle(now)
  submission.waitingSince ??= now
  if (!closing && now - submission.waitingSince < settings.patienceMs) {
    requeuePart(submitter, submission, part)
    return
  }
  submission.failure ??= buildDeferral(submission, {
    stage: 'data',
    reply: formatReply(answer),
    gatewayCode: formatSmppStatus(answer.status),
    mta: submitter.name,
  })
}

function applyAnswer(
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
  const replyDetails = { reply: formatReply(answer), gatewayCode: formatSmppStatus(answer.status), mta }
  switch (verdict.kind) {
    case 'throttled':
      bound.judged++
      applyThrottling(submitter, submission, part, answer)
      return
    case 'unbound':
      cutSmppLink(bound.link, replyDetails.reply)
      requeuePart(submitter, submission, part)
      return
    case 'later':
      bound.judged++
      submission.failure ??= buildDeferral(submission, { stage: 'data', ...replyDetails })
      return
    case 'never': {
      bound.judged++
      const { stage, enhanced } = verdict
      submission.failure ??= { id: submission.delivery.message.id, result: 'refused', stage, enhanced, ...replyDetails }
    }
  }
}

/** Writes the journal before the first part is sent. When that throws, the message is deferred and not sent. */
function journalStart(submitter: SmppSubmitter, submission: Submission): boolean {
  const { delivery, journaled } = submission
  if (journaled) return true
  try {
    delivery.batch.listener.beforeBody?.(delivery.message.id)
    submission.journaled = true
  } catch (error) {
    submission.failure = buildDeferral(submission, {
      stage: 'data',
      reply: formatErrorReason(error),
      mta: submitter.name,
    })
    reportWhenOver(submitter, submission)
  }
  return submission.journaled
}

/** Submits the next part of a message. Never throws or rejects: every error becomes an outcome. */
export async function submitNextSmsPart(
  submitter: SmppSubmitter,
  bound: SmppSubmitBind,
  submission: Submission,
): Promise<void> {
  if (!journalStart(submitter, submission)) return
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
    applyAnswer(submitter, bound, submission, part, answer)
  } catch (error) {
    if (error instanceof SmppLinkFault) submission.doubt ??= error.message
    else
      submission.failure ??= buildDeferral(submission, {
        stage: 'connect',
        reply: formatErrorReason(error),
        mta: submitter.name,
      })
  }
  submission.open--
  bound.open--
  reportWhenOver(submitter, submission)
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
    const retryMember = retryAfterMs === undefined ? {} : { retryAfterMs }
    submission.failure ??= buildDeferral(submission, { stage: 'connect', reply, mta: '', ...retryMember })
    reportWhenOver(submitter, submission)
  }
}
