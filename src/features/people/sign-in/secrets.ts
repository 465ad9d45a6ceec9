import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'

/** A new token of 256 bits, as base64url. */
export function generateSecretToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a token. */
export function digestSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A hash under the master key: of what could be guessed, such as an address. `use` keeps hashes of different things apart. */
export function hashWithMasterKey([newest]: MasterKeys, use: string, text: string): Buffer {
  if (newest === undefined) throw new Error('There is no master key.')
  const key = Buffer.from(hkdfSync('sha256', newest.key, '', 'people', 32))
  return createHmac('sha256', key).update(`${use}\n${text}`).digest()
}
