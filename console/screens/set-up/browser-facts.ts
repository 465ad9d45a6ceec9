import {
  alpha3CountryCodes,
  parseCountryCode,
  toAlpha2CountryCode,
} from '../../../src/features/contacts/values/countries.ts'
import { browserTimeZone } from '../../text/locale.ts'
import type { AccountLocaleSettings } from './stored.ts'

const findZoneCountry = (zone: string): string | undefined =>
  alpha3CountryCodes.find((code) =>
    new Intl.Locale(`und-${toAlpha2CountryCode(code)}`).getTimeZones?.()?.includes(zone),
  )

/** Locale of the browser: its time zone, its first language with a region, and the country of that region, otherwise of its zone. */
export function readBrowserLocale(): Partial<AccountLocaleSettings> {
  const timeZone = browserTimeZone()
  const language = new Intl.Locale(navigator.language)
  const country = parseCountryCode(language.region ?? '') ?? findZoneCountry(timeZone)
  const region = language.region ?? (country && toAlpha2CountryCode(country))
  const culture = new Intl.Locale(language, region === undefined ? {} : { region }).baseName
  return { timeZone, culture, ...(country !== undefined && { country }) }
}
