/** One header: its name and its value, folded as it goes out. Order counts: it is the order on the wire. */
export type MailHeader = readonly [name: string, value: string]

/** RFC 5322, 2.1.1; with encoded words RFC 2047, 2. */
const MAX_LINE_LENGTH = 78
const MAX_ENCODED_LINE_LENGTH = 76
const MAX_ENCODED_WORD_LENGTH = 75

/** A word longer than this could break the hard limit of 998; nothing that is meant has one. */
const MAX_WORD_LENGTH = 900

const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g
const PRINTABLE_TEXT = /^[\x20-\x7e]*$/
const ATOM_TEXT = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*$/
/** Words separated by single blanks: most texts, found by one expression. */
const PLAIN_LINE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const NON_TOKEN_CHARACTERS = /[^\x21-\x7e]/g
/** Beyond printable ASCII, and blanks and " < > \ ^ ` { | } of it. */
const NON_URL_CHARACTERS = /[^!#-;=?-[\]_a-z~]+/g

/** Characters that take one character in a Q word at any position (RFC 2047, 5 (3)). A blank is written `_`. */
const PLAIN_CHARACTER = /[A-Za-z0-9!*+\-/ ]/

/** Control characters, line ends among them, become one blank; surrounding blanks are cut. */
export function cleanHeaderText(text: string): string {
  return text.toWellFormed().replace(CONTROL_CHARACTERS, ' ').trim()
}

/** Only what may stand in an unencoded header without blanks. */
export function cleanHeaderToken(text: string): string {
  return text.replace(NON_TOKEN_CHARACTERS, '').slice(0, MAX_WORD_LENGTH)
}

const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A URL for angle brackets: what is not allowed there is percent-encoded. */
export function cleanHeaderUrl(url: string): string {
  return url.replace(NON_URL_CHARACTERS, percentEncode).slice(0, MAX_WORD_LENGTH)
}

/** Joins words by blanks, with a fold where a line would get too long (RFC 5322, 2.2.3). */
export function foldMailHeader(name: string, words: readonly string[]): MailHeader {
  let value = words[0] ?? ''
  let column = name.length + 2 + value.length
  for (let position = 1; position < words.length; position++) {
    const word = words[position]!
    const line = word.startsWith('=?') ? MAX_ENCODED_LINE_LENGTH : MAX_LINE_LENGTH
    const fits = column + 1 + word.length <= line
    value += fits ? ` ${word}` : `\r\n ${word}`
    column = fits ? column + 1 + word.length : 1 + word.length
  }
  return [name, value]
}

/** The Q encoding of each octet. */
const Q_ENCODED_OCTETS = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (character === ' ') return '_'
  return PLAIN_CHARACTER.test(character) ? character : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
})

interface WordEncoding {
  letter: 'Q' | 'B'
  /** Length of the encoded text, from its number of octets and the length of its Q encoding. */
  room(octets: number, quoted: number): number
  encode(octets: Buffer): string
}

const Q_ENCODING: WordEncoding = {
  letter: 'Q',
  room: (_, quoted) => quoted,
  encode(octets) {
    let text = ''
    for (let position = 0; position < octets.length; position++) text += Q_ENCODED_OCTETS[octets[position]!]
    return text
  },
}

const B_ENCODING: WordEncoding = {
  letter: 'B',
  room: (octets) => Math.ceil(octets / 3) * 4,
  encode: (octets) => octets.toString('base64'),
}

/** Counts the characters that the octets from `start` to `end` take in Q. */
function countQuotedLength(octets: Buffer, start: number, end: number): number {
  let length = 0
  for (let position = start; position < end; position++) length += Q_ENCODED_OCTETS[octets[position]!]!.length
  return length
}

/** Returns the end of the character that begins at `start` (RFC 3629, 3). */
function findCharacterEnd(octets: Buffer, start: number): number {
  let end = start + 1
  while (end < octets.length && (octets[end]! & 0xc0) === 0x80) end++
  return end
}

/**
 * Encoded words (RFC 2047) of at most 75 characters, in Q or B, whichever is shorter; none splits a character.
 * `column`: where the first one will stand.
 */
export function encodeMimeWords(text: string, column: number): string[] {
  const octets = Buffer.from(text)
  const totalQuotedLength = countQuotedLength(octets, 0, octets.length)
  const { letter, room, encode } =
    totalQuotedLength <= B_ENCODING.room(octets.length, totalQuotedLength) ? Q_ENCODING : B_ENCODING
  const buildEncodedWord = (payload: Buffer): string => `=?utf-8?${letter}?${encode(payload)}?=`
  const wordOverhead = '=?utf-8?Q??='.length
  const firstWordLength = Math.min(MAX_ENCODED_WORD_LENGTH, MAX_ENCODED_LINE_LENGTH - column)
  if (room(octets.length, totalQuotedLength) + wordOverhead <= firstWordLength) return [buildEncodedWord(octets)]

  const words: string[] = []
  let start = 0
  let wordQuotedLength = 0
  for (let position = 0, end = 0; position < octets.length; position = end) {
    end = findCharacterEnd(octets, position)
    const characterLength = countQuotedLength(octets, position, end)
    const maxWordLength = words.length === 0 ? firstWordLength : MAX_ENCODED_WORD_LENGTH
    if (position > start && room(end - start, wordQuotedLength + characterLength) + wordOverhead > maxWordLength) {
      words.push(buildEncodedWord(octets.subarray(start, position)))
      start = position
      wordQuotedLength = 0
    }
    wordQuotedLength += characterLength
  }
  return [...words, buildEncodedWord(octets.subarray(start))]
}

/** Words of a text that may go out as they are; undefined when the text needs encoding or could not be folded. */
function splitPlainWords(text: string): string[] | undefined {
  if (!PRINTABLE_TEXT.test(text) || text.includes('=?')) return undefined
  const words = text.split(' ')
  const isFoldable = words.every((word) => word !== '' && word.length <= MAX_ENCODED_WORD_LENGTH)
  return isFoldable || text === '' ? words : undefined
}

/** An unstructured header such as Subject, of any text. */
export function buildTextHeader(name: string, text: string): MailHeader {
  const isShort = name.length + 2 + text.length <= MAX_ENCODED_WORD_LENGTH
  if (isShort && PLAIN_LINE.test(text) && !text.includes('=?')) return [name, text]
  const cleanText = cleanHeaderText(text)
  return foldMailHeader(name, splitPlainWords(cleanText) ?? encodeMimeWords(cleanText, name.length + 2))
}

/** The words of a display name (RFC 5322 `encodeDisplayName`): atoms, a quoted string, or encoded words. */
export function encodeDisplayName(text: string, column: number): string[] {
  const words = splitPlainWords(text)
  if (words === undefined) return encodeMimeWords(text, column)
  if (ATOM_TEXT.test(text)) return words
  const quotedString = `"${text.replace(/["\\]/g, '\\$&')}"`
  return quotedString.length <= MAX_ENCODED_WORD_LENGTH - column ? [quotedString] : encodeMimeWords(text, column)
}
