import { parseInstant } from '../../../lib/time/period.ts'
import type { RcsTextRule } from './leaves.ts'

const TEXT_FORMS: Record<NonNullable<RcsTextRule['form']>, { fits(text: string): boolean; words: string }> = {
  https: { fits: (text) => /^https:\/\//i.test(text) && URL.canParse(text), words: 'must be an https address' },
  web: { fits: (text) => /^https?:\/\//i.test(text) && URL.canParse(text), words: 'must be an http or https address' },
  phone: { fits: (text) => /^\+[1-9]\d{4,14}$/.test(text), words: 'must be an E.164 number such as +33639980078' },
  date: {
    fits: (text) => parseInstant(text) !== undefined,
    words: 'must be an ISO 8601 date or a Unix time in milliseconds',
  },
}

/** Finds the fault of a string as it is sent; `undefined` if it is valid. */
export function findRcsTextFault(
  text: string,
  { isRequired, limit = Number.POSITIVE_INFINITY, form }: RcsTextRule,
): string | undefined {
  if (text.trim() === '') return isRequired ? 'must not be empty' : undefined
  // A character has one or two units: most texts need not be counted.
  const length = text.length > limit ? [...text].length : 0
  if (length > limit) return `must have at most ${limit} characters, not ${length}`
  return form === undefined || TEXT_FORMS[form].fits(text) ? undefined : TEXT_FORMS[form].words
}
