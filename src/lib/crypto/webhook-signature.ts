import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret, in the form of Standard Webhooks. */
export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Returns true if a text is a secret in the form of Standard Webhooks: of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encodedSecret = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : ''
  const { length } = Buffer.from(encodedSecret, 'base64')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encodedSecret) && length >= 24 && length <= 64
}

/** The headers of one request (Standard Webhooks 1.0), signed with each of the secrets. `now` in milliseconds. */
export function buildWebhookHeaders(
  secrets: readonly string[],
  { id, body }: { id: string; body: string },
  now: number,
): Record<string, string> {
  const timestampSeconds = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signatures.join(' ') }
}
