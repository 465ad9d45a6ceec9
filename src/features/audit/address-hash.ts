import { createHmac, hkdfSync } from 'node:crypto'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { toMailAddressKey } from '../../lib/text/mail-address.ts'

/**
 * Returns the audit's replacement of an address: equal addresses have the same hash, and only the holder of the master key can identify
 * one. The key differs from those used to seal and sign (HKDF-SHA256, RFC 5869).
 */
export function hashAuditAddress([newest]: MasterKeys, address: string): string {
  if (newest === undefined) throw new Error('There is no master key.')
  const key = Buffer.from(hkdfSync('sha256', newest.key, '', 'audit', 32))
  return `hmac:${createHmac('sha256', key).update(toMailAddressKey(address.trim())).digest('hex').slice(0, 32)}`
}
