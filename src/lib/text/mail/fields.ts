/** One field of a header or of a report: its name in lower case, its value on one line. */
export type MailField = readonly [name: string, value: string]

/** Field names may have any length; those read here are shorter. */
const FIELD_PATTERN = /^([!-9;-~]{1,78})[ \t]*:(.*)$/

/** No real header has more: mails exist without a blank line after the header. */
const MAX_FIELDS = 1000
const MAX_VALUE_LENGTH = 20_000

/**
 * The fields of a block of lines (ends as `\n`) in order, unfolded (RFC 5322, 2.2.3). A line that is neither a field nor
 * folded belongs to the field above it: some programs break diagnostics that way.
 */
export function parseMailFields(block: string): MailField[] {
  const fields: [string, string][] = []
  for (const line of block.split('\n')) {
    const [, name, value = ''] = FIELD_PATTERN.exec(line) ?? []
    const lastField = fields.at(-1)
    if (name !== undefined && fields.length < MAX_FIELDS) fields.push([name.toLowerCase(), value.trim()])
    else if (lastField && line.trim() !== '' && lastField[1].length < MAX_VALUE_LENGTH)
      lastField[1] = `${lastField[1]} ${line.trim()}`.trim()
  }
  return fields
}

/** The value of the first field of that name; undefined if there is none. */
export function findMailField(fields: readonly MailField[], name: string): string | undefined {
  return fields.find(([fieldName]) => fieldName === name)?.[1]
}

/** The values of all fields of that name, in order. */
export function listMailFields(fields: readonly MailField[], name: string): string[] {
  return fields.flatMap(([fieldName, value]) => (fieldName === name ? [value] : []))
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]{0,1000})\?=/gi

/** A value with its encoded words (RFC 2047) as text; what cannot be decoded is left unchanged. */
export function decodeEncodedWords(value: string): string {
  const joinedWords = value.replace(/\?=\s+=\?/g, '?==?')
  return joinedWords.replace(ENCODED_WORD, (word, charset: string, encoding: string, text: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text)
    return decodeCharset(bytes, charset) ?? word
  })
}

function decodeQ(text: string): Buffer {
  const latin1Text = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1Text, 'latin1')
}

/** Text of bytes in a charset by its name (WHATWG Encoding); undefined for an unknown one. */
export function decodeCharset(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return undefined
  }
}

/** A media type (RFC 2045, 5.1), in lower case, with its parameters by their names. */
export interface MailMediaType {
  type: string
  parameters: ReadonlyMap<string, string>
}

const PARAMETER_PATTERN = /;\s*([\w*-]{1,40})\s*=\s*(?:"((?:[^"\\]|\\.){0,500})"|([^\s;"]{1,500}))/g

/** Reads a Content-Type; an invalid one is `text/plain`. */
export function parseMailMediaType(value: string | undefined): MailMediaType {
  const [, mainType, subtype] = /^\s*([\w.+-]{1,80})\s*\/\s*([\w.+-]{1,80})/.exec(value ?? '') ?? []
  const type = mainType === undefined ? 'text/plain' : `${mainType}/${subtype}`.toLowerCase()
  const parameterMatches = [...(value ?? '').matchAll(PARAMETER_PATTERN)]
  return {
    type,
    parameters: new Map(
      parameterMatches.map(([, name = '', quoted, plain = '']) => [
        name.toLowerCase(),
        quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'),
      ]),
    ),
  }
}
