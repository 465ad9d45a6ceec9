import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { useLocale } from '../../../text/locale.ts'
import { importSettingsTexts } from './texts.ts'
import { toUtcInstant, toZonedLocalTime } from './zoned.ts'

export const SCHEDULER_FORM_WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type SchedulerFormWeekday = (typeof SCHEDULER_FORM_WEEKDAYS)[number]

/** Schedule of an import as edited: times are local to its time zone. */
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
  type: 'periodic',
  enabled: true,
  timeZone: null,
  at: '',
  occurs: 'daily',
  weekdays: ['Mon'],
  monthDays: [1],
  minutes: null,
  time: '06:00',
  start: '',
  end: '',
  nextDate: null,
}

interface DateTimeParts {
  year: number
  month: number
  date: number
  hour?: number
  minute?: number
}

/** Members of the interface's scheduler. */
interface StoredScheduler {
  type: string
  enabled?: boolean
  timeZone?: string
  startDate?: string
  frequency?: {
    occurs: { type: SchedulerForm['occurs']; days?: (SchedulerFormWeekday | number)[] }
    periodicity: { type: string; value: { minutes?: number; hour?: number; minute?: number } }
  }
  validity?: { start?: string | DateTimeParts | null; end?: string | DateTimeParts | null } | null
  nextDate?: string | null
}

const padTwoDigits = (value: number): string => String(value).padStart(2, '0')

/** A bound as the clock of the zone shows it. */
function toLocalBound(bound: string | DateTimeParts | null | undefined, zone: string): string {
  if (bound === null || bound === undefined) return ''
  if (typeof bound === 'string') return toZonedLocalTime(bound, zone)
  const { year, month, date, hour = 0, minute = 0 } = bound
  return `${String(year).padStart(4, '0')}-${padTwoDigits(month)}-${padTwoDigits(date)}T${padTwoDigits(hour)}:${padTwoDigits(minute)}`
}

/** A scheduler as it is edited; `zone`: that of the account. */
export function toSchedulerForm(rawScheduler: unknown, zone: string): SchedulerForm | null {
  if (rawScheduler === null || rawScheduler === undefined) return null
  const {
    type,
    enabled = true,
    timeZone,
    startDate,
    frequency,
    validity,
    nextDate = null,
  } = rawScheduler as StoredScheduler
  const effectiveZone = timeZone ?? zone
  const sharedMembers = { enabled, timeZone: timeZone ?? null, nextDate }
  if (type === 'scheduled')
    return {
      ...blankSchedulerForm,
      ...sharedMembers,
      type,
      at: startDate === undefined ? '' : toZonedLocalTime(startDate, effectiveZone),
    }
  const { occurs, periodicity } = frequency ?? {}
  const { minutes, hour = 0, minute = 0 } = periodicity?.value ?? {}
  return {
    ...blankSchedulerForm,
    ...sharedMembers,
    type: 'periodic',
    occurs: occurs?.type ?? 'daily',
    ...(occurs?.type === 'weekly' && { weekdays: (occurs.days ?? []) as SchedulerFormWeekday[] }),
    ...(occurs?.type === 'monthly' && { monthDays: (occurs.days ?? []) as number[] }),
    minutes: minutes ?? null,
    time: `${padTwoDigits(hour)}:${padTwoDigits(minute)}`,
    start: toLocalBound(validity?.start, effectiveZone),
    end: toLocalBound(validity?.end, effectiveZone),
  }
}

function parseLocalParts(local: string): DateTimeParts | null {
  const [year, month, date, hour = 0, minute = 0] = local.split(/[-T:]/).map(Number)
  return year && month && date ? { year, month, date, hour, minute } : null
}

/** Request body of the schedule; null removes it. */
export function buildSchedulerBody(scheduler: SchedulerForm | null, zone: string): object | null {
  if (scheduler === null) return null
  const { type, enabled, timeZone, at, occurs, weekdays, monthDays, minutes, time, start, end } = scheduler
  const sharedBody = { type, enabled, ...(timeZone !== null && { timeZone }) }
  if (type === 'scheduled') return { ...sharedBody, startDate: at === '' ? null : toUtcInstant(at, timeZone ?? zone) }
  const dayMembers = occurs === 'weekly' ? { days: weekdays } : occurs === 'monthly' ? { days: monthDays } : {}
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const periodicity =
    minutes === null ? { type: 'once', value: { hour, minute, second: 0 } } : { type: 'every', value: { minutes } }
  const validityPeriod = { start: parseLocalParts(start), end: parseLocalParts(end) }
  return {
    ...sharedBody,
    frequency: { occurs: { type: occurs, ...dayMembers }, periodicity },
    ...((validityPeriod.start ?? validityPeriod.end) && { validity: validityPeriod }),
  }
}

/** The first Monday that dates count from, for names of days. */
const FIRST_MONDAY_MS = Date.UTC(2024, 0, 1)

/** The names of the days of a week, Monday first. */
export function useWeekdayNames(): { value: SchedulerFormWeekday; label: string }[] {
  const { tag } = useLocale()
  const weekdayFormat = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  return SCHEDULER_FORM_WEEKDAYS.map((value, place) => ({
    value,
    label: weekdayFormat.format(FIRST_MONDAY_MS + place * 86_400_000),
  }))
}

/** A scheduler as one would say it to a colleague. */
export function useScheduleDescription(): (scheduler: SchedulerForm) => string {
  const t = useTranslator(importSettingsTexts)
  const format = useLocaleFormat()
  const weekdayNames = useWeekdayNames()
  const describeDays = ({ occurs, weekdays: chosenWeekdays, monthDays }: SchedulerForm): string => {
    if (occurs === 'daily') return t('everyDay')
    if (occurs === 'monthly') return t('onDays', { days: format.list(monthDays.map(String)) })
    const dayNames = weekdayNames.filter(({ value }) => chosenWeekdays.includes(value)).map(({ label }) => label)
    return t('everyWeekday', { days: format.list(dayNames) })
  }
  return (scheduler) => {
    const { type, at, minutes, time, timeZone, start, end } = scheduler
    const displayZone = timeZone ?? format.zone
    const formatMoment = (local: string): string => format.calendarDate(`${local}:00.000Z`)
    if (type === 'scheduled')
      return at === '' ? t('noMoment') : t('onceAt', { at: formatMoment(at), zone: displayZone })
    const dayDescription = describeDays(scheduler)
    return [
      minutes === null
        ? t('atTime', { days: dayDescription, time, zone: displayZone })
        : t('everyMinutes', { days: dayDescription, count: minutes, zone: displayZone }),
      ...(start === '' ? [] : [t('from', { at: formatMoment(start) })]),
      ...(end === '' ? [] : [t('until', { at: formatMoment(end) })]),
    ].join(', ')
  }
}
