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
const MAX_DAYS_BY_UNIT: Record<TimeSpan['unit'], number> = {
  MILLISECOND: 1 / 86_400_000,
  SECOND: 1 / 86_400,
  MINUTE: 1 / 1440,
  HOUR: 1 / 24,
  DAY: 1,
  WEEK: 7,
  MONTH: 30,
  YEAR: 366,
}

const reentryShape = objectShape(
  {
    mode: defaultedMember(enumShape('always', 'never', 'afterExit', 'afterPeriod'), 'always'),
    period: optionalMember(timeSpanShape),
  },
  ({ mode, period: reentryPeriod }, path, visitor) => {
    if (mode === 'afterPeriod' && reentryPeriod === null)
      visitor.flaw?.(createFlaw('missing-setting', `${path}/period`, '"period" is required with "afterPeriod".'))
  },
)

const maxDurationShape: DefinitionShape<TimeSpan> = {
  read(rawValue, place) {
    const timeSpan = timeSpanShape.read(rawValue, place)
    const isTooLong = timeSpan && timeSpan.value * (MAX_DAYS_BY_UNIT[timeSpan.unit] ?? 0) > MAX_DURATION_DAYS
    return isTooLong ? addStructureFault(place, 'must be at most 5 years') : timeSpan
  },
}

const accountZoneShape = timeZoneShape({ ofContact: false })
const entryKeyShape = expressionShape('string', { most: MAX_KEY_LENGTH })
const timeZoneFieldShape = referenceShape<number>('field')

const settingShapes = {
  timeZone: accountZoneShape,
  timeZoneField: timeZoneFieldShape,
  entryKey: entryKeyShape,
  reentry: reentryShape,
  concurrency: numberShape(1, 100),
  maxNodes: numberShape(1, 10_000),
  maxDuration: maxDurationShape,
  onDeactivate: enumShape('pause', 'kill'),
  migration: enumShape('none', 'atWaits'),
  trace: enumShape('all', 'errors', 'none'),
}

/** Settings for how runs of a workflow begin, end and are retained. Unlisted members are stored as they were sent. */
export interface WorkflowSettings {
  timeZone: { id: string }
  timeZoneField: number | null
  entryKey: DefinitionExpression | null
  reentry: ShapeValue<typeof reentryShape>
  concurrency: number
  maxNodes: number
  maxDuration: TimeSpan
  onDeactivate: 'pause' | 'kill'
  migration: 'none' | 'atWaits'
  trace: 'all' | 'errors' | 'none'
  [otherName: string]: unknown
}

/** The settings of a new workflow, by the time zone of its account. */
export function createWorkflowSettings(timeZone: string): WorkflowSettings {
  return {
    timeZone: { id: timeZone },
    timeZoneField: null,
    entryKey: null,
    reentry: { mode: 'always', period: null },
    concurrency: 1,
    maxNodes: 500,
    maxDuration: createTimeSpan('DAY', 365),
    onDeactivate: 'pause',
    migration: 'none',
    trace: 'all',
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
  const rawSettings = toPlainObject(whole)
  if (!rawSettings) return addStructureFault(place, 'must be an object')
  const settings: WorkflowSettings = { ...base }
  for (const [name, value] of Object.entries(rawSettings)) {
    const shape = Object.hasOwn(settingShapes, name)
      ? (settingShapes as unknown as Record<string, DefinitionShape<unknown>>)[name]
      : undefined
    if (value !== null) settings[name] = shape ? shape.read(value, locateMember(place, name)) : value
    else if (shape) settings[name] = defaults[name]
    else delete settings[name]
  }
  const unlistedEntries = Object.entries(settings).filter(([name]) => !Object.hasOwn(settingShapes, name))
  const { length } = JSON.stringify(Object.fromEntries(unlistedEntries))
  if (length > MAX_OTHERS_LENGTH)
    addStructureFault(place, `its other members have ${length} characters; at most ${MAX_OTHERS_LENGTH} are allowed`)
  return settings
}

/** Tells of what is in settings. */
export function visitWorkflowSettings(settings: WorkflowSettings, path: string, visitor: DefinitionVisitor): void {
  if (settings.entryKey) entryKeyShape.visit?.(settings.entryKey, `${path}/entryKey`, visitor)
  if (settings.timeZoneField !== null)
    timeZoneFieldShape.visit?.(settings.timeZoneField, `${path}/timeZoneField`, visitor)
  reentryShape.visit?.(settings.reentry, `${path}/reentry`, visitor)
}
