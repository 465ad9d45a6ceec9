/** The headers of a request: those of `fetch`, or of a server of Node. */
export type GivenHeaders = Headers | Record<string, string | readonly string[] | undefined>

/** A request that claims to come from a webhook. */
export interface WebhookRequest {
  headers: GivenHeaders
  /** The body as it came, not parsed: the signature is over its bytes. */
  body: string | Uint8Array
  /** What `POST /webhooks` or the rotation of the secret answered: `whsec_…`. Several: any of them. */
  secret: string | readonly string[]
  /** How far its time may be from now, in milliseconds; 5 minutes by default. */
  toleranceMs?: number
}

/** A verified delivery. `id` is the same on every try: what was done for one is not done again. */
export interface WebhookDelivery<Data = unknown> {
  id: string
  /** `email.hits.open`, `target.updated`; of a batch `events`, with an array as `data`. */
  type: string
  timestamp: string
  /** The record. `event` is its name as in `events` of the webhook, `date` its time in ISO 8601: webhooks made earlier have neither. */
  data: Data
}

/** A request that is not from the webhook with this secret, or too old. Answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const PREFIX = 'whsec_'
const VERSION = 'v1,'
const TOLERANCE_MS = 5 * 60 * 1000

function headerOf(headers: GivenHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The request has no header ${name}.`)
  return value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : undefined
  if (!bytes?.length) throw new TypeError('The secret of a webhook is "whsec_" and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function signedBytes(id: string, time: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const head = encoder.encode(`${id}.${time}.`)
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  const all = new Uint8Array(head.length + rest.length)
  all.set(head)
  all.set(rest, head.length)
  return all
}

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0) in constant time, and gives what it delivers. Throws `WebhookError`: no
 * signature, none of a secret, or a time too far from now, by which a request that was heard cannot be played again later.
 */
export async function verifyWebhook<Data = unknown>(request: WebhookRequest): Promise<WebhookDelivery<Data>> {
  const { headers, body, secret, toleranceMs = TOLERANCE_MS } = request
  const id = headerOf(headers, 'webhook-id')
  const time = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith(VERSION))
    .flatMap((one) => fromBase64(one.slice(VERSION.length)) ?? [])
  if (!/^\d+$/.test(time) || Math.abs(Date.now() - Number(time) * 1000) > toleranceMs)
    throw new WebhookError('The time of the request is too far from now.')
  const signed = signedBytes(id, time, body)
  const keys = await Promise.all((typeof secret === 'string' ? [secret] : secret).map(keyOf))
  const tries = keys.flatMap((key) => signatures.map((one) => crypto.subtle.verify('HMAC', key, one, signed)))
  if (!(await Promise.all(tries)).includes(true))
    throw new WebhookError('No signature of the request is of the secret.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return { ...(JSON.parse(text) as Omit<WebhookDelivery<Data>, 'id'>), id }
}
