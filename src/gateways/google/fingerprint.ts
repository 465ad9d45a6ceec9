import { createHash } from 'node:crypto'
import type { ServiceAccount } from '../../lib/credentials/service-account.ts'

/** Tells service accounts and their keys apart: 16 hex digits that reveal neither. */
export function fingerprintOf({ clientEmail, privateKey }: ServiceAccount): string {
  return createHash('sha256').update(`${clientEmail}\n${privateKey}`).digest('hex').slice(0, 16)
}
