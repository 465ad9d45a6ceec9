import { findGsmLookAlike } from '../../lib/text/gsm.ts'
import { measureSmsText, type SmsTextSize } from '../../lib/text/sms.ts'

/** settings.smsFormat: 1 GSM-7 always, 2 UCS-2 always, 3 GSM-7 when every character fits. */
export type SmsFormat = 1 | 2 | 3

export type SmsText =
  | ({ outcome: 'fits'; text: string } & SmsTextSize)
  | { outcome: 'failed'; type: 'sms-length' | 'sms-alphabet'; message: string }

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
  const count = measureSmsText(written.text, format === 2 ? 'ucs2' : undefined)
  if (count.segments <= SEGMENT_LIMIT) return { outcome: 'fits', text: written.text, ...count }
  const message = `The text takes ${count.segments} segments; at most ${SEGMENT_LIMIT} are sent. Shorten it.`
  return { outcome: 'failed', type: 'sms-length', message }
}

/** The text in characters of GSM-7; `unknown` is the first that has no look-alike. */
function toGsm7(text: string): { text: string; unknown: string | undefined } {
  let written = ''
  for (const character of text.normalize('NFC')) {
    const shown = findGsmLookAlike(character)
    if (shown === undefined) return { text: written, unknown: character }
    written += shown
  }
  return { text: written, unknown: undefined }
}

function withMention(text: string, mention: string | null): string {
  if (mention === null || collapse(text).includes(collapse(mention))) return text
  return `${text} ${mention}`
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
