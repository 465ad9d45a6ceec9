import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * Reads a number in international form, as E.164; undefined for one that no country can have. Numbers of ranges that are
 * not given out are taken: the network knows which phones it reaches.
 */
export function readPhone(text: string): string | undefined {
  if (!text.startsWith('+')) return undefined
  const parsed = parsePhoneNumberFromString(text)
  return parsed?.isPossible() ? parsed.number : undefined
}
