import { findMailField, type MailField, type MailMediaType, parseMailFields, parseMailMediaType } from './fields.ts'
import { decodeLatin1, decodeMailBytes, decodeTransferEncoding } from './part-text.ts'

/** A leaf of a mail, a message within it, or the head of such a message that has parts of its own. */
export interface MailPart {
  media: MailMediaType
  fields: readonly MailField[]
  /** With its transfer encoding. */
  body: Buffer
  /** Whether it belongs to a message within the mail: the returned message, not the report about it. */
  isReturned: boolean
}

/** A parsed mail. */
export interface ParsedMimeMail {
  fields: readonly MailField[]
  media: MailMediaType
  /** Leaves, and messages before their own heads and leaves, in order. */
  parts: readonly MailPart[]
}

/**
 * A report comes first, then the returned message: nothing beyond this is read. Size, depth and number of parts bound the
 * work for any mail. Parsers made for mail readers decode every attachment, and cannot read reports without boundaries or
 * within other mails.
 */
export const MAX_MAIL_READ_BYTES = 1024 * 1024
const MAX_PARTS = 60
const MAX_DEPTH = 8
const MAX_HEAD_BYTES = 128 * 1024

const PLAIN = parseMailMediaType(undefined)
/** As reports have it that return nothing but the head (RFC 6522). */
const HEAD = parseMailMediaType('text/rfc822-headers')

interface Entity {
  bytes: Buffer
  depth: number
  isReturned: boolean
  /** It is what a message part holds. */
  isMessage: boolean
  /** The type of a part without a Content-Type: in a digest, a message (RFC 2046, 5.1.5). */
  type?: string | undefined
}

/** Parses a mail (RFC 2045, 2046) of any bytes: it never throws, and reads ill-formed mails as far as possible. */
export function parseMimeMail(raw: Buffer, most = MAX_MAIL_READ_BYTES): ParsedMimeMail {
  const parts: MailPart[] = []
  const { fields, media } = addParts(parts, {
    bytes: raw.subarray(0, most),
    depth: 0,
    isReturned: false,
    isMessage: false,
  })
  return { fields, media, parts }
}

/** Adds the parts of an entity; returns its own head. */
function addParts(
  parts: MailPart[],
  { bytes, depth, isReturned, isMessage, type }: Entity,
): { fields: MailField[]; media: MailMediaType } {
  const { head, body } = divide(bytes)
  const fields = parseMailFields(head)
  const media = parseMailMediaType(findMailField(fields, 'content-type') ?? type)
  const part = { media, fields, body, isReturned }
  const inner = depth < MAX_DEPTH ? innerOf(part) : []
  if (isMessagePart(part)) parts.push(part)
  // A multipart without parts is read as text.
  else if (inner.length === 0) parts.push(media.type.startsWith('multipart/') ? { ...part, media: PLAIN } : part)
  else if (isMessage) parts.push({ ...part, media: HEAD, body: Buffer.alloc(0) })
  for (const bytes of inner) {
    if (parts.length >= MAX_PARTS) break
    const inMessage = isMessagePart(part)
    const entity = { bytes, depth: depth + 1, isReturned: isReturned || inMessage, isMessage: inMessage }
    addParts(parts, media.type === 'multipart/digest' ? { ...entity, type: 'message/rfc822' } : entity)
  }
  return { fields, media }
}

function isMessagePart({ media }: MailPart): boolean {
  return media.type === 'message/rfc822' || media.type === 'message/global'
}

/** The parts of a multipart, or the message of a message part. */
function innerOf(part: MailPart): Buffer[] {
  if (isMessagePart(part)) return [decodeTransferEncoding(part)]
  const { media, body } = part
  const isMultipart = media.type.startsWith('multipart/')
  const boundary = media.parameters.get('boundary')
  const declared = isMultipart && boundary ? divided(body, boundary) : []
  if (declared.length > 0) return declared
  // Some reports name a wrong boundary, or lost their head in transit.
  const guessed = isMultipart || media.type === 'text/plain' ? guessBoundary(body, isMultipart) : undefined
  return guessed === undefined ? [] : divided(body, guessed)
}

/** The boundary a multipart begins with; in a text it is accepted only above a report part. */
function guessBoundary(body: Buffer, isMultipart: boolean): string | undefined {
  const start = decodeLatin1(body.subarray(0, 16 * 1024))
  if (!isMultipart && !/^content-type:[ \t]*message\/(?:delivery-status|feedback-report)/im.test(start))
    return undefined
  return /^--(\S[^\r\n]{0,198})\r?\n(?:content-|\r?\n)/im.exec(start)?.[1]?.trimEnd()
}

const LF = 10
const CR = 13

/** Head and body: the first blank line divides them. A head that begins with one is empty. */
function divide(bytes: Buffer): { head: string; body: Buffer } {
  const [first, second] = bytes
  if (first === LF) return { head: '', body: bytes.subarray(1) }
  if (first === CR && second === LF) return { head: '', body: bytes.subarray(2) }
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1
    if (bytes[next] === LF) return { head: headText(bytes.subarray(0, at)), body: bytes.subarray(next + 1) }
  }
  return { head: headText(bytes), body: Buffer.alloc(0) }
}

function headText(bytes: Buffer): string {
  return decodeMailBytes(bytes.subarray(0, MAX_HEAD_BYTES), undefined)
}

/** The parts between the lines of a boundary (RFC 2046, 5.1.1); the last one may be unterminated. */
function divided(body: Buffer, boundary: string): Buffer[] {
  const line = Buffer.from(`--${boundary}`, 'latin1')
  const inner: Buffer[] = []
  let start = -1
  for (let at = body.indexOf(line); at >= 0 && inner.length < MAX_PARTS; at = body.indexOf(line, at + 1)) {
    if (at > 0 && body[at - 1] !== LF) continue
    const lineEnd = body.indexOf(LF, at)
    const rest = decodeLatin1(body.subarray(at + line.length, lineEnd < 0 ? body.length : lineEnd)).trim()
    if (rest !== '' && rest !== '--') continue
    if (start >= 0) inner.push(body.subarray(start, at))
    start = lineEnd < 0 || rest === '--' ? -1 : lineEnd + 1
    if (start < 0) break
  }
  if (start >= 0 && inner.length < MAX_PARTS) inner.push(body.subarray(start))
  return inner
}
