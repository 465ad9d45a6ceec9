import { type MasterKeys, open, seal } from '../../lib/crypto/seal.ts'
import { webhookHeaders } from '../../lib/crypto/webhook-signature.ts'

/** How long the previous secret signs too after a rotation. */
export const ROTATION_MS = 24 * 3600 * 1000

/** The sealed secrets of a webhook. */
export interface Secrets {
  id: string
  secret: Buffer
  previousSecret: Buffer | null
  rotatedAt: Date | null
}

function context(webhook: string): string {
  return `webhook ${webhook}`
}

/** A secret as it is stored. */
export function sealSecret(keys: MasterKeys, webhook: string, secret: string): Buffer {
  return seal(keys, secret, context(webhook))
}

/** The headers of one try (Standard Webhooks 1.0): signed by both secrets for 24 hours after a rotation. */
export function signedHeaders(
  keys: MasterKeys,
  secrets: Secrets,
  message: { id: string; body: string },
  now: number,
): Record<string, string> {
  const { id: webhook, secret, previousSecret, rotatedAt } = secrets
  const isRecent = rotatedAt !== null && now < rotatedAt.getTime() + ROTATION_MS
  const sealed = previousSecret !== null && isRecent ? [secret, previousSecret] : [secret]
  const opened = sealed.map((one) => open(keys, one, context(webhook)).toString())
  return webhookHeaders(opened, message, now)
}
