import { fingerprint } from '../../lib/credentials/fingerprint.ts'
import type { ServiceAccount } from '../../lib/credentials/service-account.ts'

/** Tells service accounts and their keys apart: 16 hex digits that reveal neither. */
export function fingerprintOf({ clientEmail, privateKey }: ServiceAccount): string {
  return fingerprint(`${clientEmail}\n${privateKey}`)
}
