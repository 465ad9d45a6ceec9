import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { toAlpha2CountryCode } from '../../../features/contacts/values/countries.ts'
import type { RcsRoute } from '../../../features/events/record/record.ts'

/** E.164 of what one can dial; undefined for what no country can have. */
function parsePossibleNumber(text: string, country?: ReturnType<typeof toAlpha2CountryCode>): string | undefined {
  const phoneNumber = parsePhoneNumberFromString(text, country)
  return phoneNumber?.isPossible() ? phoneNumber.number : undefined
}

/**
 * Reads a number as contacts keep it, as E.164: as E.164, or as it was given where it is in no numbering plan. Digits without
 * a plus sign are in international form, else in the national one of a country (ISO 3166-1 alpha-3). Undefined for one that no country can
 * have. Numbers of ranges that are not given out are taken: the network knows which phones it reaches.
 */
export function parseRcsPhone(text: string, country?: string): string | undefined {
  if (text.startsWith('+')) return parsePossibleNumber(text)
  if (!/^\d+$/.test(text)) return undefined
  // Nothing begins with 0 in international form.
  const international = text.startsWith('0') ? undefined : parsePossibleNumber(`+${text}`)
  return international ?? (country === undefined ? undefined : parsePossibleNumber(text, toAlpha2CountryCode(country)))
}

/** Resolves the route of a rich message to a number as stored for a contact. The phone is null if the number is not usable. */
export function resolveRcsRoute(
  text: string,
  { country, agent, profile }: { country?: string | undefined; agent: string; profile: number },
): RcsRoute {
  return { phone: parseRcsPhone(text, country) ?? null, agent, profile }
}
