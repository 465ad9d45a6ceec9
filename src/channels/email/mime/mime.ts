import type { Piece } from '../../../features/rendering/templates/pieces.ts'
import { type Body, bodyOf } from './mime-body.ts'
import { type HeadInput, type InvalidAddress, type MailHead, mailHead } from './mime-head.ts'
import { type MimePart, multipart, textPart } from './mime-parts.ts'
import { type StaticEncoder, staticEncoder } from './mime-text.ts'

/** What a contact reads. `format` is `settings.contentFormat`: 1 HTML, 2 HTML and text, 3 text. */
export interface MailContent {
  format: 1 | 2 | 3
  html?: PartText
  text?: PartText
  amp?: PartText
  /** Of the version whose static texts are in the parts. */
  encode?: StaticEncoder
}

/** The text of a part, whole or in the pieces it was rendered in. */
type PartText = string | readonly Piece[] | null

/** Everything one message is made of, rendered. */
export interface MailInput extends HeadInput {
  content: MailContent
  /** Made once by `attachmentPart`. */
  attachments?: readonly MimePart[]
}

/** A message as ordered headers and body, so that a signature can be made of them and put in front. Line ends are CRLF. */
export type ComposedMail = MailHead & Body

/** The parts of a content in the order of rendering.md 9.2: a reader shows the last one it knows. */
function contentParts({ format, html, text, amp, encode = staticEncoder() }: MailContent): MimePart[] {
  const part = (subtype: string, content: PartText | undefined): MimePart =>
    textPart(subtype, typeof content === 'string' ? [content] : (content ?? []), encode)
  const plain = format === 1 ? [] : [part('plain', text)]
  if (format === 3) return plain
  const quick = amp && amp.length > 0 ? [part('x-amp-html', amp)] : []
  return [...plain, ...quick, part('html', html)]
}

/** One part alone, alternatives, or either with attachments. */
export function mailPart(content: MailContent, attachments: readonly MimePart[] = []): MimePart {
  const parts = contentParts(content)
  const [first, second] = parts
  const main = first && !second ? first : multipart('alternative', 'alternative', parts)
  return attachments.length === 0 ? main : multipart('mixed', 'mixed', [main, ...attachments])
}

/** Composes a message (RFC 5322, 2045 to 2047, 2231, 8058). An address that is none is a value, not an error. */
export function composeMail(input: MailInput): ComposedMail | InvalidAddress {
  const head = mailHead(input)
  if ('invalidAddress' in head) return head
  const part = mailPart(input.content, input.attachments)
  return { ...head, headers: [...head.headers, ...part.headers], ...bodyOf([...part.body, '\r\n']) }
}

/** The bytes for the wire: the headers and the empty line behind them, and the body. */
export function mailPieces({ headers, body }: ComposedMail): [Buffer, Buffer] {
  let lines = ''
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`
  return [Buffer.from(`${lines}\r\n`), body]
}

/** The same in one piece. */
export function mailBytes(mail: ComposedMail): Buffer {
  return Buffer.concat(mailPieces(mail))
}
