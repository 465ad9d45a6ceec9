import type { TextPiece } from '../../../features/rendering/templates/pieces.ts'
import { buildMimeBody, type MimeBody } from './mime-body.ts'
import { buildMailHead, type InvalidMailAddress, type MailHead, type MailHeadInput } from './mime-head.ts'
import { buildMimeTextPart, buildMultipart, type MimePart } from './mime-parts.ts'
import { createStaticEncoder, type StaticEncoder } from './mime-text.ts'

/** Content shown to a contact. `format` is `settings.contentFormat`: 1 HTML, 2 HTML and text, 3 text. */
export interface MimeMailContent {
  format: 1 | 2 | 3
  html?: PartText
  text?: PartText
  amp?: PartText
  /** Encoder of the version whose static texts are in the parts. */
  encode?: StaticEncoder
}

/** The text of a part, whole or in the pieces it was rendered in. */
type PartText = string | readonly TextPiece[] | null

/** Everything one message is made of, rendered. */
export interface MailComposeInput extends MailHeadInput {
  content: MimeMailContent
  /** Made once by `buildAttachmentPart`. */
  attachments?: readonly MimePart[]
}

/** A message as ordered headers and body, so that a signature can be made of them and put in front. Line ends are CRLF. */
export type ComposedMail = MailHead & MimeBody

/** Builds the parts of a content in ascending order of preference: a mail client shows the last one it supports. */
function buildContentParts({ format, html, text, amp, encode = createStaticEncoder() }: MimeMailContent): MimePart[] {
  const part = (subtype: string, content: PartText | undefined): MimePart =>
    buildMimeTextPart(subtype, typeof content === 'string' ? [content] : (content ?? []), encode)
  const plainParts = format === 1 ? [] : [part('plain', text)]
  if (format === 3) return plainParts
  const ampParts = amp && amp.length > 0 ? [part('x-amp-html', amp)] : []
  return [...plainParts, ...ampParts, part('html', html)]
}

/** One part alone, alternatives, or either with attachments. */
export function buildMailPart(content: MimeMailContent, attachments: readonly MimePart[] = []): MimePart {
  const parts = buildContentParts(content)
  const [firstPart, secondPart] = parts
  const contentPart = firstPart && !secondPart ? firstPart : buildMultipart('alternative', 'alternative', parts)
  return attachments.length === 0 ? contentPart : buildMultipart('mixed', 'mixed', [contentPart, ...attachments])
}

/** Composes a message (RFC 5322, 2045 to 2047, 2231, 8058). An invalid address is returned as a value, not thrown. */
export function composeMail(input: MailComposeInput): ComposedMail | InvalidMailAddress {
  const head = buildMailHead(input)
  if ('invalidAddress' in head) return head
  const part = buildMailPart(input.content, input.attachments)
  return { ...head, headers: [...head.headers, ...part.headers], ...buildMimeBody([...part.body, '\r\n']) }
}

/** The bytes for the wire: the headers and the empty line behind them, and the body. */
export function toMailPieces({ headers, body }: ComposedMail): [Buffer, Buffer] {
  let lines = ''
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`
  return [Buffer.from(`${lines}\r\n`), body]
}

/** The same in one piece. */
export function toMailBytes(mail: ComposedMail): Buffer {
  return Buffer.concat(toMailPieces(mail))
}
