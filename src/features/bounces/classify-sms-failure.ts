import { type BounceSubjectCode, findBounceSubject, isHardBounceCode } from './bounce-subjects.ts'
import type { BounceAnalysis } from './classify-mail-bounce.ts'

/** Errors of the mobile network (3GPP TS 29.002, 17.6.6) by the RFC 3463 code of their meaning. */
const networkErrors: readonly [errors: readonly number[], enhanced: string][] = [
  [[1, 5], '5.1.1'],
  [[9, 12], '5.2.1'],
  [[6, 27, 31], '4.4.1'],
  [[32, 33], '4.2.2'],
  [[11, 13, 21], '5.7.1'],
]
const enhancedByNetworkError = new Map(
  networkErrors.flatMap(([errors, enhanced]) => errors.map((error) => [error, enhanced])),
)

/** States that say something by themselves. */
const enhancedByState: Readonly<Record<string, string>> = { EXPIRED: '4.4.7', REJECTD: '5.7.1' }

/** The code of an HTTP gateway for a number that does not exist. */
const INVALID_NUMBER_CODE = 'invalid-number'

/** Only a number that does not exist, or is closed for good, is hard. */
function buildAnalysis(enhanced: string, rule: string): BounceAnalysis {
  const [statusClass = '', ...subjectParts] = enhanced.split('.')
  const subject = subjectParts.map(Number).join('.') as BounceSubjectCode
  const verdict = statusClass === '5' && isHardBounceCode(subject) ? 'hard' : 'soft'
  return { enhanced, reply: null, subject: findBounceSubject(subject), verdict, rule }
}

/** Classifies the refusal of an SMS in the sending dialogue: `enhanced` and `code` are the gateway's. */
export function classifySmsRefusal(enhanced: string, code: string | undefined): BounceAnalysis {
  return buildAnalysis(enhanced, code === undefined ? 'none' : code.toLowerCase().replaceAll('_', '-'))
}

/** Classifies a failure receipt: by the network's error first, then by its state (`UNDELIV`, `EXPIRED`, ...). */
export function classifySmsFailure(state: string, error: string | null): BounceAnalysis {
  if (error === INVALID_NUMBER_CODE) return buildAnalysis('5.1.1', INVALID_NUMBER_CODE)
  const errorNumber = error !== null && /^\d{1,3}$/.test(error) ? Number(error) : 0
  const enhancedCode = enhancedByNetworkError.get(errorNumber)
  if (enhancedCode !== undefined) return buildAnalysis(enhancedCode, `map-${errorNumber}`)
  return buildAnalysis(enhancedByState[state] ?? '5.0.0', state.toLowerCase())
}
