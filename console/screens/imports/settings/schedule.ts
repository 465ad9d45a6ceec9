import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { useLocale } from '../../../text/locale.ts'
import { importSettingsTexts } from './texts.ts'
import { toUtcInstant, toZonedLocalTime } from './zoned.ts'

export const SCHEDULER_FORM_WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type SchedulerFormWeekday = (typeof SCHEDULER_FORM_WEEKDAYS)[number]

/** When an import runs by itself, as it is edited: times as the clock of the zone shows them. */
export interface SchedulerForm {
  type: 'periodic' | 'scheduled'
  enabled: boolean
  /** Null: that of the account. */
  timeZone: string | null
  /** `2026-05-01T06:00`, of one run. */
  at: string
  occurs: 'daily' | 'weekly' | 'monthly'
  weekdays: SchedulerFormWeekday[]
  monthDays: number[]
  /** So many minutes apart; null: once, at `time`. */
  minutes: number | null
  /** `06:00` */
  time: string
  /** `2026-05-01T00:00`; empty: without. */
  start: string
  end: string
  nextDate: string | null
}

export const blankSchedulerForm: SchedulerForm = {
  ...{ type: 'periodic', enabled: true, timeZone: null, at: '', occurs: 'daily', weekdays: ['Mon'], monthDays: [1] },
  ...{ minutes: null, time: '06:00', start: '', end: '', nextDate: null },
}

interface Parts {
  year: number
  month: number
  date: number
  hour?: number
  minute?: number
}

/** Members of the interface's scheduler. */
interface Stored {
  type: string
  enabled?: boolean
  timeZone?: string
  startDate?: string
  frequency?: {
    occurs: { type: SchedulerForm['occurs']; days?: (SchedulerFormWeekday | number)[] }
    periodicity: { type: string; value: { minutes?: number; hour?: number; minute?: number } }
  }
  validity?: { start?: string | Parts | null; end?: string | Parts | null } | null
  nextDate?: string | null
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A bound as the clock of the zone shows it. */
function boundOf(bound: string | Parts | null | undefined, zone: string): string {
  if (bound === null || bound === undefined) return ''
  if (typeof bound === 'string') return toZonedLocalTime(bound, zone)
  const { year, month, date, hour = 0, minute = 0 } = bound
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}T${two(hour)}:${two(minute)}`
}

/** A scheduler as it is edited; `zone`: that of the account. */
export function toSchedulerForm(given: unknown, zone: string): SchedulerForm | null {
  if (given === null || given === undefined) return null
  const { type, enabled = true, timeZone, startDate, frequency, validity, nextDate = null } = given as Stored
  const own = timeZone ?? zone
  const shared = { enabled, timeZone: timeZone ?? null, nextDate }
  if (type === 'scheduled')
    return {
      ...blankSchedulerForm,
      ...shared,
      type,
      at: startDate === undefined ? '' : toZonedLocalTime(startDate, own),
    }
  const { occurs, periodicity } = frequency ?? {}
  const { minutes, hour = 0, minute = 0 } = periodicity?.value ?? {}
  return {
    ...blankSchedulerForm,
    ...shared,
    type: 'periodic',
    occurs: occurs?.type ?? 'daily',
    ...(occurs?.type === 'weekly' && { weekdays: (occurs.days ?? []) as SchedulerFormWeekday[] }),
    ...(occurs?.type === 'monthly' && { monthDays: (occurs.days ?? []) as number[] }),
    minutes: minutes ?? null,
    time: `${two(hour)}:${two(minute)}`,
    start: boundOf(validity?.start, own),
    end: boundOf(validity?.end, own),
  }
}

function partsOf(local: string): Parts | null {
  const [year, month, date, hour = 0, minute = 0] = local.split(/[-T:]/).map(Number)
  return year && month && date ? { year, month, date, hour, minute } : null
}

/** What is sent of it; null takes it off. */
export function buildSchedulerBody(scheduler: SchedulerForm | null, zone: string): object | null {
  if (scheduler === null) return null
  const { type, enabled, timeZone, at, occurs, weekdays, monthDays, minutes, time, start, end } = scheduler
  const shared = { type, enabled, ...(timeZone !== null && { timeZone }) }
  if (type === 'scheduled') return { ...shared, startDate: at === '' ? null : toUtcInstant(at, timeZone ?? zone) }
  const days = occurs === 'weekly' ? { days: weekdays } : occurs === 'monthly' ? { days: monthDays } : {}
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const periodicity =
    minutes === null ? { type: 'once', value: { hour, minute, second: 0 } } : { type: 'every', value: { minutes } }
  const validity = { start: partsOf(start), end: partsOf(end) }
  return {
    ...shared,
    frequency: { occurs: { type: occurs, ...days }, periodicity },
    ...((validity.start ?? validity.end) && { validity }),
  }
}

/** The first Monday that dates count from, for names of days. */
const MONDAY = Date.UTC(2024, 0, 1)

/** The names of the days of a week, Monday first. */
export function useWeekdayNames(): { value: SchedulerFormWeekday; label: string }[] {
  const { tag } = useLocale()
  const format = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  return SCHEDULER_FORM_WEEKDAYS.map((value, place) => ({ value, label: format.format(MONDAY + place * 86_400_000) }))
}

/** A scheduler as one would say it to a colleague. */
export function useScheduleDescription(): (scheduler: SchedulerForm) => string {
  const t = useTranslator(importSettingsTexts)
  const format = useLocaleFormat()
  const weekdays = useWeekdayNames()
  const daysOf = ({ occurs, weekdays: chosen, monthDays }: SchedulerForm): string => {
    if (occurs === 'daily') return t('everyDay')
    if (occurs === 'monthly') return t('onDays', { days: format.list(monthDays.map(String)) })
    const names = weekdays.filter(({ value }) => chosen.includes(value)).map(({ label }) => label)
    return t('everyWeekday', { days: format.list(names) })
  }
  return (scheduler) => {
    const { type, at, minutes, time, timeZone, start, end } = scheduler
    const zone = timeZone ?? format.zone
    const moment = (local: string): string => format.calendarDate(`${local}:00.000Z`)
    if (type === 'scheduled') return at === '' ? t('noMoment') : t('onceAt', { at: moment(at), zone })
    const days = daysOf(scheduler)
    return [
      minutes === null ? t('atTime', { days, time, zone }) : t('everyMinutes', { days, count: minutes, zone }),
      ...(start === '' ? [] : [t('from', { at: moment(start) })]),
      ...(end === '' ? [] : [t('until', { at: moment(end) })]),
    ].join(', ')
  }
}
