import { findMailField, type MailField, type MailMediaType, parseMailFields, parseMailMediaType } from './fields.ts'
import { decodeLatin1, decodeMailBytes, decodeTransferEncoding } from './part-text.ts'

/** A leaf of a mail, a message within it, or the head of such a message that has parts of its own. */
export interface MailPart {
  media: MailMediaType
  fields: readonly MailField[]
  /** With its transfer encoding. */
  body: Buffer
  /** True if it belongs to a message within the mail: the returned message, not the report about it. */
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

const PLAIN_MEDIA_TYPE = parseMailMediaType(undefined)
/** As reports have it that return nothing but the head (RFC 6522). */
const HEADERS_MEDIA_TYPE = parseMailMediaType('text/rfc822-headers')

interface MimeEntity {
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
  { bytes, depth, isReturned, isMessage, type }: MimeEntity,
): { fields: MailField[]; media: MailMediaType } {
  const { head, body } = splitHeadAndBody(bytes)
  const fields = parseMailFields(head)
  const media = parseMailMediaType(findMailField(fields, 'content-type') ?? type)
  const part = { media, fields, body, isReturned }
  const childEntities = depth < MAX_DEPTH ? listChildEntities(part) : []
  if (isMessagePart(part)) parts.push(part)
  // A multipart without parts is read as text.
  else if (childEntities.length === 0)
    parts.push(media.type.startsWith('multipart/') ? { ...part, media: PLAIN_MEDIA_TYPE } : part)
  else if (isMessage) parts.push({ ...part, media: HEADERS_MEDIA_TYPE, body: Buffer.alloc(0) })
  for (const bytes of childEntities) {
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
function listChildEntities(part: MailPart): Buffer[] {
  if (isMessagePart(part)) return [decodeTransferEncoding(part)]
  const { media, body } = part
  const isMultipart = media.type.startsWith('multipart/')
  const boundary = media.parameters.get('boundary')
  const declaredParts = isMultipart && boundary ? splitByBoundary(body, boundary) : []
  if (declaredParts.length > 0) return declaredParts
  // Some reports name a wrong boundary, or lost their head in transit.
  const guessedBoundary = isMultipart || media.type === 'text/plain' ? guessBoundary(body, isMultipart) : undefined
  return guessedBoundary === undefined ? [] : splitByBoundary(body, guessedBoundary)
}

/** The boundary a multipart begins with; in a text it is accepted only above a report part. */
function guessBoundary(body: Buffer, isMultipart: boolean): string | undefined {
  const beginning = decodeLatin1(body.subarray(0, 16 * 1024))
  if (!isMultipart && !/^content-type:[ \t]*message\/(?:delivery-status|feedback-report)/im.test(beginning))
    return undefined
  return /^--(\S[^\r\n]{0,198})\r?\n(?:content-|\r?\n)/im.exec(beginning)?.[1]?.trimEnd()
}

const LF = 10
const CR = 13

/** Head and body: the first blank line divides them. A head that begins with one is empty. */
function splitHeadAndBody(bytes: Buffer): { head: string; body: Buffer } {
  const [firstByte, secondByte] = bytes
  if (firstByte === LF) return { head: '', body: bytes.subarray(1) }
  if (firstByte === CR && secondByte === LF) return { head: '', body: bytes.subarray(2) }
  for (let lineEndIndex = bytes.indexOf(LF); lineEndIndex >= 0; lineEndIndex = bytes.indexOf(LF, lineEndIndex + 1)) {
    const nextLineIndex = bytes[lineEndIndex + 1] === CR ? lineEndIndex + 2 : lineEndIndex + 1
    if (bytes[nextLineIndex] === LF)
      return { head: decodeHead(bytes.subarray(0, lineEndIndex)), body: bytes.subarray(nextLineIndex + 1) }
  }
  return { head: decodeHead(bytes), body: Buffer.alloc(0) }
}

function decodeHead(bytes: Buffer): string {
  return decodeMailBytes(bytes.subarray(0, MAX_HEAD_BYTES), undefined)
}

/** The parts between the lines of a boundary (RFC 2046, 5.1.1); the last one may be unterminated. */
function splitByBoundary(body: Buffer, boundary: string): Buffer[] {
  const line = Buffer.from(`--${boundary}`, 'latin1')
  const childParts: Buffer[] = []
  let partStart = -1
  for (
    let boundaryIndex = body.indexOf(line);
    boundaryIndex >= 0 && childParts.length < MAX_PARTS;
    boundaryIndex = body.indexOf(line, boundaryIndex + 1)
  ) {
    if (boundaryIndex > 0 && body[boundaryIndex - 1] !== LF) continue
    const lineEnd = body.indexOf(LF, boundaryIndex)
    const lineRemainder = decodeLatin1(
      body.subarray(boundaryIndex + line.length, lineEnd < 0 ? body.length : lineEnd),
    ).trim()
    if (lineRemainder !== '' && lineRemainder !== '--') continue
    if (partStart >= 0) childParts.push(body.subarray(partStart, boundaryIndex))
    partStart = lineEnd < 0 || lineRemainder === '--' ? -1 : lineEnd + 1
    if (partStart < 0) break
  }
  if (partStart >= 0 && childParts.length < MAX_PARTS) childParts.push(body.subarray(partStart))
  return childParts
}
