/** One header: its name and its value, folded as it goes out. Order counts: it is the order on the wire. */
export type MailHeader = readonly [name: string, value: string]

/** RFC 5322, 2.1.1; with encoded words RFC 2047, 2. */
const LINE = 78
const ENCODED_LINE = 76
const ENCODED_WORD = 75

/** A word longer than this could break the hard limit of 998; nothing that is meant has one. */
const MAX_WORD = 900

const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g
const PRINTABLE = /^[\x20-\x7e]*$/
const ATOMS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*$/
/** Words separated by single blanks: most texts, found by one expression. */
const PLAIN_LINE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const NO_TOKEN = /[^\x21-\x7e]/g
/** Beyond printable ASCII, and blanks and " < > \ ^ ` { | } of it. */
const NO_URL = /[^!#-;=?-[\]_a-z~]+/g

/** What takes one character in a Q word, wherever the word stands (RFC 2047, 5 (3)). A blank is written `_`. */
const PLAIN_CHARACTER = /[A-Za-z0-9!*+\-/ ]/

/** Control characters, line ends among them, become one blank; surrounding blanks are cut. */
export function cleanHeaderText(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ').trim()
}

/** Only what may stand in an unencoded header without blanks. */
export function cleanHeaderToken(text: string): string {
  return text.replace(NO_TOKEN, '').slice(0, MAX_WORD)
}

const encodeOctets = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A URL for angle brackets: what is not allowed there is percent-encoded. */
export function cleanHeaderUrl(url: string): string {
  return url.replace(NO_URL, encodeOctets).slice(0, MAX_WORD)
}

/** Joins words by blanks, with a fold where a line would get too long (RFC 5322, 2.2.3). */
export function foldMailHeader(name: string, words: readonly string[]): MailHeader {
  let value = words[0] ?? ''
  let column = name.length + 2 + value.length
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!
    const line = word.startsWith('=?') ? ENCODED_LINE : LINE
    const fits = column + 1 + word.length <= line
    value += fits ? ` ${word}` : `\r\n ${word}`
    column = fits ? column + 1 + word.length : 1 + word.length
  }
  return [name, value]
}

/** How each octet is written in a Q word. */
const Q_OCTETS = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (character === ' ') return '_'
  return PLAIN_CHARACTER.test(character) ? character : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
})

interface Encoding {
  letter: 'Q' | 'B'
  /** Length of the encoding of so many octets, whose Q encoding has so many characters. */
  room(octets: number, quoted: number): number
  encode(octets: Buffer): string
}

const Q: Encoding = {
  letter: 'Q',
  room: (_, quoted) => quoted,
  encode(octets) {
    let text = ''
    for (let at = 0; at < octets.length; at++) text += Q_OCTETS[octets[at]!]
    return text
  },
}

const B: Encoding = {
  letter: 'B',
  room: (octets) => Math.ceil(octets / 3) * 4,
  encode: (octets) => octets.toString('base64'),
}

/** How many characters the octets from `start` to `end` have in Q. */
function quotedLength(octets: Buffer, start: number, end: number): number {
  let length = 0
  for (let at = start; at < end; at++) length += Q_OCTETS[octets[at]!]!.length
  return length
}

/** Where the character that begins at `start` ends (RFC 3629, 3). */
function characterEnd(octets: Buffer, start: number): number {
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
  const whole = quotedLength(octets, 0, octets.length)
  const { letter, room, encode } = whole <= B.room(octets.length, whole) ? Q : B
  const word = (payload: Buffer): string => `=?utf-8?${letter}?${encode(payload)}?=`
  const around = '=?utf-8?Q??='.length
  const first = Math.min(ENCODED_WORD, ENCODED_LINE - column)
  if (room(octets.length, whole) + around <= first) return [word(octets)]

  const words: string[] = []
  let start = 0
  let quoted = 0
  for (let at = 0, end = 0; at < octets.length; at = end) {
    end = characterEnd(octets, at)
    const more = quotedLength(octets, at, end)
    const most = words.length === 0 ? first : ENCODED_WORD
    if (at > start && room(end - start, quoted + more) + around > most) {
      words.push(word(octets.subarray(start, at)))
      start = at
      quoted = 0
    }
    quoted += more
  }
  return [...words, word(octets.subarray(start))]
}

/** Words of a text that may go out as they are; undefined when the text needs encoding or could not be folded. */
function plainWords(text: string): string[] | undefined {
  if (!PRINTABLE.test(text) || text.includes('=?')) return undefined
  const words = text.split(' ')
  const foldable = words.every((word) => word !== '' && word.length <= ENCODED_WORD)
  return foldable || text === '' ? words : undefined
}

/** An unstructured header such as Subject, of any text. */
export function buildTextHeader(name: string, text: string): MailHeader {
  const isShort = name.length + 2 + text.length <= ENCODED_WORD
  if (isShort && PLAIN_LINE.test(text) && !text.includes('=?')) return [name, text]
  const clean = cleanHeaderText(text)
  return foldMailHeader(name, plainWords(clean) ?? encodeMimeWords(clean, name.length + 2))
}

/** The words of a display name (RFC 5322 `encodeDisplayName`): atoms, a quoted string, or encoded words. */
export function encodeDisplayName(text: string, column: number): string[] {
  const words = plainWords(text)
  if (words === undefined) return encodeMimeWords(text, column)
  if (ATOMS.test(text)) return words
  const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`
  return quoted.length <= ENCODED_WORD - column ? [quoted] : encodeMimeWords(text, column)
}
