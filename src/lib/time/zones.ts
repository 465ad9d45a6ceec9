/** An IANA name or an offset; other texts that Temporal would find a zone in, such as a whole date-time, are none. */
const ZONE_PATTERN = /^(?:[a-z][\w+-]*(?:\/[\w+-]+)*|[+-]\d{2}:\d{2})$/i

/** The zone that a text names, as Temporal spells it; undefined for none. */
function findTimeZone(text: string): string | undefined {
  if (!ZONE_PATTERN.test(text)) return undefined
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
export const parseTimeZone = (text: string): string | undefined => (/^[+-]/.test(text) ? undefined : findTimeZone(text))

/** Returns true if a text names a zone that clocks use: an IANA name, or an offset such as +02:00. */
export const isTimeZoneOrOffset = (text: string): boolean => findTimeZone(text) !== undefined

/**
 * The names of a zone, in the order to try them in a database: its own, and the one of Intl. Names without a slash, such as CET, come
 * last, because PostgreSQL takes them for fixed offsets.
 */
export function listTimeZoneNames(zone: string): string[] {
  if (parseTimeZone(zone) === undefined) return [zone]
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return [...new Set(zone.includes('/') ? [zone, timeZone] : [timeZone, zone])]
}

/** The ISO date and the hour in a zone; in UTC if the name is not a zone. */
export function readWallClock(now: number, zone: string): { date: string; hour: number } {
  const localDateTime = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(parseTimeZone(zone) ?? 'UTC')
  return { date: localDateTime.toPlainDate().toString(), hour: localDateTime.hour }
}
