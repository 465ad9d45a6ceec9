const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** Whether a text is a day of the calendar: 2026-03-29. */
export function isCalendarDate(text: unknown): text is string {
  return typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text))
}

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const words = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at)
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(words) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
}

/** The instant at which a day begins in a zone: 2026-03-29 in Europe/Paris is 2026-03-28T23:00:00.000Z. */
export function findDayStart(day: string, zone: string): string {
  const midnight = Date.parse(day)
  const near = midnight - offsetAt(midnight, zone)
  return new Date(midnight - offsetAt(near, zone)).toISOString()
}

/** The day after one: 2026-02-28 is followed by 2026-03-01. */
export const nextCalendarDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
