import type { Clock } from '../../lib/clock.ts'
import type { Deferred, OutgoingSms } from '../gateway.ts'
import { type Errand, hasErrand, type Queue, reportErrand, takeErrand } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { tags } from './commands.ts'
import { type Consignment, createConsignment, isDecided, isOver, isTorn, outcomeOf } from './consignment.ts'
import { type Answer, ask, cutLink, type Link, LinkFault } from './link.ts'
import type { Pace } from './pace.ts'
import { referenceOfAnswer } from './receipt.ts'
import type { SmppSettings } from './settings.ts'
import { statusName, verdictOf } from './status.ts'
import { submissionsOf } from './submission.ts'

/** A bind that submits. */
export interface Bound {
  link: Link
  /** Submissions without an answer yet: never more than the window. */
  open: number
  /** Answers that spoke of a message. */
  judged: number
}

/** Messages on their way to one message centre, whatever bind each submission takes. */
export interface Dispatch {
  name: string
  settings: SmppSettings
  clock: Clock
  queue: Queue<OutgoingSms>
  /** Without an outcome yet. */
  consignments: Set<Consignment>
  /** Those with submissions to be made, in their order. */
  unfinished: Consignment[]
  pace: Pace
  /** Nothing is tried again any more. */
  closing: boolean
  /** There is room in a window, or something to do. */
  changed: () => void
}

function settleWhenOver(dispatch: Dispatch, consignment: Consignment): void {
  if (!isOver(consignment) || !dispatch.consignments.delete(consignment)) return
  reportErrand(consignment.errand, outcomeOf(consignment, dispatch.name))
}

function deferred({ errand }: Consignment, more: Omit<Deferred, 'id' | 'result'>): Deferred {
  return { id: errand.message.id, result: 'deferred', ...more }
}

/** Makes submissions of an errand, or refuses it in the message centre's stead. */
function accept(dispatch: Dispatch, errand: Errand<OutgoingSms>): Consignment | undefined {
  const { settings, clock, consignments, unfinished } = dispatch
  const submissions = submissionsOf(errand.message, settings, clock.now())
  if ('reply' in submissions) {
    reportErrand(errand, { id: errand.message.id, result: 'refused', ...submissions, mta: '' })
    return undefined
  }
  const consignment = createConsignment(errand, submissions)
  consignments.add(consignment)
  unfinished.push(consignment)
  return consignment
}

/** Forgets what needs no submission any more; gives the first that does. */
function firstUnfinished({ unfinished }: Dispatch): Consignment | undefined {
  for (let first = unfinished[0]; first !== undefined; first = unfinished[0]) {
    if (first.waiting.length > 0 && !isDecided(first)) return first
    unfinished.shift()
  }
  return undefined
}

export function hasWork(dispatch: Dispatch): boolean {
  return firstUnfinished(dispatch) !== undefined || hasErrand(dispatch.queue)
}

/** The message whose submission is next: what was begun first, then, unless the gateway is closing, what is new. */
export function takeNext(dispatch: Dispatch): Consignment | undefined {
  const begun = firstUnfinished(dispatch)
  if (begun !== undefined || dispatch.closing) return begun
  for (let errand = takeErrand(dispatch.queue); errand !== undefined; errand = takeErrand(dispatch.queue)) {
    const consignment = accept(dispatch, errand)
    if (consignment !== undefined) return consignment
  }
  return undefined
}

function replyOf({ status, tlvs }: Answer): string {
  const text = tlvs.get(tags.additionalStatusText)
  const more = text === undefined ? '' : ` ${Buffer.from(text).toString('latin1')}`
  return `${statusName(status)}${more}`.replace(/[\x00-\x1f\x7f]+/g, ' ').trimEnd()
}

/** The same submission once more, before all others: soon, as the pace allows, or on another bind. */
function again({ unfinished }: Dispatch, consignment: Consignment, place: number): void {
  consignment.waiting.unshift(place)
  if (!unfinished.includes(consignment)) unfinished.unshift(consignment)
}

