import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { buildWebhookHeaders } from '../../lib/crypto/webhook-signature.ts'

/** Time after a rotation in which the previous secret also signs. */
export const SECRET_ROTATION_MS = 24 * 3600 * 1000

/** The sealed secrets of a webhook. */
export interface WebhookSecrets {
  id: string
  secret: Buffer
  previousSecret: Buffer | null
  rotatedAt: Date | null
}

function buildSealContext(webhook: string): string {
  return `webhook ${webhook}`
}

/** A secret as it is stored. */
export function sealWebhookSecret(keys: MasterKeys, webhook: string, secret: string): Buffer {
  return sealWithMasterKey(keys, secret, buildSealContext(webhook))
}

/** The headers of one try (Standard Webhooks 1.0): signed by both secrets for 24 hours after a rotation. */
export function signWebhookHeaders(
  keys: MasterKeys,
  secrets: WebhookSecrets,
  message: { id: string; body: string },
  now: number,
): Record<string, string> {
  const { id: webhook, secret, previousSecret, rotatedAt } = secrets
  const isRecent = rotatedAt !== null && now < rotatedAt.getTime() + SECRET_ROTATION_MS
  const sealedSecrets = previousSecret !== null && isRecent ? [secret, previousSecret] : [secret]
  const openedSecrets = sealedSecrets.map((sealedSecret) =>
    unsealWithMasterKey(keys, sealedSecret, buildSealContext(webhook)).toString(),
  )
  return buildWebhookHeaders(openedSecrets, message, now)
}
