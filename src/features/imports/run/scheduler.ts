import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { formatIsoInstant, requireInstant } from '../../../lib/time/period.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import type { ImportResponse } from '../definitions/import-schemas.ts'
import {
  findNextScheduleTick,
  ISO_WEEKDAYS,
  type IsoWeekday,
  type ScheduleOccurrence,
  type SchedulePeriodicity,
  type TimeOfDay,
} from './schedule.ts'

type Given = Record<string, unknown>

/** When an import starts by itself, as it is stored and shown; `nextDate` is kept beside it. */
export type ImportScheduler = NonNullable<ImportResponse['scheduler']>

/** What reading a scheduler takes from its import: dates without a zone are read in the account's. */
export interface ImportSchedulerContext {
  id: number
  creationDate: string
  accountZone: string
}

const TYPES = ['periodic', 'scheduled'] as const
const OCCURS = ['daily', 'weekly', 'monthly'] as const
const PERIODICITIES = ['once', 'every'] as const
const BOUND_MEMBERS = ['year', 'month', 'date', 'hour', 'minute', 'second'] as const
const LONGEST_TEXT = 1000
const DAY_MINUTES = 24 * 60

function objectAt(value: unknown, pointer: string): Given {
  if (isJsonObject(value)) return value
  throw badRequestProblem(pointer, 'must be an object')
}

/** A word of a closed list, in either case. */
function wordAt<Word extends string>(value: unknown, pointer: string, words: readonly Word[]): Word {
  const word = words.find((known) => known.toLowerCase() === String(value ?? '').toLowerCase())
  if (word === undefined) throw badRequestProblem(pointer, `must be one of ${words.join(', ')}`)
  return word
}

function integerAt(value: unknown, pointer: string, [min, max]: readonly [number, number]): number {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  throw badRequestProblem(pointer, `must be an integer from ${min} to ${max}`)
}

/** An array, or one bare value for an array of it; at least one, each once. */
function daysAt<Day>(value: unknown, pointer: string, read: (day: unknown, pointer: string) => Day): Day[] {
  const given = value === undefined || value === null ? [] : [value].flat()
  if (given.length === 0) throw badRequestProblem(pointer, 'must name at least one day')
  return [...new Set(given.map((day, place) => read(day, Array.isArray(value) ? `${pointer}/${place}` : pointer)))]
}

function readOccurs(value: unknown, pointer: string): ScheduleOccurrence {
  const { type, days } = objectAt(value, pointer)
  const kind = wordAt(type, `${pointer}/type`, OCCURS)
  if (kind === 'daily') return { type: kind }
  if (kind === 'monthly') {
    const read = daysAt(days, `${pointer}/days`, (day, at) => integerAt(day, at, [1, 31]))
    return { type: kind, days: read.sort((a, b) => a - b) }
  }
  const weekday = (day: unknown, at: string): IsoWeekday =>
    wordAt(typeof day === 'string' ? day.slice(0, 3) : day, at, ISO_WEEKDAYS)
  const read = daysAt(days, `${pointer}/days`, weekday)
  return { type: kind, days: ISO_WEEKDAYS.filter((day) => read.includes(day)) }
}

function readDayTime(value: unknown, pointer: string): TimeOfDay {
  const { hour, minute, second } = objectAt(value ?? {}, pointer)
  return {
    hour: integerAt(hour ?? 0, `${pointer}/hour`, [0, 23]),
    minute: integerAt(minute ?? 0, `${pointer}/minute`, [0, 59]),
    second: integerAt(second ?? 0, `${pointer}/second`, [0, 59]),
  }
}

function readPeriodicity(value: unknown, pointer: string): SchedulePeriodicity {
  const { type, value: of } = objectAt(value ?? { type: 'once' }, pointer)
  const kind = wordAt(type, `${pointer}/type`, PERIODICITIES)
  if (kind === 'once') return { type: kind, value: readDayTime(of, `${pointer}/value`) }
  const { minutes } = objectAt(of, `${pointer}/value`)
  return { type: kind, value: { minutes: integerAt(minutes, `${pointer}/value/minutes`, [1, DAY_MINUTES]) } }
}

