import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { stripInvisibleCharacters } from '../../../lib/text/invisible.ts'
import { parseFictionalPhone } from './fictional-phones.ts'
import { parsePhoneByPlan } from './phone-plan.ts'

const SEPARATORS_PATTERN = /[\s.\-/()\u2010-\u2015]/g
const DIALLED_PATTERN = /^\+?\d{6,17}$/
/** A prefix that spreadsheets and links write before a number, and an extension that cards write behind it. */
const PREFIX_PATTERN = /^(?:['\u2019]|tel:)/i
const EXTENSION_PATTERN = /(?:;ext=|[\s,;](?:ext|x|poste|durchwahl|#)[.:]?\s?|(?<=\d)(?:ext|x|#)\.?)\d{1,6}$/i
/** Longer texts are no numbers, whatever stands around one. */
const MAX_PHONE_LENGTH = 60

/** The digits of a number, behind `+` where it is written; undefined when it is no telephone number. */
function extractDigits(text: string): string | undefined {
  if (text.length > MAX_PHONE_LENGTH) return undefined
  // Full-width digits and blanks become common ones.
  const strippedText = stripInvisibleCharacters(text)
    .normalize('NFKC')
    .trim()
    .replace(PREFIX_PATTERN, '')
    .replace(EXTENSION_PATTERN, '')
  const digits = strippedText.replace(SEPARATORS_PATTERN, '')
  return DIALLED_PATTERN.test(digits) ? digits : undefined
}

/** An international number begins with `+`. */
const toDialledNumber = (digits: string): string => (digits.startsWith('00') ? `+${digits.slice(2)}` : digits)

/** E.164 of what is dialled, if it is valid: in international form, or in a country. */
function parseValidInCountry(number: string, country?: CountryCode): string | undefined {
  const plannedNumber = parsePhoneByPlan(number, country)
  if (plannedNumber === null) return parseFictionalPhone(number, country)
  if (plannedNumber !== undefined) return plannedNumber
  const parsedNumber = parsePhoneNumberFromString(number, country)
  return parsedNumber?.isValid() ? parsedNumber.number : parseFictionalPhone(parsedNumber?.number ?? '')
}

/** E.164 of what is dialled, in the first of the countries in which it is valid. */
function findFirstValid(number: string, countries: readonly CountryCode[]): string | undefined {
  for (const country of countries) {
    const validNumber = parseValidInCountry(number, country)
    if (validNumber !== undefined) return validNumber
  }
  return undefined
}

/** The first valid number (E.164) which the text is in one of the countries, tried in order; undefined when none is. */
export function parseValidPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const digits = extractDigits(text)
  return digits === undefined ? undefined : findFirstValid(toDialledNumber(digits), countries)
}

/**
 * The number (E.164) that stored digits, with or without a plus sign, are: in their international form, else in one of the countries, tried in order.
 * Undefined when they are no valid number in any.
 */
export function normalizeStoredPhone(digits: string, countries: readonly CountryCode[]): string | undefined {
  return parseValidInCountry(`+${digits.replace(/^(?:\+|00)/, '')}`) ?? parseValidPhone(digits, countries)
}

/**
 * Reads a telephone number in national or international form (`+`, `00`) as E.164. What has 6 to 17 digits but is
 * no valid number in these countries is kept as its digits, behind `+` where it is written; undefined for anything else. Characters that nobody sees, `tel:`, an
 * apostrophe before it and an extension behind it fall away.
 */
export function parseFieldPhone(text: string, countries: readonly CountryCode[]): string | undefined {
  const digits = extractDigits(text)
  return digits === undefined ? undefined : (findFirstValid(toDialledNumber(digits), countries) ?? digits)
}
