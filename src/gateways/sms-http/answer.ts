import { parseRetryAfter } from '../../lib/time/backoff.ts'
import type { GatewayOutcome, SendStage } from '../gateway.ts'
import { createSmsProviderText, selectProviderValue } from './selector.ts'
import type { SmsHttpSettings } from './settings.ts'

/** The answer of an HTTP provider. */
export interface SmsHttpAnswer {
  status: number
  retryAfter: string | undefined
  body: string
}

/** The outcome, and how long to pause when the answer was not about this one message. */
export interface SmsHttpVerdict {
  outcome: GatewayOutcome
  pauseMs?: number
}

const PAUSE_MS = 5000
const DOWN_MS = 60_000
const MAX_REPLY = 2000

interface Report {
  id: number
  mta: string
  reply: string
  /** The provider's error code. */
  error: string | undefined
}

function refused({ id, mta, reply, error }: Report, stage: SendStage, enhanced: string, code: string): SmsHttpVerdict {
  return { outcome: { id, result: 'refused', stage, enhanced, reply, gatewayCode: error ?? code, mta } }
}

function deferred(
  { id, mta, reply, error }: Report,
  stage: SendStage,
  pauseMs: number | undefined,
  code: string,
): SmsHttpVerdict {
  const retry = pauseMs === undefined ? {} : { retryAfterMs: pauseMs }
  return { outcome: { id, result: 'deferred', stage, reply, gatewayCode: error ?? code, mta, ...retry } }
}

/** The meaning of the provider's error code, as the settings list it; undefined when they do not. */
function judgeCode(report: Report, settings: SmsHttpSettings, pauseMs: number | undefined, code: string) {
  const { error } = report
  const { deferred: later, invalidNumber, sender, settings: ours } = settings.answer
  if (error === undefined) return undefined
  if (later.includes(error)) return deferred(report, 'data', pauseMs, code)
  if (invalidNumber.includes(error)) return refused(report, 'rcpt', '5.1.1', code)
  if (sender.includes(error)) return refused(report, 'mail', '5.0.0', code)
  if (ours.includes(error)) return refused(report, 'connect', '5.0.0', code)
  return undefined
}

/** A success, unless the body says otherwise. */
function judgeSuccess(
  report: Report,
  settings: SmsHttpSettings,
  found: string | undefined,
): SmsHttpVerdict | undefined {
  const { id, mta, reply, error } = report
  const { accepted } = settings.answer
  const isTaken = error === undefined ? accepted.length === 0 : accepted.includes(error)
  // Without an id of the provider's, its callbacks carry ours.
  if (isTaken) return { outcome: { id, result: 'accepted', reference: found ?? String(id), reply, mta } }
  if (error !== undefined) return undefined
  return { outcome: { id, result: 'doubtful', reason: `the answer does not say whether it was taken: ${reply}`, mta } }
}

/**
 * What an answer means for a message. HTTP statuses decide unless the settings list the provider's own code. After a
 * 5xx that is not listed as harmless it is unknown whether the message was taken. `now` in milliseconds.
 */
export function classifySmsHttpAnswer(
  { id, mta, now }: { id: number; mta: string; now: number },
  { status, retryAfter, body }: SmsHttpAnswer,
  settings: SmsHttpSettings,
): SmsHttpVerdict {
  const { answer } = settings
  const text = createSmsProviderText(body)
  const error = selectProviderValue(text, answer.error)
  const said = selectProviderValue(text, answer.diagnostic) ?? body
  const code = String(status)
  const reply = `${status} ${said}`
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trimEnd()
    .slice(0, MAX_REPLY)
  const report: Report = { id, mta, reply, error }
  const pauseMs = parseRetryAfter(retryAfter, now)

  const success =
    status >= 200 && status < 300 && judgeSuccess(report, settings, selectProviderValue(text, answer.reference))
  if (success) return success
  const known = judgeCode(report, settings, pauseMs, code)
  if (known) return known
  if (answer.deferredStatuses.includes(status)) {
    const wait = pauseMs ?? PAUSE_MS
    return { ...deferred(report, 'data', wait, code), pauseMs: wait }
  }
  if (answer.downStatuses.includes(status) || (status >= 300 && status < 400))
    return { ...deferred(report, 'connect', DOWN_MS, code), pauseMs: DOWN_MS }
  if (status >= 500) return { outcome: { id, result: 'doubtful', reason: reply, mta }, pauseMs: pauseMs ?? PAUSE_MS }
  return refused(report, 'rcpt', '5.0.0', code)
}
