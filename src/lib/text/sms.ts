import { countGsmSeptets } from './gsm.ts'

/** An alphanumeric sender with at least one letter, or digits: a pattern of JSON Schema. */
export const SMS_SENDER_PATTERN = '^((?=.*[A-Za-z])[A-Za-z0-9 ]{3,11}|[0-9]{3,15})$'

/** The encodings of an SMS (3GPP TS 23.038). */
export type SmsEncoding = 'gsm7' | 'ucs2'

/** The size of an SMS: its encoding, its length in units of it, and its number of segments. */
export interface SmsTextSize {
  encoding: SmsEncoding
  /** Septets, or UTF-16 units. */
  length: number
  /** At least 1. */
  segments: number
}

/** Units in a message of one segment, and in each of several, which have a concatenation header. */
export interface SmsSegmentSize {
  single: number
  part: number
}

/** Units of a segment in addition to an 8-bit concatenation header (3GPP TS 23.040, 9.2.3.24.1). */
const SEGMENT_SIZES: Readonly<Record<SmsEncoding, SmsSegmentSize>> = {
  gsm7: { single: 160, part: 153 },
  ucs2: { single: 70, part: 67 },
}

/** Counts a text in the given alphabet, or in GSM-7 when it fits and else in UCS-2. */
export function measureSmsText(text: string, encoding?: SmsEncoding): SmsTextSize {
  const usedEncoding = encoding === 'ucs2' || !isGsmText(text) ? 'ucs2' : 'gsm7'
  return {
    encoding: usedEncoding,
    length: measureLength(text, usedEncoding),
    segments: splitSmsText(text, usedEncoding).length,
  }
}

/** Returns true if GSM-7 has every character. */
export function isGsmText(text: string): boolean {
  for (const character of text) if (countGsmSeptets(character) === undefined) return false
  return true
}

/**
 * The text of every segment, at least one; no character is split, neither a surrogate pair nor one of the extension table,
 * so a segment may have an unused unit. A text in GSM-7 must have its characters only.
 */
export function splitSmsText(
  text: string,
  encoding: SmsEncoding,
  size: SmsSegmentSize = SEGMENT_SIZES[encoding],
): string[] {
  if (measureLength(text, encoding) <= size.single) return [text]
  const parts: string[] = []
  let part = ''
  let unitsLeft = size.part
  for (const character of text) {
    const units = measureCharacter(character, encoding)
    if (units > unitsLeft) {
      parts.push(part)
      part = ''
      unitsLeft = size.part
    }
    part += character
    unitsLeft -= units
  }
  return [...parts, part]
}

function measureLength(text: string, encoding: SmsEncoding): number {
  if (encoding === 'ucs2') return text.length
  let length = 0
  for (const character of text) length += measureCharacter(character, encoding)
  return length
}

function measureCharacter(character: string, encoding: SmsEncoding): number {
  return encoding === 'ucs2' ? character.length : (countGsmSeptets(character) ?? 1)
}
