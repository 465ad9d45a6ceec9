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

type SchedulerInput = Record<string, unknown>

/** Schedule by which an import starts automatically, as it is stored and shown; `nextDate` is stored separately. */
export type ImportScheduler = NonNullable<ImportResponse['scheduler']>

/** Properties of the import that parsing a scheduler requires: dates without a zone are read in the zone of the account. */
export interface ImportSchedulerContext {
  id: number
  creationDate: string
  accountZone: string
}

const SCHEDULER_TYPES = ['periodic', 'scheduled'] as const
const OCCURRENCE_TYPES = ['daily', 'weekly', 'monthly'] as const
const PERIODICITY_TYPES = ['once', 'every'] as const
const BOUND_MEMBERS = ['year', 'month', 'date', 'hour', 'minute', 'second'] as const
const MAX_TEXT_LENGTH = 1000
const MINUTES_PER_DAY = 24 * 60

function requireObject(value: unknown, pointer: string): SchedulerInput {
  if (isJsonObject(value)) return value
  throw badRequestProblem(pointer, 'must be an object')
}

/** A word of a closed list, in either case. */
function requireWord<Word extends string>(value: unknown, pointer: string, words: readonly Word[]): Word {
  const matchingWord = words.find((allowedWord) => allowedWord.toLowerCase() === String(value ?? '').toLowerCase())
  if (matchingWord === undefined) throw badRequestProblem(pointer, `must be one of ${words.join(', ')}`)
  return matchingWord
}

function requireInteger(value: unknown, pointer: string, [min, max]: readonly [number, number]): number {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  throw badRequestProblem(pointer, `must be an integer from ${min} to ${max}`)
}

/** An array, or one bare value for an array of it; at least one, each once. */
function parseDays<Day>(value: unknown, pointer: string, parseDay: (day: unknown, pointer: string) => Day): Day[] {
  const rawDays = value === undefined || value === null ? [] : [value].flat()
  if (rawDays.length === 0) throw badRequestProblem(pointer, 'must name at least one day')
  return [
    ...new Set(rawDays.map((day, place) => parseDay(day, Array.isArray(value) ? `${pointer}/${place}` : pointer))),
  ]
}

function parseOccurrence(value: unknown, pointer: string): ScheduleOccurrence {
  const { type, days } = requireObject(value, pointer)
  const kind = requireWord(type, `${pointer}/type`, OCCURRENCE_TYPES)
  if (kind === 'daily') return { type: kind }
  if (kind === 'monthly') {
    const parsedDays = parseDays(days, `${pointer}/days`, (day, at) => requireInteger(day, at, [1, 31]))
    return { type: kind, days: parsedDays.sort((a, b) => a - b) }
  }
  const parseWeekday = (day: unknown, at: string): IsoWeekday =>
    requireWord(typeof day === 'string' ? day.slice(0, 3) : day, at, ISO_WEEKDAYS)
  const read = parseDays(days, `${pointer}/days`, parseWeekday)
  return { type: kind, days: ISO_WEEKDAYS.filter((day) => read.includes(day)) }
}

function parseDayTime(value: unknown, pointer: string): TimeOfDay {
  const { hour, minute, second } = requireObject(value ?? {}, pointer)
  return {
    hour: requireInteger(hour ?? 0, `${pointer}/hour`, [0, 23]),
    minute: requireInteger(minute ?? 0, `${pointer}/minute`, [0, 59]),
    second: requireInteger(second ?? 0, `${pointer}/second`, [0, 59]),
  }
}

function parsePeriodicity(value: unknown, pointer: string): SchedulePeriodicity {
  const { type, value: periodicityValue } = requireObject(value ?? { type: 'once' }, pointer)
  const kind = requireWord(type, `${pointer}/type`, PERIODICITY_TYPES)
  if (kind === 'once') return { type: kind, value: parseDayTime(periodicityValue, `${pointer}/value`) }
  const { minutes } = requireObject(periodicityValue, `${pointer}/value`)
  return { type: kind, value: { minutes: requireInteger(minutes, `${pointer}/value/minutes`, [1, MINUTES_PER_DAY]) } }
}

/** A bound of the validity in milliseconds: a date, or the members of a time of the zone's clock. */
function parseBound(value: unknown, pointer: string, zone: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) return requireInstant(value, pointer).getTime()
  const [year, month, date, hour, minute, second] = BOUND_MEMBERS.map((member) => {
    const memberRange = {
      year: [1, 9999],
      month: [1, 12],
      date: [1, 31],
      hour: [0, 23],
      minute: [0, 59],
      second: [0, 59],
    } as const
    const isRequired = member === 'year' || member === 'month' || member === 'date'
    return requireInteger(value[member] ?? (isRequired ? undefined : 0), `${pointer}/${member}`, memberRange[member])
  }) as [number, number, number, number, number, number]
  try {
    const fields = { timeZone: zone, year, month, day: date, hour, minute, second }
    return Temporal.ZonedDateTime.from(fields, { overflow: 'reject' }).epochMilliseconds
  } catch {
    throw badRequestProblem(`${pointer}/date`, 'is not a day of that month')
  }
}

