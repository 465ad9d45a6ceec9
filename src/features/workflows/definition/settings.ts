import type { Span } from '../../../lib/time/spans.ts'
import { type Expression, expression } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { asObject, defaulted, object, optional, within } from '../../../scripting/schemas/objects.ts'
import { fault, type Place, type Read, type Shape, type Visitor } from '../../../scripting/schemas/shape.ts'
import { number, period, reference, span, word, zone } from '../../../scripting/schemas/values.ts'

const MAX_OTHERS_LENGTH = 32 * 1024
const MAX_KEY_LENGTH = 256
const MAX_DURATION_DAYS = 5 * 366
/** Days of a unit, at most. */
const DAYS: Record<Span['unit'], number> = {
  ...{ MILLISECOND: 1 / 86_400_000, SECOND: 1 / 86_400, MINUTE: 1 / 1440, HOUR: 1 / 24 },
  ...{ DAY: 1, WEEK: 7, MONTH: 30, YEAR: 366 },
}

const reentry = object(
  { mode: defaulted(word('always', 'never', 'afterExit', 'afterPeriod'), 'always'), period: optional(period) },
  ({ mode, period: given }, path, visitor) => {
    if (mode === 'afterPeriod' && given === null)
      visitor.flaw?.(flaw('missing-setting', `${path}/period`, '"period" is required with "afterPeriod".'))
  },
)

const maxDuration: Shape<Span> = {
  read(given, place) {
    const read = period.read(given, place)
    const isLong = read && read.value * (DAYS[read.unit] ?? 0) > MAX_DURATION_DAYS
    return isLong ? fault(place, 'must be at most 5 years') : read
  },
}

const accountZone = zone({ ofContact: false })
const entryKey = expression('string', { most: MAX_KEY_LENGTH })
const timeZoneField = reference<number>('field')

const shapes = {
  timeZone: accountZone,
  timeZoneField,
  entryKey,
  reentry,
  concurrency: number(1, 100),
  maxNodes: number(1, 10_000),
  maxDuration,
  onDeactivate: word('pause', 'kill'),
  migration: word('none', 'atWaits'),
  trace: word('all', 'errors', 'none'),
}

/** How the runs of a workflow begin, end and are kept. Members that are not listed are kept as they were sent. */
export interface WorkflowSettings {
  timeZone: { id: string }
  timeZoneField: number | null
  entryKey: Expression | null
  reentry: Read<typeof reentry>
  concurrency: number
  maxNodes: number
  maxDuration: Span
  onDeactivate: 'pause' | 'kill'
  migration: 'none' | 'atWaits'
  trace: 'all' | 'errors' | 'none'
  [other: string]: unknown
}

/** The settings of a new workflow, by the time zone of its account. */
export function newSettings(timeZone: string): WorkflowSettings {
  return {
    ...{ timeZone: { id: timeZone }, timeZoneField: null, entryKey: null, reentry: { mode: 'always', period: null } },
    ...{ concurrency: 1, maxNodes: 500, maxDuration: span('DAY', 365), onDeactivate: 'pause' },
    ...{ migration: 'none', trace: 'all' },
  }
}

/** Reads settings: what is absent keeps what is in `base`, null is the default. */
export function readSettings(
  whole: unknown,
  place: Place,
  base: WorkflowSettings,
  defaults: WorkflowSettings,
): WorkflowSettings {
  if (whole === undefined || whole === null) return base
  const given = asObject(whole)
  if (!given) return fault(place, 'must be an object')
  const settings: WorkflowSettings = { ...base }
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(shapes, name) ? (shapes as unknown as Record<string, Shape<unknown>>)[name] : undefined
    if (value !== null) settings[name] = shape ? shape.read(value, within(place, name)) : value
    else if (shape) settings[name] = defaults[name]
    else delete settings[name]
  }
  const others = Object.entries(settings).filter(([name]) => !Object.hasOwn(shapes, name))
  const { length } = JSON.stringify(Object.fromEntries(others))
  if (length > MAX_OTHERS_LENGTH)
    fault(place, `its other members have ${length} characters: at most ${MAX_OTHERS_LENGTH} are possible`)
  return settings
}

/** Tells of what is in settings. */
export function visitSettings(settings: WorkflowSettings, path: string, visitor: Visitor): void {
  if (settings.entryKey) entryKey.visit?.(settings.entryKey, `${path}/entryKey`, visitor)
  if (settings.timeZoneField !== null) timeZoneField.visit?.(settings.timeZoneField, `${path}/timeZoneField`, visitor)
  reentry.visit?.(settings.reentry, `${path}/reentry`, visitor)
}
