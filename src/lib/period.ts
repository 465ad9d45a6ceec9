import { type Fault, invalid } from './problem.ts'

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/
const MILLISECONDS = /^-?\d{1,15}$/

function offsetMinutes(text: string | undefined): number {
  if (text === undefined || text.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)]
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/**
 * Milliseconds since 1970 of an ISO 8601 date or date-time (UTC when it has no offset) or of a Unix time in
 * milliseconds, as a number or digits; undefined when it is neither, or no day of the calendar.
 */
export function readInstant(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? Math.trunc(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (MILLISECONDS.test(text) && !/^\d{4}$/.test(text)) return Number(text)
  // A "+" of an offset that a query turned into a blank is read as "+".
  const match = ISO.exec(text.replace(/ (\d{2}:?\d{2})$/, '+$1')) ?? ISO.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const ms = Number((match[7] ?? '0').slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second + ms > 0)) return undefined
  date.setUTCHours(hour, minute - offsetMinutes(match[8]), second, ms)
  return date.getTime()
}

/** A span of time: start inclusive, end exclusive, in milliseconds; undefined leaves a side open. */
export interface Period {
  start: number | undefined
  end: number | undefined
}

/**
 * Reads the two parameters of a period, whose names are given for the errors. Throws 400 for what is no date, and
 * for an end before the start.
 */
export function readPeriod(query: Record<string, unknown>, startName = 'start', endName = 'end'): Period {
  const faults: Fault[] = []
  const read = (name: string): number | undefined => {
    const given = query[name]
    if (given === undefined || given === '') return undefined
    const instant = readInstant(given)
    if (instant === undefined)
      faults.push({ pointer: name, detail: 'must be an ISO 8601 date or a Unix time in milliseconds' })
    return instant
  }
  const period = { start: read(startName), end: read(endName) }
  if (period.start !== undefined && period.end !== undefined && period.end < period.start) {
    faults.push({ pointer: endName, detail: `is before "${startName}"` })
  }
  if (faults.length > 0) throw invalid(faults)
  return period
}
