/** The default alphabet of GSM 03.38 (3GPP TS 23.038, 6.2.1), by septet; 0x1b leads to the extension table. */
const BASIC_ALPHABET = [
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
].join('')

/** The extension table: after the escape, two septets a character. */
const EXTENSION_TABLE: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const ESCAPE_SEPTET = 0x1b

const septetsByCharacter = new Map<string, readonly number[]>([
  ...Array.from(BASIC_ALPHABET, (character, code): [string, number[]] => [character, [code]]).filter(
    ([, [code]]) => code !== ESCAPE_SEPTET,
  ),
  ...Object.entries(EXTENSION_TABLE).map(([character, code]): [string, number[]] => [character, [ESCAPE_SEPTET, code]]),
])

const charactersByExtension = new Map(Object.entries(EXTENSION_TABLE).map(([character, code]) => [code, character]))

/** Septets a character takes: 1, or 2 in the extension table; undefined when it is not in the alphabet. */
export function countGsmSeptets(character: string): number | undefined {
  return septetsByCharacter.get(character)?.length
}

/** The text in septets, one an octet. Undefined when a character is not in the alphabet. */
export function encodeGsmText(text: string): Uint8Array | undefined {
  const septetCodes: number[] = []
  for (const character of text) {
    const characterSeptets = septetsByCharacter.get(character)
    if (characterSeptets === undefined) return undefined
    septetCodes.push(...characterSeptets)
  }
  return Uint8Array.from(septetCodes)
}

/**
 * Reads septets, one an octet. A code that is not in the extension table is read from the main one, an escape before an escape
 * or at the end is a blank (6.2.1.1); an octet over 127 is the replacement character.
 */
export function decodeGsmText(octets: Uint8Array): string {
  let text = ''
  for (let codeIndex = 0; codeIndex < octets.length; codeIndex++) {
    if (octets[codeIndex] !== ESCAPE_SEPTET) text += BASIC_ALPHABET[octets[codeIndex]!] ?? '\ufffd'
    else if (++codeIndex >= octets.length || octets[codeIndex] === ESCAPE_SEPTET) text += ' '
    else text += charactersByExtension.get(octets[codeIndex]!) ?? BASIC_ALPHABET[octets[codeIndex]!] ?? '\ufffd'
  }
  return text
}

/** Substitutes for characters that GSM-7 does not have; other characters only lose their accents. */
const GSM_SUBSTITUTES: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‹': '<',
  '›': '>',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '•': '-',
  '·': '.',
  '…': '...',
  '\u00a0': ' ',
  '\u2007': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\t': ' ',
  '\u200b': '',
  '\u00ad': '',
  Œ: 'OE',
  œ: 'oe',
  '´': "'",
  '`': "'",
  '×': 'x',
  '÷': ':',
  '°': 'o',
  '²': '2',
  '³': '3',
  '™': 'TM',
  ç: 'c',
}

/** The character, or what stands for it in GSM-7; undefined when nothing does. */
export function findGsmLookAlike(character: string): string | undefined {
  if (countGsmSeptets(character) !== undefined) return character
  const lookAlike = GSM_SUBSTITUTES[character]
  if (lookAlike !== undefined) return lookAlike
  const unaccentedText = character.normalize('NFD').replace(/\p{M}/gu, '')
  return unaccentedText !== '' && [...unaccentedText].every((letter) => countGsmSeptets(letter) !== undefined)
    ? unaccentedText
    : undefined
}
