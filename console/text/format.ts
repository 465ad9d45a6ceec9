import { type ConsoleLocale, useLocale } from './locale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From here on a relative time says less than a date. */
const RELATIVE_DAYS = 14

type Instant = string | number | Date

export interface LocaleFormat {
  /** 12,431 */
  number(value: number): string
  /** +1.2: a difference. */
  signed(value: number): string
  /** 12.4k: for cards and axes alone. */
  short(value: number): string
  /** 0.1234 as 12.3 %; `digits` after the point. */
  percent(share: number, digits?: number): string
  /** 102.4 kB */
  bytes(value: number): string
  /** 23 Nov 2026 */
  date(at: Instant): string
  /** 23 Nov 2026, 04:12 */
  dateTime(at: Instant): string
  /** 04:12 */
  time(at: Instant): string
  /** A date of a field, which is kept in UTC and belongs to no zone: 23 Nov 2026; with its time where it has one. */
  calendarDate(at: string): string
  /** Monday 23 November 2026 at 04:12:31 Europe/Paris */
  exact(at: Instant): string
  /** 12 minutes ago; a date when that is long past. */
  ago(at: Instant, now: number): string
  /** a, b and c */
  list(items: readonly string[]): string
  zone: string
}

const made = new WeakMap<ConsoleLocale, LocaleFormat>()

function relative(tag: string, at: number, now: number): string | undefined {
  const words = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const away = at - now
  const size = Math.abs(away)
  if (size < MINUTE) return words.format(0, 'second')
  if (size < HOUR) return words.format(Math.trunc(away / MINUTE), 'minute')
  if (size < DAY) return words.format(Math.trunc(away / HOUR), 'hour')
  if (size < RELATIVE_DAYS * DAY) return words.format(Math.trunc(away / DAY), 'day')
  return undefined
}

function bytesOf(tag: string, value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1)
  const style = { style: 'unit', unit: units[power], unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(tag, style).format(value / 1000 ** power)
}

function formatOf(locale: ConsoleLocale): LocaleFormat {
  const { tag, zone: timeZone } = locale
  const number = new Intl.NumberFormat(tag)
  const signed = new Intl.NumberFormat(tag, { signDisplay: 'exceptZero' })
  const short = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone })
  const dateTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'medium', timeZone })
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone })
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const list = new Intl.ListFormat(tag)
  return {
    number: (value) => number.format(value),
    signed: (value) => signed.format(value),
    short: (value) => short.format(value),
    percent: (share, digits = 1) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: digits }).format(share),
    bytes: (value) => bytesOf(tag, value),
    date: (at) => date.format(new Date(at)),
    dateTime: (at) => dateTime.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    calendarDate: (at) => (at.includes('T00:00:00.000') ? day : moment).format(new Date(at)),
    exact: (at) => `${exact.format(new Date(at))} ${timeZone}`,
    ago: (at, now) => relative(tag, new Date(at).getTime(), now) ?? date.format(new Date(at)),
    list: (items) => list.format(items),
    zone: timeZone,
  }
}

/** Numbers and times as the person's locale and the account's zone write them. */
export function useLocaleFormat(): LocaleFormat {
  const locale = useLocale()
  const found = made.get(locale) ?? formatOf(locale)
  made.set(locale, found)
  return found
}
