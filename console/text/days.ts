const DAY_MS = 86_400_000
const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/

/** True if a text is a calendar date: 2026-03-29. */
export function isCalendarDate(text: unknown): text is string {
  return typeof text === 'string' && DATE_PATTERN.test(text) && !Number.isNaN(Date.parse(text))
}

/** Offset of a zone from UTC at an instant, in milliseconds. */
function computeOffsetMs(at: number, timeZone: string): number {
  const offsetText = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at)
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(offsetText) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
}

/** The instant at which a day begins in a zone: 2026-03-29 in Europe/Paris is 2026-03-28T23:00:00.000Z. */
export function findDayStart(day: string, zone: string): string {
  const utcMidnight = Date.parse(day)
  const approximateStart = utcMidnight - computeOffsetMs(utcMidnight, zone)
  return new Date(utcMidnight - computeOffsetMs(approximateStart, zone)).toISOString()
}

/** The day after one: 2026-02-28 is followed by 2026-03-01. */
export const nextCalendarDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
