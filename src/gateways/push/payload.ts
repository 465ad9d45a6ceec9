import type { PushMessageContent } from '../push-message.ts'

/** Push services that payloads are made for. */
export const pushServiceKinds = ['push-fcm', 'push-apns', 'push-web', 'push-http'] as const

export type PushServiceKind = (typeof pushServiceKinds)[number]

/** The most octets of a payload. */
export const MAX_PUSH_PAYLOAD_BYTES = 4096

/** The octets that encryption adds (RFC 8188, 8291): header with key, delimiter, authentication tag. */
export const PUSH_ENCRYPTION_BYTES = 86 + 1 + 16

/** Installed apps fail on an empty address: there is one, or null. */
function toAppMeta({ meta }: PushMessageContent) {
  return { ...meta, redirection: meta.redirection === '' ? null : meta.redirection }
}

/** Android: every value is a string of JSON. */
export function buildAndroidData(content: PushMessageContent): { meta: string; render: string; tracking: string } {
  return {
    meta: JSON.stringify(toAppMeta(content)),
    render: JSON.stringify(content.render),
    tracking: JSON.stringify(content.tracking),
  }
}

/** iOS: custom keys are objects, in addition to the keys that the system displays. */
export function buildApplePayload({ meta, render: { title, body }, tracking }: PushMessageContent): string {
  const aps = {
    alert: { title, body },
    'mutable-content': 1,
    'content-available': 1,
    category: 'Default_Notification_Category',
  }
  return JSON.stringify({ aps, meta, tracking })
}

/** Browsers: as it is, before encryption. */
export function buildWebPushPayload(content: PushMessageContent): string {
  const { render, tracking } = content
  return JSON.stringify({ meta: toAppMeta(content), render, tracking })
}

/** Builds the payload posted to an HTTP receiver. `expiresAt` is in milliseconds. */
export function buildHttpPushPayload(
  content: PushMessageContent,
  { token, expiresAt }: { token: string; expiresAt: number },
): string {
  const { meta, render, tracking } = content
  const expiration = new Date(expiresAt).toISOString()
  return JSON.stringify({
    token,
    subscription: meta.subscription,
    expiration,
    meta: toAppMeta(content),
    render,
    tracking,
  })
}

function countPayloadBytes(kind: PushServiceKind, content: PushMessageContent, token: string): number {
  switch (kind) {
    case 'push-fcm':
      return Object.entries(buildAndroidData(content)).reduce(
        (sum, [key, text]) => sum + key.length + Buffer.byteLength(text),
        0,
      )
    case 'push-apns':
      return Buffer.byteLength(buildApplePayload(content))
    case 'push-web':
      return Buffer.byteLength(buildWebPushPayload(content)) + PUSH_ENCRYPTION_BYTES
    case 'push-http':
      return Buffer.byteLength(buildHttpPushPayload(content, { token, expiresAt: 0 }))
  }
}

/** Why a content may not be sent over a push service; undefined: it may. `token`: the device's, which counts over HTTP. */
export function findPushPayloadFault(
  kind: PushServiceKind,
  content: PushMessageContent,
  token = '',
): string | undefined {
  const bytes = countPayloadBytes(kind, content, token)
  if (bytes > MAX_PUSH_PAYLOAD_BYTES) return `the payload has ${bytes} bytes, more than ${MAX_PUSH_PAYLOAD_BYTES}`
  if (kind === 'push-apns' && !content.meta.redirection) return 'the payload has no redirection, which iOS requires'
  return undefined
}
