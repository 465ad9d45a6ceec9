import { type ConsoleLocale, useLocale } from './locale.ts'
import { formatShare } from './share.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Instant = string | number | Date

export interface LocaleFormat {
  /** 12,431 */
  number(value: number): string
  /** +1.2: a difference. */
  signed(value: number): string
  /** 12.4k: for cards and axes alone. */
  short(value: number): string
  /** 0.1234 as 12.3%; `digits` after the point. */
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
  /** A moment in the past: 12 minutes ago; a date from a day on. Never in the future, also when the clocks of two machines differ. */
  ago(at: Instant, now: number): string
  /** a, b and c */
  list(items: readonly string[]): string
  zone: string
}

const formatCache = new WeakMap<ConsoleLocale, LocaleFormat>()

/** Words for a time within the last day; undefined for an earlier one. */
export function formatAgo(tag: string, at: number, now: number): string | undefined {
  const relativeFormat = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const ageMs = Math.max(now - at, 0)
  if (ageMs < MINUTE_MS) return relativeFormat.format(0, 'second')
  if (ageMs < HOUR_MS) return relativeFormat.format(-Math.trunc(ageMs / MINUTE_MS), 'minute')
  if (ageMs < DAY_MS) return relativeFormat.format(-Math.trunc(ageMs / HOUR_MS), 'hour')
  return undefined
}

function formatBytes(tag: string, value: number): string {
  const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const unitIndex = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), byteUnits.length - 1)
  const unitStyle = {
    style: 'unit',
    unit: byteUnits[unitIndex],
    // The short name of a byte has no plural.
    unitDisplay: unitIndex === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(tag, unitStyle).format(value / 1000 ** unitIndex)
}

function createFormat(locale: ConsoleLocale): LocaleFormat {
  const { tag, zone: timeZone } = locale
  const numberFormat = new Intl.NumberFormat(tag)
  const signedFormat = new Intl.NumberFormat(tag, { signDisplay: 'exceptZero' })
  const compactFormat = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone })
  const dateTimeFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const fullFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'medium', timeZone })
  const timeFormat = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone })
  const dayFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' })
  const instantFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const listFormat = new Intl.ListFormat(tag)
  return {
    number: (value) => numberFormat.format(value),
    signed: (value) => signedFormat.format(value),
    short: (value) => compactFormat.format(value),
    percent: (share, digits = 1) => formatShare(tag, share, digits),
    bytes: (value) => formatBytes(tag, value),
    date: (at) => dateFormat.format(new Date(at)),
    dateTime: (at) => dateTimeFormat.format(new Date(at)),
    time: (at) => timeFormat.format(new Date(at)),
    calendarDate: (at) => (at.includes('T00:00:00.000') ? dayFormat : instantFormat).format(new Date(at)),
    exact: (at) => `${fullFormat.format(new Date(at))} ${timeZone}`,
    ago: (at, now) => formatAgo(tag, new Date(at).getTime(), now) ?? dateFormat.format(new Date(at)),
    list: (items) => listFormat.format(items),
    zone: timeZone,
  }
}

/** Numbers and times as the person's locale and the account's zone write them. */
export function useLocaleFormat(): LocaleFormat {
  const locale = useLocale()
  const localeFormat = formatCache.get(locale) ?? createFormat(locale)
  formatCache.set(locale, localeFormat)
  return localeFormat
}
