/** One header: its name and its value, folded as it goes out. Order counts: it is the order on the wire. */
export type Header = readonly [name: string, value: string]

/** RFC 5322, 2.1.1; with encoded words RFC 2047, 2. */
const LINE = 78
const ENCODED_LINE = 76
const ENCODED_WORD = 75

/** A word longer than this could break the hard limit of 998; nothing that is meant has one. */
const LONGEST_WORD = 900

const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g
const PRINTABLE = /^[\x20-\x7e]*$/
const ATOMS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*$/

/** What takes one character in a Q word, wherever the word stands (RFC 2047, 5 (3)). A blank is written `_`. */
const PLAIN_CHARACTERS = /[A-Za-z0-9!*+\-/ ]/g

/** Control characters, line ends among them, become one blank; surrounding blanks are cut. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROLS, ' ').trim()
}

/** Only what may stand in an unencoded header without blanks. */
export function cleanToken(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, LONGEST_WORD)
}

/** A URL for angle brackets: what is not allowed there is percent-encoded. */
export function cleanUrl(url: string): string {
  const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
  return url.replace(/[^\x21-\x7e]+|["<>\\^`{|}]/g, encode).slice(0, LONGEST_WORD)
}

/** Joins words by blanks, with a fold where a line would get too long (RFC 5322, 2.2.3). */
export function fold(name: string, words: readonly string[]): Header {
  let value = words[0] ?? ''
  let column = name.length + 2 + value.length
  for (const word of words.slice(1)) {
    const line = word.startsWith('=?') ? ENCODED_LINE : LINE
    const fits = column + 1 + word.length <= line
    value += fits ? ` ${word}` : `\r\n ${word}`
    column = fits ? column + 1 + word.length : 1 + word.length
  }
  return [name, value]
}

interface Encoding {
  letter: 'Q' | 'B'
  /** Length of the encoding of so many octets, of which so many are plain. */
  room(octets: number, plain: number): number
  encode(text: string): string
}

const Q_OCTETS = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (character === ' ') return '_'
  return character.search(PLAIN_CHARACTERS) === 0 ? character : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
})

const Q: Encoding = {
  letter: 'Q',
  room: (octets, plain) => octets * 3 - plain * 2,
  encode: (text) => Array.from(Buffer.from(text), (octet) => Q_OCTETS[octet]).join(''),
}

const B: Encoding = {
  letter: 'B',
  room: (octets) => Math.ceil(octets / 3) * 4,
  encode: (text) => Buffer.from(text).toString('base64'),
}

/** Octets of a text, and how many of them are plain. */
function measure(text: string): [octets: number, plain: number] {
  return [Buffer.byteLength(text), text.length - text.replace(PLAIN_CHARACTERS, '').length]
}

/**
 * Encoded words (RFC 2047) of at most 75 characters, in Q or B, whichever is shorter; none splits a character.
 * `column`: where the first one will stand.
 */
export function encodedWords(text: string, column: number): string[] {
  const whole = measure(text)
  const { letter, room, encode } = Q.room(...whole) <= B.room(...whole) ? Q : B
  const around = '=?utf-8?Q??='.length
  const first = Math.min(ENCODED_WORD, ENCODED_LINE - column)
  if (room(...whole) + around <= first) return [`=?utf-8?${letter}?${encode(text)}?=`]

  const words: string[] = []
  let [current, octets, plain] = ['', 0, 0]
  for (const character of text) {
    const [more, plainMore] = measure(character)
    const most = words.length === 0 ? first : ENCODED_WORD
    if (current !== '' && room(octets + more, plain + plainMore) + around > most) {
      words.push(`=?utf-8?${letter}?${encode(current)}?=`)
      current = ''
      octets = plain = 0
    }
    current += character
    octets += more
    plain += plainMore
  }
  return [...words, `=?utf-8?${letter}?${encode(current)}?=`]
}

/** Words of a text that may go out as they are; undefined when the text needs encoding or could not be folded. */
function plainWords(text: string): string[] | undefined {
  if (!PRINTABLE.test(text) || text.includes('=?')) return undefined
  const words = text.split(' ')
  const foldable = words.every((word) => word !== '' && word.length <= ENCODED_WORD)
  return foldable || text === '' ? words : undefined
}

/** An unstructured header such as Subject, of any text. */
export function textHeader(name: string, text: string): Header {
  const clean = cleanText(text)
  return fold(name, plainWords(clean) ?? encodedWords(clean, name.length + 2))
}

/** The words of a display name (RFC 5322 `phrase`): atoms, a quoted string, or encoded words. */
export function phrase(text: string, column: number): string[] {
  const words = plainWords(text)
  if (words === undefined) return encodedWords(text, column)
  if (ATOMS.test(text)) return words
  const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`
  return quoted.length <= ENCODED_WORD - column ? [quoted] : encodedWords(text, column)
}
