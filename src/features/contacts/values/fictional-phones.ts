import type { CountryCode } from 'libphonenumber-js/max'

/** Mobile numbers that France reserves for fiction; no numbering plan has them, but examples and tests need numbers of nobody. */
const FICTIONAL_PATTERN = /^(?:\+33|(0))(63998\d{4})$/

/** E.164 of a number that is reserved for fiction, in international form or as dialled in France; undefined for any other. */
export function parseFictionalPhone(number: string, country?: CountryCode): string | undefined {
  const [, nationalPrefix, nationalNumber] = FICTIONAL_PATTERN.exec(number) ?? []
  if (nationalNumber === undefined || (nationalPrefix !== undefined && country !== 'FR')) return undefined
  return `+33${nationalNumber}`
}
