import { type AccountTokenKeys, parseLinkToken, parseStampAddress } from '../../../lib/crypto/tokens.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { listMailFields } from '../../../lib/text/mail/fields.ts'
import type { ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'

/** A message named by a signature of ours. */
export interface SignedMessageIdentity {
  account: number
  stamp: string
}

/** A Message-ID in our form: it does not name the account, but one of its domains. */
export interface InboundMessageId {
  stamp: string
  domain: string
}

/** What identifies a message of ours in a mail, the most reliable first. */
export interface IdentifyingHeaders {
  signed: SignedMessageIdentity[]
  messageIds: InboundMessageId[]
}

/** A report about a message has fewer. */
const MAX_MATCHES = 20

/**
 * Finds in a mail what we signed: X-Stamp, the return path, the address and the link that unsubscribe; and Message-IDs
 * of our form. Anywhere in the mail: a signature cannot be forged, and relays move headers.
 */
export function parseIdentifyingHeaders(mail: ParsedMimeMail, tokens: AccountTokenKeys): IdentifyingHeaders {
  const text = mail.parts.map(withHead).join('\n')
  const address = (prefix: 'stamp' | 'bounce' | 'unsub', pattern: RegExp): SignedMessageIdentity[] =>
    found(text, pattern).flatMap((token) => parseStampAddress(tokens, prefix, token) ?? [])
  const links = found(text, /\/t\/u\/([\w-]{72})(?![\w-])/g).flatMap((token) => {
    const read = parseLinkToken(tokens, token, 'unsubscribe')
    return read ? [{ account: read.account, stamp: read.stamp }] : []
  })
  return {
    signed: [
      ...address('stamp', /^x-stamp:[ \t]*([a-z2-7]{50})\b/gim),
      ...address('bounce', /\bbounce\+([a-z2-7]{50})@/gi),
      ...address('unsub', /\bunsub\+([a-z2-7]{50})@/gi),
      ...links,
    ],
    messageIds: messageIds(text),
  }
}

/** The text of a part under its header, as either may hold the returned message. */
function withHead(part: ParsedMimeMail['parts'][number]): string {
  const { fields, media } = part
  const head = fields.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${head}\n\n${media.type === 'message/rfc822' ? '' : decodeMailPartText({ ...part, media: { ...media, type: 'text/plain' } })}`
}

function found(text: string, pattern: RegExp): string[] {
  const all = [...text.matchAll(pattern)].slice(0, MAX_MATCHES).flatMap(([, token]) => token ?? [])
  return [...new Set(all)]
}

function messageIds(text: string): InboundMessageId[] {
  const ids = found(text, /^message-id:\s*<([0-9a-f-]{36}@[a-z0-9.-]{1,253})>/gim)
  return ids.flatMap((id) => {
    const [left = '', domain = ''] = id.toLowerCase().split('@')
    const stamp = parseUuid(left)
    return stamp === undefined ? [] : [{ stamp, domain }]
  })
}

/** The domain of the author of a mail; '' without one. */
export function mailAuthorDomain({ fields }: ParsedMimeMail): string {
  return /@([a-z0-9.-]{1,253})/i.exec(listMailFields(fields, 'from')[0] ?? '')?.[1]?.toLowerCase() ?? ''
}