/** A bound of the validity in milliseconds: a date, or the members of a time of the zone's clock. */
function readBound(value: unknown, pointer: string, zone: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) return requireInstant(value, pointer).getTime()
  const [year, month, date, hour, minute, second] = BOUND_MEMBERS.map((member) => {
    const range = {
      year: [1, 9999],
      month: [1, 12],
      date: [1, 31],
      hour: [0, 23],
      minute: [0, 59],
      second: [0, 59],
    } as const
    const isNeeded = member === 'year' || member === 'month' || member === 'date'
    return integerAt(value[member] ?? (isNeeded ? undefined : 0), `${pointer}/${member}`, range[member])
  }) as [number, number, number, number, number, number]
  try {
    const fields = { timeZone: zone, year, month, day: date, hour, minute, second }
    return Temporal.ZonedDateTime.from(fields, { overflow: 'reject' }).epochMilliseconds
  } catch {
    throw badRequestProblem(`${pointer}/date`, 'is no day of that month')
  }
}

function textAt(value: unknown, pointer: string): string | null {
  if (value === null) return null
  if (typeof value === 'string' && value.length <= LONGEST_TEXT) return value
  throw badRequestProblem(pointer, `must be a string of at most ${LONGEST_TEXT} characters`)
}

function enabledAt(value: unknown, pointer: string): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'boolean') return value
  throw badRequestProblem(pointer, 'must be true or false')
}

function zoneAt(value: unknown, pointer: string): string {
  const zone = typeof value === 'string' ? parseTimeZone(value) : undefined
  if (zone === undefined) throw badRequestProblem(pointer, 'must be an IANA zone, such as Europe/Paris')
  return zone
}

/** Which members a kind of scheduler has beside those that all have. */
function readTimes(kind: (typeof TYPES)[number], given: Given, zone: string): Given {
  const { startDate, frequency, validity } = given
  if (kind === 'scheduled') return { startDate: requireInstant(startDate, '/scheduler/startDate').toISOString() }
  const { occurs, periodicity } = objectAt(frequency, '/scheduler/frequency')
  const read = {
    occurs: readOccurs(occurs, '/scheduler/frequency/occurs'),
    periodicity: readPeriodicity(periodicity, '/scheduler/frequency/periodicity'),
  }
  if (validity === undefined || validity === null) return { frequency: read }
  const bounds = objectAt(validity, '/scheduler/validity')
  const start = readBound(bounds['start'], '/scheduler/validity/start', zone)
  const end = readBound(bounds['end'], '/scheduler/validity/end', zone)
  if (start !== undefined && end !== undefined && end < start) {
    throw badRequestProblem('/scheduler/validity/end', 'is before its start')
  }
  return { frequency: read, validity }
}

/**
 * Whether the scheduler of a request sets a time, or is null to remove one. Old answers that are sent back do neither:
 * `{"id":79}` leaves an import as it is.
 */
export function hasScheduleChange(given: Given | null): boolean {
  return (
    given === null || ['type', 'frequency', 'validity', 'startDate'].some((member) => (given[member] ?? null) !== null)
  )
}

/** Reads the scheduler of a request. Throws 400 at what cannot be read; words are read in either case. */
export function parseImportSchedulerBody(
  given: Given,
  { id, creationDate, accountZone }: ImportSchedulerContext,
): ImportScheduler {
  const kind = wordAt(given['type'], '/scheduler/type', TYPES)
  const { name, description, timeZone } = given
  const zone = timeZone === undefined || timeZone === null ? undefined : zoneAt(timeZone, '/scheduler/timeZone')
  return {
    type: kind,
    id,
    creationDate,
    ...(name !== undefined && { name: textAt(name, '/scheduler/name') }),
    ...(description !== undefined && { description: textAt(description, '/scheduler/description') }),
    enabled: enabledAt(given['enabled'], '/scheduler/enabled'),
    ...(zone !== undefined && { timeZone: zone }),
    ...readTimes(kind, given, zone ?? accountZone),
  }
}

/** The first instant later than `after` at which a stored scheduler starts its import; undefined when there is none. */
export function findNextImportStart(scheduler: ImportScheduler, accountZone: string, after: number): Date | undefined {
  const { type, enabled, timeZone, startDate, frequency, validity } = scheduler as Given
  if (enabled !== true) return undefined
  if (type === 'scheduled') {
    const start = Date.parse(String(startDate))
    return start > after ? new Date(start) : undefined
  }
  const zone = typeof timeZone === 'string' ? timeZone : accountZone
  const { start, end } = isJsonObject(validity) ? validity : {}
  const { occurs, periodicity } = frequency as { occurs: ScheduleOccurrence; periodicity: SchedulePeriodicity }
  const bounds = { start: readBound(start, '', zone), end: readBound(end, '', zone) }
  const at = findNextScheduleTick({ occurs, periodicity, ...bounds }, zone, after)
  return at === undefined || formatIsoInstant(at) === undefined ? undefined : new Date(at)
}
