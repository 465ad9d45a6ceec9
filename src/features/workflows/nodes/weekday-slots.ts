import { findFirstInstant, toLocalDateTime } from '../../../lib/time/spans.ts'

/** A span of a day of the week: `from` inclusive, `to` exclusive; one that ends before it begins ends on the next day. */
export interface WeekdaySlot {
  days: readonly number[]
  /** "HH:MM"; of the end also "24:00". */
  from: string
  to: string
}

const DAYS_AHEAD = 8

/** A local time of a day, "24:00" being the beginning of the next. */
function toSlotDateTime(day: Temporal.PlainDate, text: string): Temporal.PlainDateTime {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  const date = hour === 24 ? day.add({ days: 1 }) : day
  return date.toPlainDateTime({ hour: hour % 24, minute })
}

/** The last instant (milliseconds) at which clocks show a time, or the first after it where they skip it. */
function findLastInstant(local: Temporal.PlainDateTime, zone: string): number {
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'later' })
  return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : findFirstInstant(local, zone)
}

/** The spans of slots around an instant, by the clock of a zone, in milliseconds. */
function listSlotSpans(slots: readonly WeekdaySlot[], now: number, zone: string): { start: number; end: number }[] {
  const today = toLocalDateTime(now, zone).toPlainDate()
  return slots.flatMap(({ days, from, to }) =>
    Array.from({ length: DAYS_AHEAD + 1 }, (_, n) => today.add({ days: n - 1 }))
      .filter((day) => days.includes(day.dayOfWeek))
      .map((day) => {
        const spanStart = toSlotDateTime(day, from)
        const endOnSameDay = toSlotDateTime(day, to)
        const spanEnd =
          Temporal.PlainDateTime.compare(endOnSameDay, spanStart) > 0 ? endOnSameDay : endOnSameDay.add({ days: 1 })
        // In an hour that is shown twice a slot begins at its first pass and ends at its second.
        return { start: findFirstInstant(spanStart, zone), end: findLastInstant(spanEnd, zone) }
      }),
  )
}

/** Null inside a slot; else when the next begins (milliseconds). */
export function findNextSlotStart(slots: readonly WeekdaySlot[], now: number, zone: string): number | null {
  const spans = listSlotSpans(slots, now, zone).filter(({ start, end }) => start < end)
  if (spans.some(({ start, end }) => start <= now && now < end)) return null
  const starts = spans.map(({ start }) => start).filter((start) => start > now)
  return starts.length === 0 ? null : Math.min(...starts)
}
