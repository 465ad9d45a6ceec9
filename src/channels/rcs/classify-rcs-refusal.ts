import { type BounceSubjectCode, findBounceSubject } from '../../features/bounces/bounce-subjects.ts'
import type { BounceAnalysis } from '../../features/bounces/classify-mail-bounce.ts'

/** Classifies a refusal of a rich message. The number is never classified as invalid, since it may accept SMS. */
export function classifyRcsRefusal(enhanced: string, code: string | undefined): BounceAnalysis {
  const bounceSubject = enhanced.split('.').slice(1).map(Number).join('.') as BounceSubjectCode
  const rule = code === undefined ? 'none' : code.toLowerCase().replaceAll(/[_ ]/g, '-')
  return { enhanced, reply: null, subject: findBounceSubject(bounceSubject), verdict: 'soft', rule }
}
