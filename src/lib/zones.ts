/** An IANA name or an offset; other texts that Temporal would find a zone in, such as a whole date-time, are none. */
const CLOCK = /^(?:[a-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d{2}:\d{2})$/i

/** The zone that a text names, as Temporal spells it; undefined for none. */
function clockOf(text: string): string | undefined {
  if (!CLOCK.test(text)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId
  } catch {
    return undefined
  }
}

/**
 * A time zone in the spelling of the IANA database; undefined for any other text, also an offset. The name stays the one that was given:
 * Europe/Kyiv is not called Europe/Kiev, which not every database knows.
 */
export const readZone = (text: string): string | undefined => (/^[+-]/.test(text) ? undefined : clockOf(text))

/** Whether a text names a zone that clocks go by: an IANA name, or an offset such as +02:00. */
export const isClock = (text: string): boolean => clockOf(text) !== undefined

/**
 * The names of a zone, the first the best to ask a database for: its own, and the one that Intl calls it by. Words without a slash, such
 * as CET, come last: PostgreSQL takes them for offsets that never change.
 */
export function zoneNames(zone: string): string[] {
  if (readZone(zone) === undefined) return [zone]
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return [...new Set(zone.includes('/') ? [zone, timeZone] : [timeZone, zone])]
}

/** The date (ISO) and the hour that clocks of a zone show; of a name that is no zone, those of UTC. */
export function wallClock(now: number, zone: string): { date: string; hour: number } {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(readZone(zone) ?? 'UTC')
  return { date: local.toPlainDate().toString(), hour: local.hour }
}
