import { countGsmSeptets, findGsmLookAlike } from '../../../../src/lib/text/gsm.ts'
import { measureSmsText, type SmsTextSize } from '../../../../src/lib/text/sms.ts'

/** A letter that GSM-7 has not: where it stands, and what would stand for it; undefined: nothing does. */
export interface NonGsmLetter {
  letter: string
  line: number
  column: number
  lookAlike: string | undefined
}

/** Tags of Liquid, whose own letters are not sent. */
const TAGS = /\{\{(?:(?!\{\{)[\s\S])*?\}\}|\{%(?:(?!\{%)[\s\S])*?%\}/g

/** The text with its tags blanked, so that places stay what they are. */
const withoutTags = (text: string): string => text.replace(TAGS, (tag) => tag.replaceAll(/[^\n]/gu, ' '))

/** The letters of a text that GSM-7 has not, in their order; those of tags are none of it. */
export function findNonGsmLetters(text: string): NonGsmLetter[] {
  return withoutTags(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.normalize('NFC')].flatMap((letter, column) =>
        countGsmSeptets(letter) === undefined
          ? [{ letter, line: index + 1, column: column + 1, lookAlike: findGsmLookAlike(letter) }]
          : [],
      ),
    )
}

/** The text with a look-alike for each letter that GSM-7 has not, where there is one; tags stay as they are. */
export function replaceNonGsmLetters(text: string): string {
  const tags = text.match(TAGS) ?? []
  return text
    .split(TAGS)
    .map((part) => [...part.normalize('NFC')].map((letter) => findGsmLookAlike(letter) ?? letter).join(''))
    .flatMap((part, index) => [part, tags[index] ?? ''])
    .join('')
}

/** What a text takes as it stands, and what it would take with look-alikes. */
export function estimateSmsCost(text: string): { now: SmsTextSize; plain: SmsTextSize } {
  return { now: measureSmsText(text), plain: measureSmsText(replaceNonGsmLetters(text)) }
}

const SINGLE = { gsm7: 160, ucs2: 70 } as const
const PART = { gsm7: 153, ucs2: 67 } as const

/** Units that the segments of a text have room for. */
export const smsSegmentCapacity = ({ encoding, segments }: SmsTextSize): number =>
  segments === 1 ? SINGLE[encoding] : segments * PART[encoding]
