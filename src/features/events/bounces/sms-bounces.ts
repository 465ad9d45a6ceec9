import { type BounceSubjectCode, findBounceSubject, isHardBounceCode } from './bounce-subjects.ts'
import type { BounceAnalysis } from './bounces.ts'

/** Errors of the mobile network (3GPP TS 29.002, 17.6.6) by what they mean, as RFC 3463 would say it (events.md 4.3). */
const networkErrors: readonly [errors: readonly number[], enhanced: string][] = [
  [[1, 5], '5.1.1'],
  [[9, 12], '5.2.1'],
  [[6, 27, 31], '4.4.1'],
  [[32, 33], '4.2.2'],
  [[11, 13, 21], '5.7.1'],
]
const byNetworkError = new Map(networkErrors.flatMap(([errors, enhanced]) => errors.map((error) => [error, enhanced])))

/** States that say something by themselves. */
const byState: Readonly<Record<string, string>> = { EXPIRED: '4.4.7', REJECTD: '5.7.1' }

/** The code of an HTTP gateway for a number that does not exist. */
const INVALID_NUMBER = 'invalid-number'

/** Only a number that does not exist, or is closed for good, is hard. */
function analysed(enhanced: string, rule: string): BounceAnalysis {
  const [kind = '', ...rest] = enhanced.split('.')
  const subject = rest.map(Number).join('.') as BounceSubjectCode
  const verdict = kind === '5' && isHardBounceCode(subject) ? 'hard' : 'soft'
  return { enhanced, reply: null, subject: findBounceSubject(subject), verdict, rule }
}

/** What the refusal of an SMS in the sending dialogue means: `enhanced` is the gateway's, `code` its word for it. */
export function analyzeSmsRefusal(enhanced: string, code: string | undefined): BounceAnalysis {
  return analysed(enhanced, code === undefined ? 'none' : code.toLowerCase().replaceAll('_', '-'))
}

/** What a receipt of failure means: the network's error first, then its state (`UNDELIV`, `EXPIRED`, ...). */
export function analyzeSmsFailure(state: string, error: string | null): BounceAnalysis {
  if (error === INVALID_NUMBER) return analysed('5.1.1', INVALID_NUMBER)
  const number = error !== null && /^\d{1,3}$/.test(error) ? Number(error) : 0
  const known = byNetworkError.get(number)
  if (known !== undefined) return analysed(known, `map-${number}`)
  return analysed(byState[state] ?? '5.0.0', state.toLowerCase())
}
