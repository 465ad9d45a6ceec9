/** Printable ASCII: nothing to normalise, nothing to refuse. */
const PLAIN = /^[ -~]*$/
const CONTROLS = /[\p{Cc}\p{Cs}]/u
const CONTROLS_BUT_LINES = /[\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u

/** How many characters (code points) a text has. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Trims and normalises (NFC) a text. Undefined when it holds control characters, other than line breaks and tabs
 * where `lines` allows them, or half a surrogate pair.
 */
export function normalizeFieldText(text: string, lines: boolean): string | undefined {
  if (PLAIN.test(text)) return text.trim()
  const clean = text.normalize('NFC').trim()
  return (lines ? CONTROLS_BUT_LINES : CONTROLS).test(clean) ? undefined : clean
}

/** Whether a text has more than `max` characters; counts them only when it must. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || countCharacters(text) > max)
}