function wait(dispatch: Dispatch, consignment: Consignment, place: number, answer: Answer): void {
  const now = performance.now()
  const { pace, settings, closing } = dispatch
  pace.slow(now)
  consignment.waitingSince ??= now
  if (!closing && now - consignment.waitingSince < settings.patienceMs) {
    again(dispatch, consignment, place)
    return
  }
  consignment.failure ??= deferred(consignment, {
    stage: 'data',
    reply: replyOf(answer),
    gatewayCode: statusName(answer.status),
    mta: dispatch.name,
  })
}

function judge(dispatch: Dispatch, bound: Bound, consignment: Consignment, place: number, answer: Answer): void {
  const { name: mta, settings, pace } = dispatch
  if (answer.status === 0) {
    bound.judged++
    pace.ease()
    consignment.references[place] = referenceOfAnswer(answer.messageId, settings.receiptId)
    return
  }
  const verdict = verdictOf(answer.status, settings.retryStatuses)
  const said = { reply: replyOf(answer), gatewayCode: statusName(answer.status), mta }
  switch (verdict.kind) {
    case 'throttled':
      bound.judged++
      wait(dispatch, consignment, place, answer)
      return
    case 'unbound':
      cutLink(bound.link, said.reply)
      again(dispatch, consignment, place)
      return
    case 'later':
      bound.judged++
      consignment.failure ??= deferred(consignment, { stage: 'data', ...said })
      return
    case 'never': {
      bound.judged++
      const { stage, enhanced } = verdict
      consignment.failure ??= { id: consignment.errand.message.id, result: 'refused', stage, enhanced, ...said }
    }
  }
}

/** Tells the journal before the first submission leaves. When it throws, the message is deferred and stays here. */
function begin(dispatch: Dispatch, consignment: Consignment): boolean {
  const { errand, begun } = consignment
  if (begun) return true
  try {
    errand.batch.listener.beforeBody?.(errand.message.id)
    consignment.begun = true
  } catch (error) {
    consignment.failure = deferred(consignment, { stage: 'data', reply: reasonOf(error), mta: dispatch.name })
    settleWhenOver(dispatch, consignment)
  }
  return consignment.begun
}

/** Makes the next submission of a message. Never throws or rejects: whatever happens becomes an outcome. */
export async function submit(dispatch: Dispatch, bound: Bound, consignment: Consignment): Promise<void> {
  if (!begin(dispatch, consignment)) return
  const place = consignment.waiting.shift()!
  const { fields, tlvs } = consignment.submissions[place]!
  dispatch.pace.spend(performance.now())
  consignment.open++
  bound.open++
  try {
    const answer = await ask(bound.link, 'submit_sm', fields, { timeoutMs: dispatch.settings.answerMs, tlvs })
    judge(dispatch, bound, consignment, place, answer)
  } catch (error) {
    if (error instanceof LinkFault) consignment.doubt ??= error.message
    else consignment.failure ??= deferred(consignment, { stage: 'connect', reply: reasonOf(error), mta: dispatch.name })
  }
  consignment.open--
  bound.open--
  settleWhenOver(dispatch, consignment)
  dispatch.changed()
}

/**
 * The message centre cannot be reached: gives up what is still to be submitted. Of a message that was taken in part the
 * rest is kept for better times, as long as its patience lasts and the gateway is not closing.
 */
export function abandon(dispatch: Dispatch, { reply, retryAfterMs }: { reply: string; retryAfterMs?: number }): void {
  const now = performance.now()
  for (const consignment of dispatch.consignments) {
    if (consignment.waiting.length === 0) continue
    if (isTorn(consignment) && !dispatch.closing && !isDecided(consignment)) {
      consignment.waitingSince ??= now
      if (now - consignment.waitingSince < dispatch.settings.patienceMs) continue
    }
    const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
    consignment.failure ??= deferred(consignment, { stage: 'connect', reply, mta: '', ...retry })
    settleWhenOver(dispatch, consignment)
  }
}
