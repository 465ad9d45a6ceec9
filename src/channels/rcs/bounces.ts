import { type BounceSubjectCode, findBounceSubject } from '../../features/events/bounces/bounce-subjects.ts'
import type { BounceAnalysis } from '../../features/events/bounces/bounces.ts'

/** What a refusal of a rich message means: never that the number is bad, as it may take SMS (rcs.md 6.3). */
export function classifyRcsRefusal(enhanced: string, code: string | undefined): BounceAnalysis {
  const subject = enhanced.split('.').slice(1).map(Number).join('.') as BounceSubjectCode
  const rule = code === undefined ? 'none' : code.toLowerCase().replaceAll(/[_ ]/g, '-')
  return { enhanced, reply: null, subject: findBounceSubject(subject), verdict: 'soft', rule }
}
