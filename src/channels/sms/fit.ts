import { findGsmLookAlike } from '../../lib/text/gsm.ts'
import { measureSmsText, type SmsTextSize } from '../../lib/text/sms.ts'

/** settings.smsFormat: 1 GSM-7 always, 2 UCS-2 always, 3 GSM-7 when every character fits. */
export type SmsFormat = 1 | 2 | 3

export type SmsText =
  | ({ outcome: 'fits'; text: string } & SmsTextSize)
  | { outcome: 'failed'; type: 'sms-length' | 'sms-alphabet'; message: string }

const MAX_SEGMENTS = 8

/**
 * Adds the required STOP mention if the text does not contain it (ignoring case, blanks collapsed), encodes the text in the alphabet of
 * `format`, and counts its segments. More than 8 segments, or a required character that GSM-7 cannot represent, is a failure.
 */
export function fitSms(text: string, format: SmsFormat, mention: string | null): SmsText {
  const completeText = appendMention(text, mention)
  const encodedText = format === 1 ? toGsm7(completeText) : { text: completeText, unknown: undefined }
  if (encodedText.unknown !== undefined) {
    const message = `The text contains "${encodedText.unknown}", which GSM-7 cannot encode. Remove it, or use another smsFormat.`
    return { outcome: 'failed', type: 'sms-alphabet', message }
  }
  const count = measureSmsText(encodedText.text, format === 2 ? 'ucs2' : undefined)
  if (count.segments <= MAX_SEGMENTS) return { outcome: 'fits', text: encodedText.text, ...count }
  const message = `The text takes ${count.segments} segments; at most ${MAX_SEGMENTS} are allowed. Shorten it.`
  return { outcome: 'failed', type: 'sms-length', message }
}

/** The text in characters of GSM-7; `unknown` is the first that has no look-alike. */
function toGsm7(text: string): { text: string; unknown: string | undefined } {
  let gsmText = ''
  for (const character of text.normalize('NFC')) {
    const lookAlike = findGsmLookAlike(character)
    if (lookAlike === undefined) return { text: gsmText, unknown: character }
    gsmText += lookAlike
  }
  return { text: gsmText, unknown: undefined }
}

function appendMention(text: string, mention: string | null): string {
  if (mention === null || collapseBlanks(text).includes(collapseBlanks(mention))) return text
  return `${text} ${mention}`
}

function collapseBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
