/** The JSON of a text; undefined: it is none. `empty`: what an empty text is. */
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

/** Whether a text waits to become JSON. */
export const isInvalidJson = (typed: string | null): boolean => typed !== null && !parseJsonText(typed, null)
