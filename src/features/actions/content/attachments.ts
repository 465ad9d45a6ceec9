import type { StoredAttachment } from '../../../channels/email/attachments.ts'
import { isAllowedAttachmentHost, MAX_ATTACHMENT_BYTES } from '../../../channels/email/attachments.ts'
import { type OutboundPolicy, parseOutboundUrl, RefusedAddressError } from '../../../lib/net/guarded-client.ts'
import type { MessageAttachment } from '../execution/item-schemas.ts'

const BASE64_PATTERN = /^[A-Za-z0-9+/]*={0,2}$/

/** Places that attachments may be fetched from: hosts that the account allows, and hosts that the installation can reach at all. */
export interface AttachmentSources {
  hosts: readonly string[]
  reach: OutboundPolicy
}

/** Attachments as they are kept, or why they cannot be sent: `name` null when it is not for one of them. */
export type ParsedAttachments =
  | { attachments: StoredAttachment[] }
  | { type: 'attachment'; name: string | null; message: string }

/** The base64 without blanks, when it is base64 (RFC 4648, 4). */
function normalizeBase64(value: string): string | undefined {
  const text = value.replace(/\s+/g, '')
  return text.length % 4 === 0 && BASE64_PATTERN.test(text) ? text : undefined
}

function computeDecodedSize(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}

/** Why an address is not fetched, as far as it is known without a look-up; undefined when it may be. */
function explainUrlRefusal(value: string, { hosts, reach }: AttachmentSources): string | undefined {
  try {
    const { hostname } = parseOutboundUrl(value, reach)
    if (isAllowedAttachmentHost(hostname, hosts)) return undefined
    return `host not allowed: ${hostname} is not one of attachmentHosts`
  } catch (error) {
    if (error instanceof RefusedAddressError) return `the address ${error.message}`
    throw error
  }
}

/** Reads the attachments of one message. What is at an address is fetched and measured when the message is sent. */
export function parseAttachments(
  rawAttachments: readonly MessageAttachment[],
  places: AttachmentSources,
): ParsedAttachments {
  const attachments: StoredAttachment[] = []
  let totalBytes = 0
  for (const { name, mime, data } of rawAttachments) {
    if (data.type === 'url') {
      const refusal = explainUrlRefusal(data.value, places)
      if (refusal !== undefined) return { type: 'attachment', name, message: refusal }
      attachments.push({ name, mime, url: data.value })
      continue
    }
    const base64 = normalizeBase64(data.value)
    if (base64 === undefined) return { type: 'attachment', name, message: 'must be base64' }
    totalBytes += computeDecodedSize(base64)
    if (totalBytes > MAX_ATTACHMENT_BYTES)
      return { type: 'attachment', name, message: 'attachments must have at most 15 MiB in total' }
    attachments.push({ name, mime, base64 })
  }
  return { attachments }
}
