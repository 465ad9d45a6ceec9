import { countryCodes, countryOf, readCountry } from '../../../src/features/contacts/values/countries.ts'
import { ownZone } from '../../text/locale.ts'
import type { AccountFacts } from './stored.ts'

const countryOfZone = (zone: string): string | undefined =>
  countryCodes.find((code) => new Intl.Locale(`und-${countryOf(code)}`).getTimeZones?.()?.includes(zone))

/** Where the browser is: its zone, its first language with a region, and the country of that region, or else of its zone. */
export function browserFacts(): Partial<AccountFacts> {
  const timeZone = ownZone()
  const language = new Intl.Locale(navigator.language)
  const country = readCountry(language.region ?? '') ?? countryOfZone(timeZone)
  const region = language.region ?? (country && countryOf(country))
  const culture = new Intl.Locale(language, region === undefined ? {} : { region }).baseName
  return { timeZone, culture, ...(country !== undefined && { country }) }
}
