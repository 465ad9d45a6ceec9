import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { readByPlan } from './phone-plan.ts'

const SEPARATORS = /[\s.\-/()\u2010-\u2015]/g
const DIALLED = /^\+?\d{6,17}$/

/** The number without separators, an international one beginning with `+`; undefined when it is no telephone number. */
function dialled(text: string): string | undefined {
  const digits = text.replace(SEPARATORS, '')
  const international = digits.startsWith('00') ? `+${digits.slice(2)}` : digits
  return DIALLED.test(digits) ? international : undefined
}

/** E.164 of what is dialled, if it is valid in a country. */
function validIn(number: string, country: CountryCode): string | undefined {
  const read = readByPlan(number, country)
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
export function validPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const number = dialled(text)
  return number === undefined ? undefined : firstValid(number, countries)
}

/**
 * The number (E.164) that stored digits are: in their international form, else in one of the countries, tried in order.
 * Undefined when they are no valid number in any.
 */
export function normalizedPhone(digits: string, countries: readonly CountryCode[]): string | undefined {
  const international = parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)
  return international?.isValid() ? international.number : validPhone(digits, countries)
}

/**
 * Reads a telephone number in national or international form (`+`, `00`) as E.164. What has 6 to 17 digits but is
 * no valid number in these countries is kept as its digits; undefined for anything else.
 */
export function readPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const number = dialled(text)
  return number === undefined ? undefined : (firstValid(number, countries) ?? text.replace(/\D/g, ''))
}
