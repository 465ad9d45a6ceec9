import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { toAlpha2CountryCode } from '../../../features/contacts/values/countries.ts'
import type { RcsRoute } from '../../../features/events/record/record.ts'

/** E.164 of what one can dial; undefined for what no country can have. */
function possible(text: string, country?: ReturnType<typeof toAlpha2CountryCode>): string | undefined {
  const parsed = parsePhoneNumberFromString(text, country)
  return parsed?.isPossible() ? parsed.number : undefined
}

/**
 * Reads a number as contacts keep it, as E.164: with a plus sign, or digits alone where it is in no numbering plan. Digits
 * are in international form, else in the national one of a country (ISO 3166-1 alpha-3). Undefined for one that no country can
 * have. Numbers of ranges that are not given out are taken: the network knows which phones it reaches.
 */
export function parseRcsPhone(text: string, country?: string): string | undefined {
  if (text.startsWith('+')) return possible(text)
  if (!/^\d+$/.test(text)) return undefined
  // Nothing begins with 0 in international form.
  const international = text.startsWith('0') ? undefined : possible(`+${text}`)
  return international ?? (country === undefined ? undefined : possible(text, toAlpha2CountryCode(country)))
}

/** How a rich message goes to a number as contacts keep it: the phone is null when there is none to send to. */
export function resolveRcsRoute(
  text: string,
  { country, agent, profile }: { country?: string | undefined; agent: string; profile: number },
): RcsRoute {
  return { phone: parseRcsPhone(text, country) ?? null, agent, profile }
}
