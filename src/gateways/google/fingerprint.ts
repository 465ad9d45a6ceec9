import { fingerprint } from '../../lib/crypto/credentials/fingerprint.ts'
import type { ServiceAccount } from '../../lib/crypto/credentials/service-account.ts'

/** Tells service accounts and their keys apart: 16 hex digits that reveal neither. */
export function fingerprintOf({ clientEmail, privateKey }: ServiceAccount): string {
  return fingerprint(`${clientEmail}\n${privateKey}`)
}
