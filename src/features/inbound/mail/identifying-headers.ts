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

/** The identifiers of our message in a mail, the most reliable first. */
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
  const text = mail.parts.map(joinHeaderAndText).join('\n')
  const findSignedAddresses = (prefix: 'stamp' | 'bounce' | 'unsub', pattern: RegExp): SignedMessageIdentity[] =>
    findTokens(text, pattern).flatMap((token) => parseStampAddress(tokens, prefix, token) ?? [])
  const links = findTokens(text, /\/t\/u\/([\w-]{72})(?![\w-])/g).flatMap((token) => {
    const parsedToken = parseLinkToken(tokens, token, 'unsubscribe')
    return parsedToken ? [{ account: parsedToken.account, stamp: parsedToken.stamp }] : []
  })
  return {
    signed: [
      ...findSignedAddresses('stamp', /^x-stamp:[ \t]*([a-z2-7]{50})\b/gim),
      ...findSignedAddresses('bounce', /\bbounce\+([a-z2-7]{50})@/gi),
      ...findSignedAddresses('unsub', /\bunsub\+([a-z2-7]{50})@/gi),
      ...links,
    ],
    messageIds: findMessageIds(text),
  }
}

/** The text of a part under its header, as either may hold the returned message. */
function joinHeaderAndText(part: ParsedMimeMail['parts'][number]): string {
  const { fields, media } = part
  const headerText = fields.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${headerText}\n\n${media.type === 'message/rfc822' ? '' : decodeMailPartText({ ...part, media: { ...media, type: 'text/plain' } })}`
}

function findTokens(text: string, pattern: RegExp): string[] {
  const matchedTokens = [...text.matchAll(pattern)].slice(0, MAX_MATCHES).flatMap(([, token]) => token ?? [])
  return [...new Set(matchedTokens)]
}

function findMessageIds(text: string): InboundMessageId[] {
  const ids = findTokens(text, /^message-id:\s*<([0-9a-f-]{36}@[a-z0-9.-]{1,253})>/gim)
  return ids.flatMap((id) => {
    const [localPart = '', domain = ''] = id.toLowerCase().split('@')
    const stamp = parseUuid(localPart)
    return stamp === undefined ? [] : [{ stamp, domain }]
  })
}

/** The domain of the author of a mail; '' without one. */
export function mailAuthorDomain({ fields }: ParsedMimeMail): string {
  return /@([a-z0-9.-]{1,253})/i.exec(listMailFields(fields, 'from')[0] ?? '')?.[1]?.toLowerCase() ?? ''
}
