import { septetsOf } from '../../lib/gsm.ts'
import { countSms, type SmsCount } from '../../lib/sms.ts'

/** settings.smsFormat: 1 GSM-7 always, 2 UCS-2 always, 3 GSM-7 when every character fits. */
export type SmsFormat = 1 | 2 | 3

export type SmsText =
  | ({ outcome: 'fits'; text: string } & SmsCount)
  | { outcome: 'failed'; type: 'sms-length' | 'sms-alphabet'; message: string }

/** What stands for characters that GSM-7 has not (rendering.md section 10); of the rest the accents are dropped. */
const LOOK_ALIKES: Record<string, string> = {
  ...{ '‘': "'", '’': "'", '‚': "'", '‹': '<', '›': '>', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '•': '-', '·': '.', '…': '...' },
  ...{ '\u00a0': ' ', '\u2007': ' ', '\u2009': ' ', '\u202f': ' ', '\t': ' ', '\u200b': '', '\u00ad': '' },
  ...{ Œ: 'OE', œ: 'oe', '´': "'", '`': "'", '×': 'x', '÷': ':', '°': 'o', '²': '2', '³': '3', '™': 'TM', ç: 'c' },
}

const SEGMENT_LIMIT = 8

/**
 * Adds the STOP mention that must be in the text, if it is not (without case, blanks collapsed), writes the text in the
 * alphabet of `format`, and counts its segments (actions.md 7.3). Over 8 segments, or a character that GSM-7 cannot
 * show when it must, is a failure.
 */
export function fitSms(text: string, format: SmsFormat, mention: string | null): SmsText {
  const whole = withMention(text, mention)
  const written = format === 1 ? toGsm7(whole) : { text: whole, unknown: undefined }
  if (written.unknown !== undefined) {
    const message = `The text holds "${written.unknown}", which GSM-7 cannot write. Remove it, or use another smsFormat.`
    return { outcome: 'failed', type: 'sms-alphabet', message }
  }
  const count = countSms(written.text, format === 2 ? 'ucs2' : undefined)
  if (count.segments <= SEGMENT_LIMIT) return { outcome: 'fits', text: written.text, ...count }
  const message = `The text takes ${count.segments} segments; at most ${SEGMENT_LIMIT} are sent. Shorten it.`
  return { outcome: 'failed', type: 'sms-length', message }
}

/** The text in characters of GSM-7; `unknown` is the first that has no look-alike. */
function toGsm7(text: string): { text: string; unknown: string | undefined } {
  let written = ''
  for (const character of text.normalize('NFC')) {
    const shown = gsm7LookAlike(character)
    if (shown === undefined) return { text: written, unknown: character }
    written += shown
  }
  return { text: written, unknown: undefined }
}

function gsm7LookAlike(character: string): string | undefined {
  if (septetsOf(character) !== undefined) return character
  const lookAlike = LOOK_ALIKES[character]
  if (lookAlike !== undefined) return lookAlike
  const plain = character.normalize('NFD').replace(/\p{M}/gu, '')
  return plain !== '' && [...plain].every((letter) => septetsOf(letter) !== undefined) ? plain : undefined
}

function withMention(text: string, mention: string | null): string {
  if (mention === null || collapse(text).includes(collapse(mention))) return text
  return `${text} ${mention}`
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
