import { createHash, createHmac } from 'node:crypto'
import { createDateFormatter, isCalendarDay } from '../../../features/rendering/templates/dates.ts'
import { formatUuid } from '../../../lib/ids.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { computeTimeSpanEnd, type TimeSpan, timeSpanUnits } from '../../../lib/time/spans.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'

/** A mistake of the author, with a message for him. */
export class NativeFunctionError extends Error {}

const ALGORITHMS = ['sha256', 'sha512', 'md5']
const dateFormatter = createDateFormatter('en')

function requireAlgorithm(name: string): string {
  if (ALGORITHMS.includes(name)) return name
  throw new NativeFunctionError(`The algorithm must be one of ${ALGORITHMS.join(', ')}.`)
}

/** A date of a script with its instant, and with the zone to compute it in: UTC for a day without a time, which is that day in every zone. */
function parseScriptDate(text: string, zoneText: string) {
  const dateValue: unknown = JSON.parse(text)
  const instant = parseInstant(dateValue)
  if (instant === undefined)
    throw new NativeFunctionError('The date must be an ISO 8601 text, a Date or milliseconds since 1970.')
  const zone = requireTimeZone(zoneText)
  return { instant, zone: isCalendarDay(dateValue) ? 'UTC' : zone }
}

function requireTimeZone(text: string): string {
  const zone = parseTimeZone(text)
  if (zone === undefined)
    throw new NativeFunctionError('The zone must be a name of the IANA database, such as Europe/Paris.')
  return zone
}

function formatDate(date: string, pattern: string, zoneText: string): string {
  const { instant, zone } = parseScriptDate(date, zoneText)
  return String(dateFormatter.format(instant, pattern.slice(0, 1000), { zone, now: Date.now() }))
}

function addPeriod(date: string, periodText: string, zoneText: string): string {
  const period: unknown = JSON.parse(periodText)
  const {
    value,
    unit,
    type = 'rolling',
  } = (typeof period === 'object' && period !== null ? period : {}) as Partial<TimeSpan>
  const isSpan =
    Number.isInteger(value) &&
    timeSpanUnits.some((knownUnit) => knownUnit === unit) &&
    ['rolling', 'calendar'].includes(type)
  if (!isSpan)
    throw new NativeFunctionError(
      `The period must be like {"unit": "DAY", "value": 1}; units are ${timeSpanUnits.join(', ')}.`,
    )
  try {
    const { instant, zone } = parseScriptDate(date, zoneText)
    return new Date(computeTimeSpanEnd({ type, unit: unit!, value: value! }, instant, zone)).toISOString()
  } catch (error) {
    if (error instanceof RangeError) throw new NativeFunctionError('There is no such date.')
    throw error
  }
}

/** Pure functions of scripts, on texts. They throw NativeFunctionError for arguments that are none. */
export const nativeFunctions: Record<string, (first: string, second: string, third: string) => string> = {
  hash: (algorithm, text) => createHash(requireAlgorithm(algorithm)).update(text).digest('hex'),
  hmac: (algorithm, key, text) => createHmac(requireAlgorithm(algorithm), key).update(text).digest('hex'),
  'base64.encode': (text) => Buffer.from(text).toString('base64'),
  'base64.decode': (text) => Buffer.from(text, 'base64').toString(),
  'date.format': formatDate,
  'date.add': addPeriod,
}

function hashSeed(seed: string, label: string): Buffer {
  return createHash('sha256').update(`${seed}\0${label}`).digest()
}

/** Four numbers that start what is random in a run. */
export function createRandomSeed(seed: string): number[] {
  const bytes = hashSeed(seed, 'random')
  return [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at))
}

/** The n-th UUID (version 4) of a run: the same whenever the run is repeated. It is no secret. */
export function createSeededUuid(seed: string, number: number): string {
  const bytes = hashSeed(seed, `uuid:${number}`).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return formatUuid(bytes)
}
