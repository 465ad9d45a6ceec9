import { isAscii } from 'node:buffer'
import { wireAddress } from '../../lib/mail-address.ts'
import { cleanText, cleanToken, cleanUrl, fold, type Header, phrase, textHeader } from './mime-headers.ts'
import { type MimePart, multipart, textPart } from './mime-parts.ts'
import { type Piece, pieceOf } from './mime-piece.ts'
import type { StaticText } from './mime-text.ts'

/** An address as it is stored, and the name shown with it. */
export interface Mailbox {
  address: string
  label?: string | null
}

/** What a contact reads. `format` is `settings.contentFormat`: 1 HTML, 2 HTML and text, 3 text. */
export interface MailContent {
  format: 1 | 2 | 3
  html?: string | null
  text?: string | null
  amp?: string | null
  /** What the templates of the parts write into every message, encoded before. */
  statics?: ContentStatics
}

/** Static texts of each part. */
export type ContentStatics = Readonly<Partial<Record<'html' | 'text' | 'amp', readonly StaticText[]>>>

/** Everything one message is made of, rendered. Any text may hold anything: nothing of it can add a header line. */
export interface MailInput {
  from: Mailbox
  to: Mailbox
  cc?: readonly Mailbox[]
  replyTo?: Mailbox | null
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
  content: MailContent
  /** Made once by `attachmentPart`. */
  attachments?: readonly MimePart[]
}

/** A message as ordered headers and body, so that a signature can be made of them and put in front. */
export interface ComposedMail {
  headers: readonly Header[]
  /** With CRLF line ends, the last one included. */
  body: Buffer
  /** What of the body a signature covers (RFC 6376, 3.4.4): the body itself where its blanks are as they should be. */
  relaxedBody(): Buffer
  /** The domain of From, in A-labels: its keys sign. */
  domain: string
  /** An address in the headers is beyond ASCII: only peers with SMTPUTF8 may see the message. */
  smtputf8: boolean
}

/** This message cannot be: one of its addresses is none, or has more than 254 octets. */
export interface InvalidAddress {
  invalidAddress: string
}

const LAST_LINE_END = pieceOf(Buffer.from('\r\n'))

/** The words of one mailbox: its label, if any, and its address. Undefined when the address is none. */
function mailboxWords({ address, label }: Mailbox, column: number): string[] | undefined {
  const wire = wireAddress(address)
  if (wire === undefined) return undefined
  const name = cleanText(label ?? '')
  return name === '' ? [wire] : [...phrase(name, column), `<${wire}>`]
}

/** A header of one address or several, or the first one that is not valid. */
function addressHeader(name: string, mailboxes: readonly Mailbox[]): Header | InvalidAddress {
  const words: string[] = []
  for (const [index, mailbox] of mailboxes.entries()) {
    const these = mailboxWords(mailbox, index === 0 ? name.length + 2 : 1)
    if (these === undefined) return { invalidAddress: mailbox.address }
    const comma = index < mailboxes.length - 1 ? ',' : ''
    words.push(...these.slice(0, -1), `${these.at(-1)}${comma}`)
  }
  return fold(name, words)
}

/** RFC 5322, 3.3. */
function date(timeMs: number): string {
  return new Date(timeMs).toUTCString().replace('GMT', '+0000')
}

function unsubscribeHeaders({ url, address }: { url: string; address: string }): Header[] {
  const mailto = `<mailto:${cleanUrl(address)}?subject=unsubscribe>`
  return [
    fold('List-Unsubscribe', [`<${cleanUrl(url)}>,`, mailto]),
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
}

/** The headers of rendering.md 9.1 that depend on what the message is for. */
function purposeHeaders({ unsubscribe, feedbackId, purpose, important, stampToken }: MailInput): Header[] {
  return [
    ...(unsubscribe ? unsubscribeHeaders(unsubscribe) : []),
    ...(feedbackId ? [['Feedback-ID', cleanToken(feedbackId)] as const] : []),
    purpose === 'marketing' ? ['Precedence', 'bulk'] : ['Auto-Submitted', 'auto-generated'],
    ...(important ? [['Importance', 'high'] as const, ['X-Priority', '1'] as const] : []),
    ['X-Stamp', cleanToken(stampToken)],
    ['MIME-Version', '1.0'],
  ]
}

/** The domain of an address that is one, as it goes out. */
function domainOf({ address }: Mailbox): string {
  const wire = wireAddress(address) ?? ''
  return wire.slice(wire.lastIndexOf('@') + 1)
}

/** The headers of a message but those of its body, or the first address that is not valid. */
export function mailHeaders(input: MailInput): Header[] | InvalidAddress {
  const { from, to, cc = [], replyTo, subject, timeMs, stamp } = input
  const addresses: Header[] = []
  const lists = { From: [from], To: [to], Cc: cc, 'Reply-To': replyTo ? [replyTo] : [] }
  for (const [name, mailboxes] of Object.entries(lists)) {
    if (mailboxes.length === 0) continue
    const header = addressHeader(name, mailboxes)
    if ('invalidAddress' in header) return header
    addresses.push(header)
  }
  return [
    ...addresses,
    textHeader('Subject', subject),
    ['Date', date(timeMs)],
    ['Message-ID', `<${cleanToken(stamp)}@${domainOf(from)}>`],
    ...purposeHeaders(input),
  ]
}

/** The parts of a content in the order of rendering.md 9.2: a reader shows the last one it knows. */
function contentParts({ format, html, text, amp, statics = {} }: MailContent): MimePart[] {
  const plain = format === 1 ? [] : [textPart('plain', text ?? '', statics.text)]
  if (format === 3) return plain
  const quick = amp ? [textPart('x-amp-html', amp, statics.amp)] : []
  return [...plain, ...quick, textPart('html', html ?? '', statics.html)]
}

/** One part alone, alternatives, or either with attachments. */
export function mailPart(content: MailContent, attachments: readonly MimePart[] = []): MimePart {
  const parts = contentParts(content)
  const [first, second] = parts
  const main = first && !second ? first : multipart('alternative', 'alternative', parts)
  return attachments.length === 0 ? main : multipart('mixed', 'mixed', [main, ...attachments])
}

/** A body of pieces that follow each other. */
function bodyOf(pieces: readonly Piece[]): Pick<ComposedMail, 'body' | 'relaxedBody'> {
  const body = Buffer.concat(pieces.map(({ bytes }) => bytes))
  return {
    body,
    relaxedBody() {
      const relaxed = pieces.map((piece) => piece.relaxed())
      return relaxed.every((bytes, index) => bytes === pieces[index]?.bytes) ? body : Buffer.concat(relaxed)
    },
  }
}

/** Composes a message (RFC 5322, 2045 to 2047, 2231, 8058). An address that is none is a value, not an error. */
export function composeMail(input: MailInput): ComposedMail | InvalidAddress {
  const headers = mailHeaders(input)
  if (!Array.isArray(headers)) return headers
  const part = mailPart(input.content, input.attachments)
  return {
    headers: [...headers, ...part.headers],
    ...bodyOf([...part.body, LAST_LINE_END]),
    domain: domainOf(input.from),
    smtputf8: !headers.every(([, value]) => isAscii(Buffer.from(value))),
  }
}

/** The bytes for the wire: the headers and the empty line behind them, and the body. */
export function mailPieces({ headers, body }: ComposedMail): [Buffer, Buffer] {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return [Buffer.from(`${lines.join('')}\r\n`), body]
}

/** The same in one piece. */
export function mailBytes(mail: ComposedMail): Buffer {
  return Buffer.concat(mailPieces(mail))
}
