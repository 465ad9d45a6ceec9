import type { MessageRequest } from '../messages/outbox.ts'
import type { Attachment } from './item-schemas.ts'

/** Bytes of all attachments of one message, once decoded. */
const MOST_BYTES = 15 * 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Attachments as they are kept, or why they cannot be sent: `name` null when it is not for one of them. */
export type ReadAttachments =
  | { attachments: NonNullable<MessageRequest['attachments']> }
  | { type: 'attachment'; name: string | null; message: string }

/** The base64 without blanks, when it is base64 (RFC 4648, 4). */
function cleanBase64(value: string): string | undefined {
  const text = value.replace(/\s+/g, '')
  return text.length % 4 === 0 && BASE64.test(text) ? text : undefined
}

function sizeOf(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}

/** Why an address is not fetched. Only https, and hosts the account has named, come into question at all. */
function refusedUrl(value: string, hosts: readonly string[]): string {
  const url = URL.parse(value)
  if (url?.protocol !== 'https:') return 'must be an https address'
  if (!hosts.some((host) => host.toLowerCase() === url.hostname))
    return `host not allowed: ${url.hostname} is none of attachmentHosts`
  return 'this version does not fetch attachments yet: give its bytes as base64'
}

/** Reads the attachments of one message; `hosts` are those that one may be fetched from. */
export function readAttachments(given: readonly Attachment[], hosts: readonly string[]): ReadAttachments {
  const attachments: NonNullable<MessageRequest['attachments']> = []
  let bytes = 0
  for (const { name, mime, data } of given) {
    if (data.type === 'url') return { type: 'attachment', name, message: refusedUrl(data.value, hosts) }
    const base64 = cleanBase64(data.value)
    if (base64 === undefined) return { type: 'attachment', name, message: 'must be base64' }
    bytes += sizeOf(base64)
    if (bytes > MOST_BYTES) return { type: 'attachment', name, message: 'attachments may have 15 MiB together' }
    attachments.push({ name, mime, base64 })
  }
  return { attachments }
}
