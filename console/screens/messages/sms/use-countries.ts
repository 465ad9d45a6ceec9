import { alpha3CountryCodes, toAlpha2CountryCode } from '../../../../src/features/contacts/values/countries.ts'
import type { FieldChoice } from '../../../components/form/fields.tsx'
import { useLocale } from '../../../text/locale.ts'

/** Countries that numbers may be of, by their names in the person's language. */
export function useCountries(): FieldChoice[] {
  const { tag } = useLocale()
  const names = new Intl.DisplayNames(tag, { type: 'region' })
  const labelOf = (code: string): string => {
    const region = toAlpha2CountryCode(code)
    return (region && names.of(region)) ?? code
  }
  return alpha3CountryCodes
    .map((value) => ({ value, label: labelOf(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, tag))
}
