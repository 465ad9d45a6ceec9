import { countGsmSeptets, findGsmLookAlike } from '../../../../src/lib/text/gsm.ts'
import { measureSmsText, type SmsTextSize } from '../../../../src/lib/text/sms.ts'

/** A character outside GSM-7: its position and its substitute; `undefined` if there is none. */
export interface NonGsmLetter {
  letter: string
  line: number
  column: number
  lookAlike: string | undefined
}

/** Tags of Liquid, whose own letters are not sent. */
const LIQUID_TAGS = /\{\{(?:(?!\{\{)[\s\S])*?\}\}|\{%(?:(?!\{%)[\s\S])*?%\}/g

/** The text with its tags blanked, so that places stay what they are. */
const blankTags = (text: string): string => text.replace(LIQUID_TAGS, (tag) => tag.replaceAll(/[^\n]/gu, ' '))

/** Characters of a text outside GSM-7, in order; those of Liquid tags are excluded. */
export function findNonGsmLetters(text: string): NonGsmLetter[] {
  return blankTags(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.normalize('NFC')].flatMap((letter, column) =>
        countGsmSeptets(letter) === undefined
          ? [{ letter, line: index + 1, column: column + 1, lookAlike: findGsmLookAlike(letter) }]
          : [],
      ),
    )
}

/** The text with each character outside GSM-7 replaced by its substitute, if there is one; Liquid tags remain unchanged. */
export function replaceNonGsmLetters(text: string): string {
  const liquidTags = text.match(LIQUID_TAGS) ?? []
  return text
    .split(LIQUID_TAGS)
    .map((part) => [...part.normalize('NFC')].map((letter) => findGsmLookAlike(letter) ?? letter).join(''))
    .flatMap((part, index) => [part, liquidTags[index] ?? ''])
    .join('')
}

/** Size of a text as written, and its size with substitutes. */
export function estimateSmsCost(text: string): { now: SmsTextSize; plain: SmsTextSize } {
  return { now: measureSmsText(text), plain: measureSmsText(replaceNonGsmLetters(text)) }
}

const SINGLE_SMS_LENGTH = { gsm7: 160, ucs2: 70 } as const
const SMS_PART_LENGTH = { gsm7: 153, ucs2: 67 } as const

/** Units that the segments of a text have room for. */
export const smsSegmentCapacity = ({ encoding, segments }: SmsTextSize): number =>
  segments === 1 ? SINGLE_SMS_LENGTH[encoding] : segments * SMS_PART_LENGTH[encoding]
