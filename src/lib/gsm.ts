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
export function septetsOf(character: string): number | undefined {
  return septets.get(character)?.length
}

/** The text in septets, one an octet. Undefined when a character is not in the alphabet. */
export function encodeGsm(text: string): Uint8Array | undefined {
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
export function decodeGsm(octets: Uint8Array): string {
  let text = ''
  for (let at = 0; at < octets.length; at++) {
    if (octets[at] !== ESCAPE) text += BASIC[octets[at]!] ?? '\ufffd'
    else if (++at >= octets.length || octets[at] === ESCAPE) text += ' '
    else text += extended.get(octets[at]!) ?? BASIC[octets[at]!] ?? '\ufffd'
  }
  return text
}
