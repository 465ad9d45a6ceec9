import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { toAlpha2CountryCode } from '../contacts/values/countries.ts'

/**
 * E.164 of a number in international form (`+`, `00`) or in the national one of a country (ISO 3166-1 alpha-3); undefined
 * for what cannot be one. It need not be in a numbering plan: those of the far side are newer than any here.
 */
export function parsePossiblePhone(text: string, country: string): string | undefined {
  const dialedNumber = text.trim().replace(/^00/, '+')
  if (!/^\+?[\d\s.()/-]+$/.test(dialedNumber)) return undefined
  const parsedNumber = parsePhoneNumberFromString(dialedNumber, toAlpha2CountryCode(country))
  return parsedNumber?.isPossible() ? parsedNumber.number : undefined
}
