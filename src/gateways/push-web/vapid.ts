import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { VapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createTokenSource, type TokenSource } from '../requests/tokens.ts'

const TOKEN_LIFETIME_SECONDS = 12 * 3600
/** A token is used for half of its life, so that clocks may differ. */
const TOKEN_USE_SECONDS = TOKEN_LIFETIME_SECONDS / 2
const MAX_ORIGINS = 100

/** Identifies the sender by RFC 8292. */
export interface VapidSigner {
  /** The Authorization for pushes to an origin. */
  authorization(origin: string): Promise<string>
}

function toPrivateKey({ publicKey, privateKey }: VapidKeys): KeyObject {
  const publicPoint = Buffer.from(publicKey, 'base64url')
  const [x, y] = [publicPoint.subarray(1, 33), publicPoint.subarray(33)].map((part) => part.toString('base64url'))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey }, format: 'jwk' })
}

/** Signs for each origin a token, good for 12 hours. `subject`: whom a push service writes to. */
export function openVapidSigner(keys: VapidKeys, subject: string, clock: Clock): VapidSigner {
  const key = toPrivateKey(keys)
  const sources = new LRUCache<string, TokenSource>({ max: MAX_ORIGINS })

  async function signToken(origin: string): Promise<string> {
    return new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setExpirationTime(Math.floor(clock.now() / 1000) + TOKEN_LIFETIME_SECONDS)
      .sign(key)
  }

  function getOrCreateSource(origin: string): TokenSource {
    const existingSource = sources.get(origin)
    if (existingSource !== undefined) return existingSource
    const newSource = createTokenSource(
      async () => ({ value: await signToken(origin), lifetimeSeconds: TOKEN_USE_SECONDS }),
      clock,
    )
    sources.set(origin, newSource)
    return newSource
  }

  return {
    authorization: async (origin) => `vapid t=${await getOrCreateSource(origin).current()}, k=${keys.publicKey}`,
  }
}
