import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { VapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createTokenSource, type TokenSource } from '../requests/tokens.ts'

const LIFETIME_SECONDS = 12 * 3600
/** A token is used for half of its life, so that clocks may differ. */
const USED_SECONDS = LIFETIME_SECONDS / 2
const MAX_ORIGINS = 100

/** Who sends, by RFC 8292. */
export interface VapidSigner {
  /** The Authorization for pushes to an origin. */
  authorization(origin: string): Promise<string>
}

function keyOf({ publicKey, privateKey }: VapidKeys): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey }, format: 'jwk' })
}

/** Signs for each origin a token, good for 12 hours. `subject`: whom a push service writes to. */
export function openVapidSigner(keys: VapidKeys, subject: string, clock: Clock): VapidSigner {
  const key = keyOf(keys)
  const sources = new LRUCache<string, TokenSource>({ max: MAX_ORIGINS })

  async function sign(origin: string): Promise<string> {
    return new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setExpirationTime(Math.floor(clock.now() / 1000) + LIFETIME_SECONDS)
      .sign(key)
  }

  function sourceOf(origin: string): TokenSource {
    const known = sources.get(origin)
    if (known !== undefined) return known
    const made = createTokenSource(async () => ({ value: await sign(origin), lifetimeSeconds: USED_SECONDS }), clock)
    sources.set(origin, made)
    return made
  }

  return { authorization: async (origin) => `vapid t=${await sourceOf(origin).current()}, k=${keys.publicKey}` }
}
