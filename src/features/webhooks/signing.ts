import { createHmac, randomBytes } from 'node:crypto'
import { type MasterKeys, open, seal } from '../../lib/seal.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** How long the previous secret signs too after a rotation. */
export const ROTATION_MS = 24 * 3600 * 1000

/** The sealed secrets of a webhook. */
export interface Secrets {
  id: string
  secret: Buffer
  previousSecret: Buffer | null
  rotatedAt: Date | null
}

/** A new secret, in the form of Standard Webhooks: shown once. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
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
  const { id, body } = message
  const seconds = Math.floor(now / 1000)
  const isRecent = rotatedAt !== null && now < rotatedAt.getTime() + ROTATION_MS
  const sealed = previousSecret !== null && isRecent ? [secret, previousSecret] : [secret]
  const signatures = sealed.map((one) => {
    const key = Buffer.from(open(keys, one, context(webhook)).toString().slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
