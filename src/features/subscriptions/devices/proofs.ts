import { jwtVerify } from 'jose'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { SubscriptionPut } from '../read-put.ts'

/** A proof is good for a day at most, in seconds. */
const MAX_PROOF_AGE_SECONDS = 24 * 3600

/** The contact that a put names, as a proof says it: hexadecimal digits and ids in one case. */
function formatProofSubject({ type, value }: { type: string; value: string }): string {
  if (type === 'unicity') return value
  return type === 'id' ? value.toUpperCase() : value.toLowerCase()
}

/**
 * Throws 400 unless a put proves who its contact is: by a JWT (RFC 7519, HS256) of the application's own server, whose `sub` is the value
 * that names the contact, `aud` the application, and `exp` at most a day ahead. `now`: milliseconds.
 */
export async function requireDeviceProof(
  { application, contact, proof }: SubscriptionPut,
  { secret, now }: { secret: Buffer; now: number },
): Promise<void> {
  if (contact == null) return
  const value = 'value' in contact ? [contact.value].flat().join('') : contact.id
  const { type } = contact
  const verifiedToken = await jwtVerify(proof ?? '', secret, {
    algorithms: ['HS256'],
    audience: [application, application.toUpperCase()],
    currentDate: new Date(now),
    requiredClaims: ['sub', 'exp'],
  }).catch(() => undefined)
  const { sub = '', exp = 0 } = verifiedToken?.payload ?? {}
  const isValidProof =
    exp <= now / 1000 + MAX_PROOF_AGE_SECONDS &&
    formatProofSubject({ type, value: sub }) === formatProofSubject({ type, value })
  if (!verifiedToken || !isValidProof)
    throw badRequestProblem(
      '/linked/proof',
      'must be a JWT of the contact for this application, signed with the registration secret',
    )
}
