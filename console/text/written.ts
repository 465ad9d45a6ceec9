/** A text that depends on a number. */
export interface PluralText {
  readonly one: string
  readonly other: string
}

export type TextValues = Readonly<Record<string, string | number>>

const pluralRules = new Map<string, Intl.PluralRules>()
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Returns the value of `make` for a key, created once. */
function getOrCreate<T>(cachedValues: Map<string, T>, key: string, make: () => T): T {
  const cachedValue = cachedValues.get(key) ?? make()
  cachedValues.set(key, cachedValue)
  return cachedValue
}

/** A text with its values: numbers as the locale writes them, `count` chooses the form. */
export function formatText(text: string | PluralText, values: TextValues | undefined, tag: string): string {
  const form =
    typeof text === 'string'
      ? text
      : text[
          getOrCreate(pluralRules, tag, () => new Intl.PluralRules(tag)).select(Number(values?.['count'] ?? 0)) ===
          'one'
            ? 'one'
            : 'other'
        ]
  if (!values) return form
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number'
      ? getOrCreate(numberFormats, tag, () => new Intl.NumberFormat(tag)).format(value)
      : value
  })
}
