import { type BounceSubjectCode, findBounceSubject } from '../../features/bounces/bounce-subjects.ts'
import type { BounceAnalysis } from '../../features/bounces/classify-mail-bounce.ts'
import type { DeliveryRefusal } from '../channel.ts'

/** Classification of a refusal by its code: a device that no longer exists, invalid content, or an expired message. */
const REFUSAL_RULES: Readonly<Record<string, { rule: string; verdict: BounceAnalysis['verdict'] }>> = {
  '5.1.1': { rule: 'push-gone', verdict: 'hard' },
  '5.3.4': { rule: 'push-payload-size', verdict: 'soft' },
  '5.6.0': { rule: 'push-payload', verdict: 'soft' },
  '4.4.7': { rule: 'push-expired', verdict: 'soft' },
}

/** Classifies a refusal of a push service. */
export function classifyPushRefusal({ enhanced }: Pick<DeliveryRefusal, 'enhanced'>): BounceAnalysis {
  const code = enhanced ?? '5.6.0'
  const bounceSubject = code.split('.').slice(1).map(Number).join('.') as BounceSubjectCode
  const { rule, verdict } = REFUSAL_RULES[code] ?? { rule: 'none', verdict: 'soft' }
  return { enhanced: code, reply: null, subject: findBounceSubject(bounceSubject), verdict, rule }
}
