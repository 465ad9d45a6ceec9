import { alpha3CountryCodes, toAlpha2CountryCode } from '../../../../src/features/contacts/values/countries.ts'
import type { FieldChoice } from '../../../components/form/fields.tsx'
import { useLocale } from '../../../text/locale.ts'

/** Countries that numbers may be of, by their names in the person's language. */
export function useCountries(): FieldChoice[] {
  const { tag } = useLocale()
  const regionNames = new Intl.DisplayNames(tag, { type: 'region' })
  const formatLabel = (code: string): string => {
    const regionCode = toAlpha2CountryCode(code)
    return (regionCode && regionNames.of(regionCode)) ?? code
  }
  return alpha3CountryCodes
    .map((value) => ({ value, label: formatLabel(value) }))
    .sort((leftCountry, rightCountry) => leftCountry.label.localeCompare(rightCountry.label, tag))
}
