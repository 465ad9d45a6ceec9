/** A time zone in the spelling of the IANA database; undefined when it is none. Offsets are none. */
export function readZone(text: string): string | undefined {
  if (/^[+-]/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
