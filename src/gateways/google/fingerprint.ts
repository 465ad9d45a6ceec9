import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import type { ServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'

/** Tells service accounts and their keys apart: 16 hex digits that reveal neither. */
export function fingerprintGoogleAccount({ clientEmail, privateKey }: ServiceAccountKey): string {
  return fingerprintSecret(`${clientEmail}\n${privateKey}`)
}
