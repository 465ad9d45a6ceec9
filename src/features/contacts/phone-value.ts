import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

const SEPARATORS = /[\s.\-/()\u2010-\u2015]/g
const DIALLED = /^\+?\d{6,17}$/

/** The number without separators, an international one beginning with `+`; undefined when it is no telephone number. */
function dialled(text: string): string | undefined {
  const digits = text.replace(SEPARATORS, '')
  const international = digits.startsWith('00') ? `+${digits.slice(2)}` : digits
  return DIALLED.test(digits) ? international : undefined
}

/** The first valid number (E.164) which the text is in one of the countries, tried in order; undefined when none is. */
export function validPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const number = dialled(text)
  if (number === undefined) return undefined
  for (const country of countries) {
    const parsed = parsePhoneNumberFromString(number, country)
    if (parsed?.isValid()) return parsed.number
  }
  return undefined
}

/**
 * Reads a telephone number in national or international form (`+`, `00`) as E.164. What has 6 to 17 digits but is
 * no valid number in these countries is kept as its digits; undefined for anything else.
 */
export function readPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const digits = dialled(text) && text.replace(/\D/g, '')
  return digits && (validPhone(text, countries) ?? digits)
}
