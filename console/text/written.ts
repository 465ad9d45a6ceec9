/** A text that depends on a number. */
export interface PluralText {
  readonly one: string
  readonly other: string
}

export type TextValues = Readonly<Record<string, string | number>>

const rules = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()

/** What `make` gives for a key, made once. */
function once<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const found = kept.get(key) ?? make()
  kept.set(key, found)
  return found
}

/** A text with its values: numbers as the locale writes them, `count` chooses the form. */
export function formatText(text: string | PluralText, values: TextValues | undefined, tag: string): string {
  const form =
    typeof text === 'string'
      ? text
      : text[
          once(rules, tag, () => new Intl.PluralRules(tag)).select(Number(values?.['count'] ?? 0)) === 'one'
            ? 'one'
            : 'other'
        ]
  if (!values) return form
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? once(numbers, tag, () => new Intl.NumberFormat(tag)).format(value) : value
  })
}