function parseOptionalText(value: unknown, pointer: string): string | null {
  if (value === null) return null
  if (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH) return value
  throw badRequestProblem(pointer, `must be a string of at most ${MAX_TEXT_LENGTH} characters`)
}

function parseEnabled(value: unknown, pointer: string): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'boolean') return value
  throw badRequestProblem(pointer, 'must be true or false')
}

function requireTimeZone(value: unknown, pointer: string): string {
  const parsedZone = typeof value === 'string' ? parseTimeZone(value) : undefined
  if (parsedZone === undefined) throw badRequestProblem(pointer, 'must be an IANA time zone such as Europe/Paris')
  return parsedZone
}

/** Parses the members that a type of scheduler has in addition to those that all types have. */
function parseTimes(
  kind: (typeof SCHEDULER_TYPES)[number],
  schedulerInput: SchedulerInput,
  zone: string,
): SchedulerInput {
  const { startDate, frequency, validity } = schedulerInput
  if (kind === 'scheduled') return { startDate: requireInstant(startDate, '/scheduler/startDate').toISOString() }
  const { occurs, periodicity } = requireObject(frequency, '/scheduler/frequency')
  const parsedFrequency = {
    occurs: parseOccurrence(occurs, '/scheduler/frequency/occurs'),
    periodicity: parsePeriodicity(periodicity, '/scheduler/frequency/periodicity'),
  }
  if (validity === undefined || validity === null) return { frequency: parsedFrequency }
  const bounds = requireObject(validity, '/scheduler/validity')
  const start = parseBound(bounds['start'], '/scheduler/validity/start', zone)
  const end = parseBound(bounds['end'], '/scheduler/validity/end', zone)
  if (start !== undefined && end !== undefined && end < start) {
    throw badRequestProblem('/scheduler/validity/end', 'must not be before start')
  }
  return { frequency: parsedFrequency, validity }
}

/**
 * True if the scheduler of a request sets a time, or is null to remove one. Old responses that are sent back do neither: `{"id":79}`
 * leaves an import as it is.
 */
export function hasScheduleChange(schedulerInput: SchedulerInput | null): boolean {
  return (
    schedulerInput === null ||
    ['type', 'frequency', 'validity', 'startDate'].some((member) => (schedulerInput[member] ?? null) !== null)
  )
}

/** Reads the scheduler of a request. Throws 400 at what cannot be read; words are read in either case. */
export function parseImportSchedulerBody(
  schedulerInput: SchedulerInput,
  { id, creationDate, accountZone }: ImportSchedulerContext,
): ImportScheduler {
  const kind = requireWord(schedulerInput['type'], '/scheduler/type', SCHEDULER_TYPES)
  const { name, description, timeZone } = schedulerInput
  const schedulerZone =
    timeZone === undefined || timeZone === null ? undefined : requireTimeZone(timeZone, '/scheduler/timeZone')
  return {
    type: kind,
    id,
    creationDate,
    ...(name !== undefined && { name: parseOptionalText(name, '/scheduler/name') }),
    ...(description !== undefined && { description: parseOptionalText(description, '/scheduler/description') }),
    enabled: parseEnabled(schedulerInput['enabled'], '/scheduler/enabled'),
    ...(schedulerZone !== undefined && { timeZone: schedulerZone }),
    ...parseTimes(kind, schedulerInput, schedulerZone ?? accountZone),
  }
}

/** The first instant later than `after` at which a stored scheduler starts its import; `undefined` if it does not start again. */
export function findNextImportStart(scheduler: ImportScheduler, accountZone: string, after: number): Date | undefined {
  const { type, enabled, timeZone, startDate, frequency, validity } = scheduler as SchedulerInput
  if (enabled !== true) return undefined
  if (type === 'scheduled') {
    const start = Date.parse(String(startDate))
    return start > after ? new Date(start) : undefined
  }
  const schedulerZone = typeof timeZone === 'string' ? timeZone : accountZone
  const { start, end } = isJsonObject(validity) ? validity : {}
  const { occurs, periodicity } = frequency as { occurs: ScheduleOccurrence; periodicity: SchedulePeriodicity }
  const bounds = { start: parseBound(start, '', schedulerZone), end: parseBound(end, '', schedulerZone) }
  const nextStart = findNextScheduleTick({ occurs, periodicity, ...bounds }, schedulerZone, after)
  return nextStart === undefined || formatIsoInstant(nextStart) === undefined ? undefined : new Date(nextStart)
}
