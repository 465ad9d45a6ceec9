import { importPKCS8, SignJWT } from 'jose'
import type { ServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'

const LIFETIME_SECONDS = 3600

/**
 * The assertion (RFC 7523) by which a service account asks for a token: a JWT signed by RS256 that names the account, the
 * scope and the token endpoint, good for an hour from `now` (milliseconds).
 */
export async function signGoogleAssertion(
  account: ServiceAccountKey,
  { tokenUrl, scope }: { tokenUrl: string; scope: string },
  now: number,
): Promise<string> {
  const { clientEmail, privateKey, keyId } = account
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(await importPKCS8(privateKey, 'RS256'))
}
