import { memoize } from '../../../lib/concurrency/memoize.ts'
import { toWireMailAddress } from '../../../lib/text/mail-address.ts'
import {
  buildTextHeader,
  cleanHeaderText,
  cleanHeaderToken,
  cleanHeaderUrl,
  encodeDisplayName,
  foldMailHeader,
  type MailHeader,
} from './mime-headers.ts'

/** An address as it is stored, and the name shown with it. */
export interface MailboxAddress {
  address: string
  label?: string | null
}

/** Input for the headers of one message. Texts may hold anything; none of them can add a header line. */
export interface MailHeadInput {
  from: MailboxAddress
  to: MailboxAddress
  cc?: readonly MailboxAddress[]
  replyTo?: MailboxAddress | null
  subject: string
  /** The instant of hand-over, milliseconds since 1970. */
  timeMs: number
  /** Id of the stamp; with the domain of From it is the Message-ID. */
  stamp: string
  /** The stamp's token, for X-Stamp. */
  stampToken: string
  /** For purpose marketing, and not for copies: the page with the one-click POST, and the address of the mailto. */
  unsubscribe?: { url: string; address: string } | null
  /** `{action}:{account}:{kind}:{installation}`. */
  feedbackId?: string | null
  purpose: 'marketing' | 'service'
  important?: boolean
}

/** The headers of a message in their order, and what they say of how it leaves. */
export interface MailHead {
  headers: readonly MailHeader[]
  /** The domain of From, in A-labels: its keys sign. */
  domain: string
  /** An address in the headers is beyond ASCII: only peers with SMTPUTF8 may see the message. */
  smtputf8: boolean
}

/** The message cannot be composed: one of its addresses is invalid, or has more than 254 octets. */
export interface InvalidMailAddress {
  invalidAddress: string
}

const ASCII = /^[\x00-\x7f]*$/
const DATE_CACHE_SIZE = 64

/** Formats the words of one mailbox: its label, if any, and its address. Returns `undefined` if the address is invalid. */
function formatMailboxWords({ address, label }: MailboxAddress, column: number): string[] | undefined {
  const wireAddress = toWireMailAddress(address)
  if (wireAddress === undefined) return undefined
  const name = label ? cleanHeaderText(label) : ''
  return name === '' ? [wireAddress] : [...encodeDisplayName(name, column), `<${wireAddress}>`]
}

/** A header of one address or several, or the first one that is not valid. */
function buildAddressHeader(name: string, mailboxes: readonly MailboxAddress[]): MailHeader | InvalidMailAddress {
  const words: string[] = []
  for (const mailbox of mailboxes) {
    const mailboxParts = formatMailboxWords(mailbox, words.length === 0 ? name.length + 2 : 1)
    if (mailboxParts === undefined) return { invalidAddress: mailbox.address }
    if (words.length > 0) words[words.length - 1] += ','
    words.push(...mailboxParts)
  }
  return foldMailHeader(name, words)
}

/** RFC 5322, 3.3, of a second since 1970. */
const formatMailDate = memoize(DATE_CACHE_SIZE, (second: number) =>
  new Date(second * 1000).toUTCString().replace('GMT', '+0000'),
)

function buildUnsubscribeHeaders({ url, address }: { url: string; address: string }): MailHeader[] {
  const mailto = `<mailto:${cleanHeaderUrl(address)}?subject=unsubscribe>`
  return [
    foldMailHeader('List-Unsubscribe', [`<${cleanHeaderUrl(url)}>,`, mailto]),
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
}

/** Builds the headers that depend on the purpose of the message. */
function buildPurposeHeaders({ unsubscribe, feedbackId, purpose, important, stampToken }: MailHeadInput): MailHeader[] {
  return [
    ...(unsubscribe ? buildUnsubscribeHeaders(unsubscribe) : []),
    ...(feedbackId ? [['Feedback-ID', cleanHeaderToken(feedbackId)] as const] : []),
    purpose === 'marketing' ? ['Precedence', 'bulk'] : ['Auto-Submitted', 'auto-generated'],
    ...(important ? [['Importance', 'high'] as const, ['X-Priority', '1'] as const] : []),
    ['X-Stamp', cleanHeaderToken(stampToken)],
    ['MIME-Version', '1.0'],
  ]
}

/** The headers of a message but those of its body, or the first address that is not valid. */
export function buildMailHead(input: MailHeadInput): MailHead | InvalidMailAddress {
  const { from, to, cc = [], replyTo, subject, timeMs, stamp } = input
  const mailboxLists: readonly [name: string, mailboxes: readonly MailboxAddress[]][] = [
    ['From', [from]],
    ['To', [to]],
    ['Cc', cc],
    ['Reply-To', replyTo ? [replyTo] : []],
  ]
  const addresses: MailHeader[] = []
  for (const [name, mailboxes] of mailboxLists) {
    if (mailboxes.length === 0) continue
    const header = buildAddressHeader(name, mailboxes)
    if ('invalidAddress' in header) return header
    addresses.push(header)
  }
  const senderAddress = toWireMailAddress(from.address) ?? ''
  const senderDomain = senderAddress.slice(senderAddress.lastIndexOf('@') + 1)
  const headers: MailHeader[] = [
    ...addresses,
    buildTextHeader('Subject', subject),
    ['Date', formatMailDate(Math.floor(timeMs / 1000))],
    ['Message-ID', `<${cleanHeaderToken(stamp)}@${senderDomain}>`],
    ...buildPurposeHeaders(input),
  ]
  // Whatever else is beyond ASCII was encoded.
  return { headers, domain: senderDomain, smtputf8: addresses.some(([, value]) => !ASCII.test(value)) }
}
