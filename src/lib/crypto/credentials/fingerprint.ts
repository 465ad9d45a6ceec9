import { createHash } from 'node:crypto'

/** Tells credentials apart and reveals nothing of them: the first 16 hex digits of their SHA-256. */
export function fingerprintSecret(secret: string | Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 16)
}
