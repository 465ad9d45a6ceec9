import type { TimeSpan } from '../../../lib/time/spans.ts'
import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  locateMember,
  objectShape,
  optionalMember,
  toPlainObject,
} from '../../../scripting/schemas/objects.ts'
import {
  addStructureFault,
  type DefinitionLocation,
  type DefinitionShape,
  type DefinitionVisitor,
  type ShapeValue,
} from '../../../scripting/schemas/shape.ts'
import {
  createTimeSpan,
  enumShape,
  numberShape,
  referenceShape,
  timeSpanShape,
  timeZoneShape,
} from '../../../scripting/schemas/values.ts'

const MAX_OTHERS_LENGTH = 32 * 1024
const MAX_KEY_LENGTH = 256
const MAX_DURATION_DAYS = 5 * 366
/** Days of a unit, at most. */
const DAYS: Record<TimeSpan['unit'], number> = {
  ...{ MILLISECOND: 1 / 86_400_000, SECOND: 1 / 86_400, MINUTE: 1 / 1440, HOUR: 1 / 24 },
  ...{ DAY: 1, WEEK: 7, MONTH: 30, YEAR: 366 },
}

const reentry = objectShape(
  {
    mode: defaultedMember(enumShape('always', 'never', 'afterExit', 'afterPeriod'), 'always'),
    period: optionalMember(timeSpanShape),
  },
  ({ mode, period: given }, path, visitor) => {
    if (mode === 'afterPeriod' && given === null)
      visitor.flaw?.(createFlaw('missing-setting', `${path}/period`, '"period" is required with "afterPeriod".'))
  },
)

const maxDuration: DefinitionShape<TimeSpan> = {
  read(given, place) {
    const read = timeSpanShape.read(given, place)
    const isLong = read && read.value * (DAYS[read.unit] ?? 0) > MAX_DURATION_DAYS
    return isLong ? addStructureFault(place, 'must be at most 5 years') : read
  },
}

const accountZone = timeZoneShape({ ofContact: false })
const entryKey = expressionShape('string', { most: MAX_KEY_LENGTH })
const timeZoneField = referenceShape<number>('field')

const shapes = {
  timeZone: accountZone,
  timeZoneField,
  entryKey,
  reentry,
  concurrency: numberShape(1, 100),
  maxNodes: numberShape(1, 10_000),
  maxDuration,
  onDeactivate: enumShape('pause', 'kill'),
  migration: enumShape('none', 'atWaits'),
  trace: enumShape('all', 'errors', 'none'),
}

/** How the runs of a workflow begin, end and are kept. Members that are not listed are kept as they were sent. */
export interface WorkflowSettings {
  timeZone: { id: string }
  timeZoneField: number | null
  entryKey: DefinitionExpression | null
  reentry: ShapeValue<typeof reentry>
  concurrency: number
  maxNodes: number
  maxDuration: TimeSpan
  onDeactivate: 'pause' | 'kill'
  migration: 'none' | 'atWaits'
  trace: 'all' | 'errors' | 'none'
  [other: string]: unknown
}

/** The settings of a new workflow, by the time zone of its account. */
export function createWorkflowSettings(timeZone: string): WorkflowSettings {
  return {
    ...{ timeZone: { id: timeZone }, timeZoneField: null, entryKey: null, reentry: { mode: 'always', period: null } },
    ...{ concurrency: 1, maxNodes: 500, maxDuration: createTimeSpan('DAY', 365), onDeactivate: 'pause' },
    ...{ migration: 'none', trace: 'all' },
  }
}

/** Reads settings: what is absent keeps what is in `base`, null is the default. */
export function parseWorkflowSettings(
  whole: unknown,
  place: DefinitionLocation,
  base: WorkflowSettings,
  defaults: WorkflowSettings,
): WorkflowSettings {
  if (whole === undefined || whole === null) return base
  const given = toPlainObject(whole)
  if (!given) return addStructureFault(place, 'must be an object')
  const settings: WorkflowSettings = { ...base }
  for (const [name, value] of Object.entries(given)) {
    const shape = Object.hasOwn(shapes, name)
      ? (shapes as unknown as Record<string, DefinitionShape<unknown>>)[name]
      : undefined
    if (value !== null) settings[name] = shape ? shape.read(value, locateMember(place, name)) : value
    else if (shape) settings[name] = defaults[name]
    else delete settings[name]
  }
  const others = Object.entries(settings).filter(([name]) => !Object.hasOwn(shapes, name))
  const { length } = JSON.stringify(Object.fromEntries(others))
  if (length > MAX_OTHERS_LENGTH)
    addStructureFault(place, `its other members have ${length} characters: at most ${MAX_OTHERS_LENGTH} are possible`)
  return settings
}

/** Tells of what is in settings. */
export function visitWorkflowSettings(settings: WorkflowSettings, path: string, visitor: DefinitionVisitor): void {
  if (settings.entryKey) entryKey.visit?.(settings.entryKey, `${path}/entryKey`, visitor)
  if (settings.timeZoneField !== null) timeZoneField.visit?.(settings.timeZoneField, `${path}/timeZoneField`, visitor)
  reentry.visit?.(settings.reentry, `${path}/reentry`, visitor)
}
