import { reasonOf } from '../../lib/errors/reason.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Deferred, OutgoingSms } from '../gateway.ts'
import { type Delivery, hasDelivery, type Queue, reportOutcome, takeDelivery } from '../queue.ts'
import { tags } from './commands.ts'
import { type Answer, ask, cutLink, type Link, LinkFault } from './link.ts'
import type { Pace } from './pace.ts'
import { referenceOfAnswer } from './receipt.ts'
import type { SmppSettings } from './settings.ts'
import { statusName, verdictOf } from './status.ts'
import { createSubmission, isDecided, isOver, isPartlyAccepted, outcomeOf, type Submission } from './submission.ts'
import { toSubmitSm } from './submit-sm.ts'

/** A bind that submits. */
export interface Bound {
  link: Link
  /** Parts without an answer yet: never more than the window. */
  open: number
  /** Answers about a message, not about the bind. */
  judged: number
}

/** Messages being submitted to one message centre, over whichever bind is free. */
export interface Submitter {
  name: string
  settings: SmppSettings
  clock: Clock
  queue: Queue<OutgoingSms>
  /** Messages without an outcome yet. */
  open: Set<Submission>
  /** Those with parts to submit, in order. */
  unfinished: Submission[]
  pace: Pace
  /** Nothing is retried any more. */
  closing: boolean
  /** Called when there is room in a window, or work. */
  changed: () => void
}

function settleWhenOver(submitter: Submitter, submission: Submission): void {
  if (!isOver(submission) || !submitter.open.delete(submission)) return
  reportOutcome(submission.delivery, outcomeOf(submission, submitter.name))
}

function deferred({ delivery }: Submission, more: Omit<Deferred, 'id' | 'result'>): Deferred {
  return { id: delivery.message.id, result: 'deferred', ...more }
}

/** Starts the submission of a delivery, or refuses it here. */
function accept(submitter: Submitter, delivery: Delivery<OutgoingSms>): Submission | undefined {
  const { settings, clock, open, unfinished } = submitter
  const parts = toSubmitSm(delivery.message, settings, clock.now())
  if ('reply' in parts) {
    reportOutcome(delivery, { id: delivery.message.id, result: 'refused', ...parts, mta: '' })
    return undefined
  }
  const submission = createSubmission(delivery, parts)
  open.add(submission)
  unfinished.push(submission)
  return submission
}

/** Drops submissions without parts to submit; answers the first that has some. */
function firstUnfinished({ unfinished }: Submitter): Submission | undefined {
  for (let first = unfinished[0]; first !== undefined; first = unfinished[0]) {
    if (first.waiting.length > 0 && !isDecided(first)) return first
    unfinished.shift()
  }
  return undefined
}

export function hasWork(submitter: Submitter): boolean {
  return firstUnfinished(submitter) !== undefined || hasDelivery(submitter.queue)
}

/** The next submission: unfinished ones first, then, unless the gateway is closing, a new one. */
export function takeNext(submitter: Submitter): Submission | undefined {
  const started = firstUnfinished(submitter)
  if (started !== undefined || submitter.closing) return started
  for (let delivery = takeDelivery(submitter.queue); delivery !== undefined; delivery = takeDelivery(submitter.queue)) {
    const submission = accept(submitter, delivery)
    if (submission !== undefined) return submission
  }
  return undefined
}

function replyOf({ status, tlvs }: Answer): string {
  const text = tlvs.get(tags.additionalStatusText)
  const more = text === undefined ? '' : ` ${Buffer.from(text).toString('latin1')}`
  return `${statusName(status)}${more}`.replace(/[\x00-\x1f\x7f]+/g, ' ').trimEnd()
}

/** The same part again, before all others: when the pace allows, or on another bind. */
function resubmit({ unfinished }: Submitter, submission: Submission, part: number): void {
  submission.waiting.unshift(part)
  if (!unfinished.includes(submission)) unfinished.unshift(submission)
}

function throttle(submitter: Submitter, submission: Submission, part: number, answer: Answer): void {
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
    gatewayCode: statusName(answer.status),
    mta: submitter.name,
  })
}

function judge(submitter: Submitter, bound: Bound, submission: Submission, part: number, answer: Answer): void {
  const { name: mta, settings, pace } = submitter
  if (answer.status === 0) {
    bound.judged++
    pace.ease()
    submission.references[part] = referenceOfAnswer(answer.messageId, settings.receiptId)
    return
  }
  const verdict = verdictOf(answer.status, settings.retryStatuses)
  const said = { reply: replyOf(answer), gatewayCode: statusName(answer.status), mta }
  switch (verdict.kind) {
    case 'throttled':
      bound.judged++
      throttle(submitter, submission, part, answer)
      return
    case 'unbound':
      cutLink(bound.link, said.reply)
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
function recordStart(submitter: Submitter, submission: Submission): boolean {
  const { delivery, journaled } = submission
  if (journaled) return true
  try {
    delivery.batch.listener.beforeBody?.(delivery.message.id)
    submission.journaled = true
  } catch (error) {
    submission.failure = deferred(submission, { stage: 'data', reply: reasonOf(error), mta: submitter.name })
    settleWhenOver(submitter, submission)
  }
  return submission.journaled
}

/** Submits the next part of a message. Never throws or rejects: every error becomes an outcome. */
export async function submit(submitter: Submitter, bound: Bound, submission: Submission): Promise<void> {
  if (!recordStart(submitter, submission)) return
  const part = submission.waiting.shift()!
  const { fields, tlvs } = submission.parts[part]!
  submitter.pace.spend(performance.now())
  submission.open++
  bound.open++
  try {
    const answer = await ask(bound.link, 'submit_sm', fields, { timeoutMs: submitter.settings.answerMs, tlvs })
    judge(submitter, bound, submission, part, answer)
  } catch (error) {
    if (error instanceof LinkFault) submission.doubt ??= error.message
    else submission.failure ??= deferred(submission, { stage: 'connect', reply: reasonOf(error), mta: submitter.name })
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
export function abandon(submitter: Submitter, { reply, retryAfterMs }: { reply: string; retryAfterMs?: number }): void {
  const now = performance.now()
  for (const submission of submitter.open) {
    if (submission.waiting.length === 0) continue
    if (isPartlyAccepted(submission) && !submitter.closing && !isDecided(submission)) {
      submission.waitingSince ??= now
      if (now - submission.waitingSince < submitter.settings.patienceMs) continue
    }
    const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
    submission.failure ??= deferred(submission, { stage: 'connect', reply, mta: '', ...retry })
    settleWhenOver(submitter, submission)
  }
}
