import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { stripInvisibleCharacters } from '../../../lib/text/invisible.ts'
import { parsePhoneByPlan } from './phone-plan.ts'

const SEPARATORS = /[\s.\-/()\u2010-\u2015]/g
const DIALLED = /^\+?\d{6,17}$/
/** A prefix that spreadsheets and links write before a number, and an extension that cards write behind it. */
const BEFORE = /^(?:['\u2019]|tel:)/i
const EXTENSION = /(?:;ext=|[\s,;](?:ext|x|poste|durchwahl|#)[.:]?\s?|(?<=\d)(?:ext|x|#)\.?)\d{1,6}$/i
/** Longer texts are no numbers, whatever stands around one. */
const MAX_LENGTH = 60

/** The digits of a number, behind `+` where it is written; undefined when it is no telephone number. */
function digitsOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  // Full-width digits and blanks become common ones.
  const written = stripInvisibleCharacters(text).normalize('NFKC').trim().replace(BEFORE, '').replace(EXTENSION, '')
  const digits = written.replace(SEPARATORS, '')
  return DIALLED.test(digits) ? digits : undefined
}

/** An international number begins with `+`. */
const dialled = (digits: string): string => (digits.startsWith('00') ? `+${digits.slice(2)}` : digits)

/** E.164 of what is dialled, if it is valid in a country. */
function validIn(number: string, country: CountryCode): string | undefined {
  const read = parsePhoneByPlan(number, country)
  if (read !== undefined) return read ?? undefined
  const parsed = parsePhoneNumberFromString(number, country)
  return parsed?.isValid() ? parsed.number : undefined
}

/** E.164 of what is dialled, in the first of the countries in which it is valid. */
function firstValid(number: string, countries: readonly CountryCode[]): string | undefined {
  for (const country of countries) {
    const valid = validIn(number, country)
    if (valid !== undefined) return valid
  }
  return undefined
}

/** The first valid number (E.164) which the text is in one of the countries, tried in order; undefined when none is. */
export function parseValidPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const digits = digitsOf(text)
  return digits === undefined ? undefined : firstValid(dialled(digits), countries)
}

/**
 * The number (E.164) that stored digits are: in their international form, else in one of the countries, tried in order.
 * Undefined when they are no valid number in any.
 */
export function normalizeStoredPhone(digits: string, countries: readonly CountryCode[]): string | undefined {
  const international = parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)
  return international?.isValid() ? international.number : parseValidPhone(digits, countries)
}

/**
 * Reads a telephone number in national or international form (`+`, `00`) as E.164. What has 6 to 17 digits but is
 * no valid number in these countries is kept as its digits; undefined for anything else. Characters that nobody sees, `tel:`, an
 * apostrophe before it and an extension behind it fall away.
 */
export function parseFieldPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const digits = digitsOf(text)
  return digits === undefined ? undefined : (firstValid(dialled(digits), countries) ?? digits.replace('+', ''))
}
