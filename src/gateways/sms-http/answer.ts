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

const DEFAULT_PAUSE_MS = 5000
const DOWN_PAUSE_MS = 60_000
const MAX_REPLY_LENGTH = 2000

interface AnswerReport {
  id: number
  mta: string
  reply: string
  /** The provider's error code. */
  error: string | undefined
}

function buildRefusal(
  { id, mta, reply, error }: AnswerReport,
  stage: SendStage,
  enhanced: string,
  code: string,
): SmsHttpVerdict {
  return { outcome: { id, result: 'refused', stage, enhanced, reply, gatewayCode: error ?? code, mta } }
}

function buildDeferral(
  { id, mta, reply, error }: AnswerReport,
  stage: SendStage,
  pauseMs: number | undefined,
  code: string,
): SmsHttpVerdict {
  const retryMember = pauseMs === undefined ? {} : { retryAfterMs: pauseMs }
  return { outcome: { id, result: 'deferred', stage, reply, gatewayCode: error ?? code, mta, ...retryMember } }
}

/** The meaning of the provider's error code, as the settings list it; undefined when they do not. */
function classifyErrorCode(report: AnswerReport, settings: SmsHttpSettings, pauseMs: number | undefined, code: string) {
  const { error } = report
  const { deferred: deferredCodes, invalidNumber, sender: senderCodes, settings: settingsCodes } = settings.answer
  if (error === undefined) return undefined
  if (deferredCodes.includes(error)) return buildDeferral(report, 'data', pauseMs, code)
  if (invalidNumber.includes(error)) return buildRefusal(report, 'rcpt', '5.1.1', code)
  if (senderCodes.includes(error)) return buildRefusal(report, 'mail', '5.0.0', code)
  if (settingsCodes.includes(error)) return buildRefusal(report, 'connect', '5.0.0', code)
  return undefined
}

/** A success, unless the body says otherwise. */
function classifySuccess(
  report: AnswerReport,
  settings: SmsHttpSettings,
  providerReference: string | undefined,
): SmsHttpVerdict | undefined {
  const { id, mta, reply, error } = report
  const { accepted } = settings.answer
  const isAccepted = error === undefined ? accepted.length === 0 : accepted.includes(error)
  // Without an id of the provider's, its callbacks carry ours.
  if (isAccepted) return { outcome: { id, result: 'accepted', reference: providerReference ?? String(id), reply, mta } }
  if (error !== undefined) return undefined
  return {
    outcome: {
      id,
      result: 'doubtful',
      reason: `the response does not show if the message was accepted: ${reply}`,
      mta,
    },
  }
}

/**
 * Classifies an answer to a message. HTTP statuses decide unless the settings list the provider's own code. After a 5xx that is not listed
 * as harmless, it is unknown if the message was accepted. `now` is in milliseconds.
 */
export function classifySmsHttpAnswer(
  { id, mta, now }: { id: number; mta: string; now: number },
  { status, retryAfter, body }: SmsHttpAnswer,
  settings: SmsHttpSettings,
): SmsHttpVerdict {
  const { answer } = settings
  const text = createSmsProviderText(body)
  const error = selectProviderValue(text, answer.error)
  const diagnosticText = selectProviderValue(text, answer.diagnostic) ?? body
  const code = String(status)
  const reply = `${status} ${diagnosticText}`
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trimEnd()
    .slice(0, MAX_REPLY_LENGTH)
  const report: AnswerReport = { id, mta, reply, error }
  const pauseMs = parseRetryAfter(retryAfter, now)

  const successVerdict =
    status >= 200 && status < 300 && classifySuccess(report, settings, selectProviderValue(text, answer.reference))
  if (successVerdict) return successVerdict
  const codeVerdict = classifyErrorCode(report, settings, pauseMs, code)
  if (codeVerdict) return codeVerdict
  if (answer.deferredStatuses.includes(status)) {
    const statusPauseMs = pauseMs ?? DEFAULT_PAUSE_MS
    return { ...buildDeferral(report, 'data', statusPauseMs, code), pauseMs: statusPauseMs }
  }
  if (answer.downStatuses.includes(status) || (status >= 300 && status < 400))
    return { ...buildDeferral(report, 'connect', DOWN_PAUSE_MS, code), pauseMs: DOWN_PAUSE_MS }
  if (status >= 500)
    return { outcome: { id, result: 'doubtful', reason: reply, mta }, pauseMs: pauseMs ?? DEFAULT_PAUSE_MS }
  return buildRefusal(report, 'rcpt', '5.0.0', code)
}
