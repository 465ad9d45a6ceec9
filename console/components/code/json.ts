/** Parses a JSON text. Returns `undefined` if it is not valid JSON. `empty` is the value of an empty text. */
export function parseJsonText(text: string, empty: null | undefined): { value: unknown } | undefined {
  if (text.trim() === '') return { value: empty }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** A value as it is written; nothing is an empty text. */
export const formatJsonText = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

/** True if the typed text is not yet valid JSON. */
export const isInvalidJson = (typed: string | null): boolean => typed !== null && !parseJsonText(typed, null)
