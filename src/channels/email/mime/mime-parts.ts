import type { TextPiece } from '../../../features/rendering/templates/pieces.ts'
import type { MimeBodyPiece } from './mime-body.ts'
import { cleanHeaderText, type MailHeader } from './mime-headers.ts'
import { encodeMimeText, type StaticEncoder } from './mime-text.ts'

/** A MIME part: its own headers, and its body with CRLF line ends and none at the end, in pieces that follow each other. */
export interface MimePart {
  headers: readonly MailHeader[]
  body: readonly MimeBodyPiece[]
}

/** A file that goes with a message. */
export interface MimeAttachment {
  name: string
  /** Such as `application/pdf`; what is no media type is sent as octets. */
  type: string
  content: Uint8Array
}

/** 76 characters of base64. */
const OCTETS_PER_LINE = 57

const MAX_FILE_NAME_LENGTH = 255

/** A piece of a long file name with its `filename*NN*=` stays within 78 characters. */
const MAX_NAME_PIECE_LENGTH = 54

const CRLF = Buffer.from('\r\n')
const MEDIA_TYPE_PATTERN = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/** Types that may not be sent in base64 (RFC 2045, 6.4). */
const COMPOSITE_TYPE_PATTERN = /^(?:multipart|message)\//

/** A part of text of the given subtype (`plain`, `html`, `x-amp-html`), always UTF-8. */
export function buildMimeTextPart(subtype: string, pieces: readonly TextPiece[], encode: StaticEncoder): MimePart {
  const { encoding, body } = encodeMimeText(pieces, encode)
  return {
    headers: [
      ['Content-Type', `text/${subtype}; charset=utf-8`],
      ['Content-Transfer-Encoding', encoding],
    ],
    body: [body],
  }
}

/**
 * Several parts in one. The boundary holds `=_`, which quoted-printable and base64 cannot hold, and text with it is
 * never sent as 7bit: so it occurs in no content, whatever the content is. `name` distinguishes the boundaries of nested
 * parts; neither may begin like the other.
 */
export function buildMultipart(subtype: string, name: string, parts: readonly MimePart[]): MimePart {
  const boundary = `=_${name}`
  const body: MimeBodyPiece[] = []
  for (const part of parts) {
    let partHead = `${body.length === 0 ? '' : '\r\n'}--${boundary}\r\n`
    for (const [header, value] of part.headers) partHead += `${header}: ${value}\r\n`
    body.push(`${partHead}\r\n`, ...part.body)
  }
  body.push(`\r\n--${boundary}--`)
  return { headers: [['Content-Type', `multipart/${subtype}; boundary="${boundary}"`]], body }
}

/** Base64 in lines of 76 (RFC 2045, 6.8). */
export function encodeBase64Lines(content: Uint8Array): Buffer {
  const source = Buffer.from(content.buffer, content.byteOffset, content.length)
  const lines = Math.max(1, Math.ceil(source.length / OCTETS_PER_LINE))
  const target = Buffer.allocUnsafe(Math.ceil(source.length / 3) * 4 + (lines - 1) * CRLF.length)
  let outputOffset = 0
  for (let position = 0; position < source.length; position += OCTETS_PER_LINE) {
    if (position > 0) outputOffset += CRLF.copy(target, outputOffset)
    outputOffset += target.write(
      source.toString('base64', position, position + OCTETS_PER_LINE),
      outputOffset,
      'latin1',
    )
  }
  return target.subarray(0, outputOffset)
}

/** A character as RFC 2231, 7 (ext-octet) writes it. */
function encodeCharacter(character: string): string {
  return encodeURIComponent(character).replace(
    /['()*]/g,
    (reservedCharacter) => `%${reservedCharacter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Pieces of at most 54 characters; none splits a character, for some readers decode each by itself. */
function splitEncodedText(text: string): string[] {
  const pieces = ['']
  for (const character of text) {
    const encoded = encodeCharacter(character)
    const lastIndex = pieces.length - 1
    if (pieces[lastIndex]!.length + encoded.length > MAX_NAME_PIECE_LENGTH) pieces.push(encoded)
    else pieces[lastIndex] += encoded
  }
  return pieces
}

/** A parameter of any text (RFC 2231): as it is when it may be, else percent-encoded, in pieces when it is long. */
function buildParameter(name: string, text: string): string[] {
  if (/^[A-Za-z0-9 ._+-]{1,50}$/.test(text)) return [`${name}="${text}"`]
  const pieces = splitEncodedText(text)
  if (pieces.length === 1) return [`${name}*=utf-8''${pieces[0]}`]
  return pieces.map((piece, index) => `${name}*${index}*=${index === 0 ? "utf-8''" : ''}${piece}`)
}

/** A file as a part. The work is done once for all the messages of an action that carry it. */
export function buildAttachmentPart({ name, type, content }: MimeAttachment): MimePart {
  const mediaType = type.trim().toLowerCase()
  const isSendableType = MEDIA_TYPE_PATTERN.test(mediaType) && !COMPOSITE_TYPE_PATTERN.test(mediaType)
  // Cut before it is cleaned: half of a character at the end becomes a whole one.
  const fileNameParameters = buildParameter(
    'filename',
    cleanHeaderText(name.slice(0, MAX_FILE_NAME_LENGTH)) || 'attachment',
  )
  const bytes = encodeBase64Lines(content)
  return {
    headers: [
      ['Content-Type', isSendableType ? mediaType : 'application/octet-stream'],
      ['Content-Transfer-Encoding', 'base64'],
      ['Content-Disposition', ['attachment', ...fileNameParameters].join(';\r\n ')],
    ],
    // Base64 has no blanks.
    body: [{ bytes, relaxed: bytes }],
  }
}
