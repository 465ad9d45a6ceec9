/** Printable ASCII: nothing to normalise, nothing to refuse. */
const PLAIN_PATTERN = /^[ -~]*$/
const CONTROL_PATTERN = /[\p{Cc}\p{Cs}]/u
const CONTROL_BUT_LINE_PATTERN = /[\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u

/** Counts the characters (code points) of a text. */
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
  if (PLAIN_PATTERN.test(text)) return text.trim()
  const normalizedText = text.normalize('NFC').trim()
  return (lines ? CONTROL_BUT_LINE_PATTERN : CONTROL_PATTERN).test(normalizedText) ? undefined : normalizedText
}

/** True if a text has more than `max` characters; counts them only if necessary. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || countCharacters(text) > max)
}
