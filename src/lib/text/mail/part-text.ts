import { decodeCharset, findMailField, type MailField, type MailMediaType } from './fields.ts'

interface EncodedPart {
  media: MailMediaType
  fields: readonly MailField[]
  body: Buffer
}

/** Notifications are shorter. */
const MAX_TEXT_BYTES = 256 * 1024

/** Bytes as characters of the same numbers. */
export function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The text of a text part: decoded, in its charset, HTML without its tags. */
export function decodeMailPartText(part: EncodedPart): string {
  const { media, body } = part
  const bytes = decodeTransferEncoding({ ...part, body: body.subarray(0, MAX_TEXT_BYTES) })
  const text = decodeMailBytes(bytes, media.parameters.get('charset'))
  return media.type === 'text/html' ? stripTags(text) : text
}

/**
 * Text of bytes, its lines ending in `\n`: in the charset they claim if it is known, else UTF-8 if valid, else
 * Windows-1252.
 */
export function decodeMailBytes(bytes: Uint8Array, charset: string | undefined): string {
  return decodeCharacters(bytes, charset).replace(/\r\n?/g, '\n')
}

function decodeCharacters(bytes: Uint8Array, charset: string | undefined): string {
  const decodedText = charset === undefined || isAsciiCharset(charset) ? undefined : decodeCharset(bytes, charset)
  if (decodedText !== undefined) return decodedText
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeCharset(bytes, 'windows-1252') ?? decodeLatin1(bytes)
  }
}

/** A part that claims ASCII may hold any charset. UTF-7 is read as the ASCII that most of it is. */
function isAsciiCharset(charset: string): boolean {
  return /^(?:us-)?ascii$|utf-7|^unknown|^x-/i.test(charset)
}

/** The bytes of a body without its transfer encoding (RFC 2045, 6). */
export function decodeTransferEncoding({ fields, body }: Pick<EncodedPart, 'fields' | 'body'>): Buffer {
  const encoding = findMailField(fields, 'content-transfer-encoding')?.toLowerCase() ?? ''
  if (encoding.startsWith('base64')) return Buffer.from(decodeLatin1(body), 'base64')
  return encoding.startsWith('quoted-printable') ? decodeQuotedPrintable(body) : body
}

const EQUALS = 61
const LF = 10

function decodeQuotedPrintable(body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let position = 0; position < body.length; position++) {
    const byte = body[position] ?? 0
    const value = byte === EQUALS ? readHexByte(body, position + 1) : -1
    const lineEnd = byte === EQUALS && value < 0 ? findSoftBreakEnd(body, position + 1) : -1
    if (lineEnd >= 0) position = lineEnd
    else bytes[length++] = value < 0 ? byte : value
    if (value >= 0) position += 2
  }
  return bytes.subarray(0, length)
}

const HEX_DIGITS = '0123456789abcdef'
/** The value of each character as a hexadecimal digit; -1 for any other character. */
const HEX_VALUES = Int8Array.from({ length: 256 }, (_, code) =>
  HEX_DIGITS.indexOf(String.fromCharCode(code).toLowerCase()),
)

/** The number that two hexadecimal digits make; negative when they are none. */
function readHexByte(body: Buffer, at: number): number {
  const [highDigit, lowDigit] = [HEX_VALUES[body[at] ?? 0] ?? -1, HEX_VALUES[body[at + 1] ?? 0] ?? -1]
  return highDigit < 0 || lowDigit < 0 ? -1 : highDigit * 16 + lowDigit
}

const BLANKS = [32, 9, 13]

/** The end of a soft line break (RFC 2045, 6.7, rule 5); negative if there is none. */
function findSoftBreakEnd(body: Buffer, at: number): number {
  let end = at
  while (end < at + 78 && BLANKS.includes(body[end] ?? 0)) end++
  return body[end] === LF ? end : -1
}

/** The named references of HTML that reports use; accented letters are composed from their base and accent. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  rsquo: "'",
  lsquo: "'",
  szlig: 'ß',
  ccedil: 'ç',
}
const COMBINING_ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
}
const ENTITY_PATTERN = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi

/** The character of a reference (HTML); an unknown one is left unchanged. */
function decodeReference(wholeReference: string, decimal?: string, hex?: string, name = ''): string {
  const code = Number.parseInt(decimal ?? hex ?? '', hex === undefined ? 10 : 16)
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
  const [, letter = '', accent = ''] = /^([a-z])(acute|grave|circ|uml|tilde)$/i.exec(name) ?? []
  return (
    NAMED_ENTITIES[name] ?? (letter === '' ? wholeReference : `${letter}${COMBINING_ACCENTS[accent]}`.normalize('NFC'))
  )
}

/** The text of HTML, in one pass: linear for any input. */
function stripTags(html: string): string {
  const lowerCaseHtml = html.toLowerCase()
  let text = ''
  let position = 0
  while (position < html.length) {
    const tagIndex = html.indexOf('<', position)
    text += html.slice(position, tagIndex < 0 ? html.length : tagIndex)
    if (tagIndex < 0) break
    const hiddenElement = /^<(style|script|head|!--)/.exec(lowerCaseHtml.slice(tagIndex, tagIndex + 8))?.[1]
    const tagEnd =
      hiddenElement === undefined
        ? html.indexOf('>', tagIndex)
        : lowerCaseHtml.indexOf(hiddenElement === '!--' ? '-->' : `</${hiddenElement}`, tagIndex)
    if (tagEnd < 0) break
    text += /^<\/?(?:p|div|br|tr|li|h\d|table|ul|ol|pre)\b/.test(lowerCaseHtml.slice(tagIndex, tagIndex + 8))
      ? '\n'
      : ' '
    position =
      hiddenElement === undefined || hiddenElement === '!--'
        ? tagEnd + (hiddenElement ? 3 : 1)
        : tagEnd + hiddenElement.length + 3
  }
  return text.replace(ENTITY_PATTERN, decodeReference)
}
