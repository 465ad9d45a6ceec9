import { type Field, fieldOf, type MediaType, readFields, readMediaType } from './fields.ts'
import { latin, textOf, unencoded } from './part-text.ts'

/** A leaf of a mail, or a message within it. */
export interface Part {
  media: MediaType
  fields: readonly Field[]
  /** As it is on the wire. */
  body: Buffer
  /** Whether it is of a message within the mail: what came back, not what is said about it. */
  isReturned: boolean
}

/** A mail taken apart. */
export interface Mail {
  fields: readonly Field[]
  media: MediaType
  /** Leaves, and messages before their own leaves, in order. */
  parts: readonly Part[]
}

/**
 * A report says what it has to say in its first parts, and then gives back what it is about: nothing beyond is read.
 * This, the depth and the number of parts bound the work for any mail, whatever it claims to hold. Parsers made for mail
 * readers decode every attachment, and know nothing of reports without boundaries or within other mails.
 */
export const READ_BYTES = 1024 * 1024
const MOST_PARTS = 60
const MOST_DEPTH = 8
const LONGEST_HEAD = 128 * 1024

const PLAIN = readMediaType(undefined)

interface Entity {
  bytes: Buffer
  depth: number
  isReturned: boolean
}

/** Takes a mail apart (RFC 2045, 2046), of any bytes: it never throws, and ill-formed mails give what can be made out. */
export function readMail(raw: Buffer): Mail {
  const parts: Part[] = []
  const { fields, media } = enter(parts, { bytes: raw.subarray(0, READ_BYTES), depth: 0, isReturned: false })
  return { fields, media, parts }
}

/** Adds what an entity holds to the parts; gives its own head. */
function enter(parts: Part[], { bytes, depth, isReturned }: Entity): { fields: Field[]; media: MediaType } {
  const { head, body } = divide(bytes)
  const fields = readFields(head)
  const media = readMediaType(fieldOf(fields, 'content-type'))
  const part = { media, fields, body, isReturned }
  const inner = depth < MOST_DEPTH ? innerOf(part) : []
  if (isMessage(part)) parts.push(part)
  // A multipart that is none can still be read by people.
  else if (inner.length === 0) parts.push(media.type.startsWith('multipart/') ? { ...part, media: PLAIN } : part)
  for (const bytes of inner) {
    if (parts.length >= MOST_PARTS) break
    enter(parts, { bytes, depth: depth + 1, isReturned: isReturned || isMessage(part) })
  }
  return { fields, media }
}

function isMessage({ media }: Part): boolean {
  return media.type === 'message/rfc822' || media.type === 'message/global'
}

/** What a part holds: the parts of a multipart, the message of a message. */
function innerOf(part: Part): Buffer[] {
  if (isMessage(part)) return [unencoded(part)]
  const { media, body } = part
  const isMultipart = media.type.startsWith('multipart/')
  const boundary = media.parameters.get('boundary')
  const declared = isMultipart && boundary ? divided(body, boundary) : []
  if (declared.length > 0) return declared
  // Some reports name a boundary that is not theirs, or lost their head on the way.
  const guessed = isMultipart || media.type === 'text/plain' ? guessBoundary(body, isMultipart) : undefined
  return guessed === undefined ? [] : divided(body, guessed)
}

/** The line a multipart begins with; in what claims to be text it must be unmistakable. */
function guessBoundary(body: Buffer, isMultipart: boolean): string | undefined {
  const start = latin(body.subarray(0, 16 * 1024))
  if (!isMultipart && !/^content-type:[ \t]*message\/(?:delivery-status|feedback-report)/im.test(start))
    return undefined
  return /^--(\S[^\r\n]{0,198}?)[ \t]*\r?\n(?:content-|\r?\n)/im.exec(start)?.[1]
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
  return textOf(bytes.subarray(0, LONGEST_HEAD), undefined)
}

/** What stands between the lines of a boundary (RFC 2046, 5.1.1); the last part may go on to the end. */
function divided(body: Buffer, boundary: string): Buffer[] {
  const line = Buffer.from(`--${boundary}`, 'latin1')
  const inner: Buffer[] = []
  let start = -1
  for (let at = body.indexOf(line); at >= 0 && inner.length < MOST_PARTS; at = body.indexOf(line, at + 1)) {
    if (at > 0 && body[at - 1] !== LF) continue
    const lineEnd = body.indexOf(LF, at)
    const rest = latin(body.subarray(at + line.length, lineEnd < 0 ? body.length : lineEnd)).trim()
    if (rest !== '' && rest !== '--') continue
    if (start >= 0) inner.push(body.subarray(start, at))
    start = lineEnd < 0 || rest === '--' ? -1 : lineEnd + 1
    if (start < 0) break
  }
  if (start >= 0 && inner.length < MOST_PARTS) inner.push(body.subarray(start))
  return inner
}
