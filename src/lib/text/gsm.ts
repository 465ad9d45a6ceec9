/** The default alphabet of GSM 03.38 (3GPP TS 23.038, 6.2.1), by septet; 0x1b leads to the extension table. */
const BASIC = [
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
].join('')

/** The extension table: after the escape, two septets a character. */
const EXTENSION: Readonly<Record<string, number>> = {
  ...{ '\f': 0x0a, '^': 0x14, '{': 0x28, '}': 0x29, '\\': 0x2f },
  ...{ '[': 0x3c, '~': 0x3d, ']': 0x3e, '|': 0x40, '€': 0x65 },
}

const ESCAPE = 0x1b

const septets = new Map<string, readonly number[]>([
  ...Array.from(BASIC, (character, code): [string, number[]] => [character, [code]]).filter(
    ([, [code]]) => code !== ESCAPE,
  ),
  ...Object.entries(EXTENSION).map(([character, code]): [string, number[]] => [character, [ESCAPE, code]]),
])

const extended = new Map(Object.entries(EXTENSION).map(([character, code]) => [code, character]))

/** Septets a character takes: 1, or 2 in the extension table; undefined when it is not in the alphabet. */
export function countGsmSeptets(character: string): number | undefined {
  return septets.get(character)?.length
}

/** The text in septets, one an octet. Undefined when a character is not in the alphabet. */
export function encodeGsmText(text: string): Uint8Array | undefined {
  const codes: number[] = []
  for (const character of text) {
    const found = septets.get(character)
    if (found === undefined) return undefined
    codes.push(...found)
  }
  return Uint8Array.from(codes)
}

/**
 * Reads septets, one an octet. A code that is not in the extension table is read from the main one, an escape before an escape
 * or at the end is a blank (6.2.1.1); an octet over 127 is the replacement character.
 */
export function decodeGsmText(octets: Uint8Array): string {
  let text = ''
  for (let at = 0; at < octets.length; at++) {
    if (octets[at] !== ESCAPE) text += BASIC[octets[at]!] ?? '\ufffd'
    else if (++at >= octets.length || octets[at] === ESCAPE) text += ' '
    else text += extended.get(octets[at]!) ?? BASIC[octets[at]!] ?? '\ufffd'
  }
  return text
}

/** What stands for characters that GSM-7 has not (rendering.md section 10); of the rest the accents are dropped. */
const LOOK_ALIKES: Record<string, string> = {
  ...{ '‘': "'", '’': "'", '‚': "'", '‹': '<', '›': '>', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '•': '-', '·': '.', '…': '...' },
  ...{ '\u00a0': ' ', '\u2007': ' ', '\u2009': ' ', '\u202f': ' ', '\t': ' ', '\u200b': '', '\u00ad': '' },
  ...{ Œ: 'OE', œ: 'oe', '´': "'", '`': "'", '×': 'x', '÷': ':', '°': 'o', '²': '2', '³': '3', '™': 'TM', ç: 'c' },
}

/** The character, or what stands for it in GSM-7; undefined when nothing does. */
export function findGsmLookAlike(character: string): string | undefined {
  if (countGsmSeptets(character) !== undefined) return character
  const lookAlike = LOOK_ALIKES[character]
  if (lookAlike !== undefined) return lookAlike
  const plain = character.normalize('NFD').replace(/\p{M}/gu, '')
  return plain !== '' && [...plain].every((letter) => countGsmSeptets(letter) !== undefined) ? plain : undefined
}
