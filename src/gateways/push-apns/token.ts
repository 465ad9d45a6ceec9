import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createTokenSource, type SharedTokenSources, type TokenSource } from '../requests/tokens.ts'

/** Apple takes tokens of 20 to 60 minutes; sources renew a minute before the end. */
const TOKEN_LIFETIME_SECONDS = 40 * 60 + 60

/** The signer of tokens. */
export interface ApnsTokenSigner {
  key: KeyObject
  keyId: string
  teamId: string
}

/** The token that a team signs, good for an hour from `now` (milliseconds). */
export async function signApnsToken({ key, keyId, teamId }: ApnsTokenSigner, now: number): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(Math.floor(now / 1000))
    .sign(key)
}

/** The token source of a key, which gateways share: it signs a new token every 40 minutes. */
export function createApnsTokenSource(signer: ApnsTokenSigner, tokens: SharedTokenSources, clock: Clock): TokenSource {
  const { key, keyId, teamId } = signer
  const privateKeyBytes = key.export({ type: 'pkcs8', format: 'der' })
  const requestToken = async () => ({
    value: await signApnsToken(signer, clock.now()),
    lifetimeSeconds: TOKEN_LIFETIME_SECONDS,
  })
  return tokens.of(`apns ${teamId} ${keyId} ${fingerprintSecret(privateKeyBytes)}`, () =>
    createTokenSource(requestToken, clock),
  )
}
