/** A time zone in the spelling of the IANA database; undefined when it is none. Offsets are none. */
export function readZone(text: string): string | undefined {
  if (/^[+-]/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** An IANA name or an offset; other texts that Temporal would find a zone in, such as a whole date-time, are none. */
const CLOCK = /^(?:[a-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d{2}:\d{2})$/i

/** Whether a text names a zone that clocks go by: an IANA name, or an offset such as +02:00. */
export function isClock(text: string): boolean {
  if (!CLOCK.test(text)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text)
    return true
  } catch {
    return false
  }
}
