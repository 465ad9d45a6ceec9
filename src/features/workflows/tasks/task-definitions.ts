import { isJsonObject } from '../../../lib/objects.ts'
import { type CronFields, cronFieldNames, EVERY_MINUTE_CRON, findInvalidCronFields } from '../../../lib/time/cron.ts'
import { findNextCronTime } from '../../../lib/time/cron-times.ts'
import { expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  locateMember,
  mapShape,
  objectShape,
  optionalMember,
  requiredMember,
  variantsShape,
} from '../../../scripting/schemas/objects.ts'
import {
  addStructureFault,
  type DefinitionLocation,
  type DefinitionShape,
  type DefinitionVisitor,
  type ShapeValue,
} from '../../../scripting/schemas/shape.ts'
import {
  booleanShape,
  clientIdShape,
  compilableCallRule,
  criteriaShape,
  enumShape,
  instantShape,
  referenceShape,
  targetNodeShape,
  textShape,
  timeZoneShape,
} from '../../../scripting/schemas/values.ts'
import { partDescriptionMembers } from '../definition/listener-list.ts'

const MAX_TASKS = 50
const MAX_SCHEDULERS = 10
const MAX_PROJECTIONS = 1000

const schedulerMembers = {
  id: defaultedMember(clientIdShape, ({ reading }: DefinitionLocation) => reading.makeId()),
  name: partDescriptionMembers.name,
}
const cronFieldShape = textShape({ least: 1, most: 200 })

const cronObjectShape = objectShape({
  ...schedulerMembers,
  timeZone: optionalMember(timeZoneShape({ ofContact: false })),
  minute: defaultedMember(cronFieldShape, EVERY_MINUTE_CRON.minute),
  hour: defaultedMember(cronFieldShape, EVERY_MINUTE_CRON.hour),
  dayOfMonth: defaultedMember(cronFieldShape, EVERY_MINUTE_CRON.dayOfMonth),
  month: defaultedMember(cronFieldShape, EVERY_MINUTE_CRON.month),
  dayOfWeek: defaultedMember(cronFieldShape, EVERY_MINUTE_CRON.dayOfWeek),
})

const cronShape: typeof cronObjectShape = {
  ...cronObjectShape,
  read(rawValue, place) {
    const faultsBefore = place.reading.faults.length
    const cronValue = cronObjectShape.read(rawValue, place)
    if (place.reading.faults.length > faultsBefore) return cronValue
    for (const name of findInvalidCronFields(pickCronFields(cronValue)))
      addStructureFault(locateMember(place, name), 'is not a valid cron field')
    return cronValue
  },
  visit(value, path, visitor) {
    if (findNextCronTime(pickCronFields(value), value.timeZone?.id ?? 'UTC', 0) === undefined)
      visitor.flaw?.(createFlaw('never-fires', path, 'No date matches, so the task never fires.'))
  },
}

function pickCronFields(cronValues: CronFields): CronFields {
  return Object.fromEntries(cronFieldNames.map((name) => [name, cronValues[name]])) as unknown as CronFields
}

const schedulersShape = listShape(
  variantsShape({ cron: cronShape, once: objectShape({ ...schedulerMembers, at: requiredMember(instantShape) }) }),
  {
    most: MAX_SCHEDULERS,
    unique: ({ id }: { id: string }) => id,
  },
)

const createRoots = (...roots: string[]) => new Set([...roots, 'environment', 'account', 'now'])
const createProjectionMember = (...roots: string[]) =>
  defaultedMember(mapShape(expressionShape('any', { roots: createRoots(...roots) }), { most: MAX_PROJECTIONS }), {})

const compilableValueShape = objectShape(
  {
    id: requiredMember(referenceShape<string>('compilable')),
    arguments: optionalMember(
      mapShape(expressionShape('any', { roots: createRoots('task') }), { most: MAX_PROJECTIONS }),
    ),
    receiver: {
      shape: expressionShape('identification', { roots: createRoots('row') }),
      absent: () => ({ type: 'path' as const, value: 'row.id' }),
    },
  },
  compilableCallRule('id', true),
)

const CRITERIA_KEYS = ['all', 'any', 'none', 'type']
const searchShape = objectShape({ criteria: requiredMember(criteriaShape) })
/** `{criteria}`, or the criteria themselves. */
const searchValueShape: typeof searchShape = {
  ...searchShape,
  read(rawValue, place) {
    const isBare =
      isJsonObject(rawValue) && rawValue['criteria'] === undefined && CRITERIA_KEYS.some((name) => name in rawValue)
    return isBare ? { criteria: rawValue } : searchShape.read(rawValue, place)
  },
}

/** Receivers that are null have no contact: null is kept, absence is the default. */
const compilableProviderShape: typeof compilableValueShape = {
  ...compilableValueShape,
  read(rawValue, place) {
    const cronValue = compilableValueShape.read(rawValue, place)
    return isJsonObject(rawValue) && rawValue['receiver'] === null
      ? { ...cronValue, receiver: null as never }
      : cronValue
  },
}

const providerShape = variantsShape({
  none: objectShape({ projection: createProjectionMember('task') }),
  segment: objectShape({
    value: requiredMember(objectShape({ id: requiredMember(referenceShape<number>('segment')) })),
    projection: createProjectionMember('contact'),
  }),
  search: objectShape({ value: requiredMember(searchValueShape), projection: createProjectionMember('contact') }),
  compilable: objectShape({
    value: requiredMember(compilableProviderShape),
    projection: createProjectionMember('row', 'contact'),
  }),
})

/** Source of the contacts for which a task starts runs. */
export type TaskProvider = ShapeValue<typeof providerShape>

const NO_PROVIDER = { type: 'none' as const, projection: {} }

const taskObjectShape = objectShape({
  id: schedulerMembers.id,
  ...partDescriptionMembers,
  enabled: defaultedMember(booleanShape, true),
  schedulers: defaultedMember(schedulersShape, []),
  provider: defaultedMember(providerShape, NO_PROVIDER),
  handler: requiredMember(targetNodeShape),
  missed: defaultedMember(enumShape('once', 'none'), 'once'),
  overlap: defaultedMember(enumShape('skip', 'queue'), 'skip'),
})

/** Starts runs at certain times, or on demand. */
export type WorkflowTask = ShapeValue<typeof taskObjectShape>

/** The service sets these; `projection` belongs into the provider. */
const IGNORED_MEMBERS = ['nextRun', 'lastRun', 'projection']

/** Shape of a task. A `projection` outside the provider is used if the provider does not have one. */
const taskShape: DefinitionShape<WorkflowTask> = {
  read(rawValue, place) {
    if (!isJsonObject(rawValue)) return addStructureFault(place, 'must be an object')
    const { projection: outerProjection, provider } = rawValue
    const providerValue = isJsonObject(provider) ? provider : NO_PROVIDER
    const mustMoveProjection =
      isJsonObject(outerProjection) && (providerValue as { projection?: unknown }).projection == null
    const completeTask = mustMoveProjection
      ? { ...rawValue, provider: { ...providerValue, projection: outerProjection } }
      : rawValue
    const checkedEntries = Object.entries(completeTask).filter(([name]) => !IGNORED_MEMBERS.includes(name))
    const hasInvalidProvider = provider !== null && provider !== undefined && !isJsonObject(provider)
    return hasInvalidProvider
      ? addStructureFault(locateMember(place, 'provider'), 'must be an object')
      : taskObjectShape.read(Object.fromEntries(checkedEntries), place)
  },
  visit: (value, path, visitor: DefinitionVisitor) => taskObjectShape.visit?.(value, path, visitor),
}

export const taskListShape = listShape(taskShape, { most: MAX_TASKS, unique: ({ id }) => id })

/** Computes the next firing of a task by its schedulers, after an instant in milliseconds. Returns null if the task does not fire again. */
export function computeNextFiring(
  { schedulers: taskSchedulers, enabled }: WorkflowTask,
  timeZone: string,
  after: number,
): number | null {
  if (!enabled) return null
  const instants = taskSchedulers.flatMap((scheduler) => {
    if (scheduler.type === 'cron')
      return findNextCronTime(pickCronFields(scheduler), scheduler.timeZone?.id ?? timeZone, after) ?? []
    const onceAt = scheduler.at === null ? Number.NaN : Date.parse(scheduler.at)
    return onceAt > after ? onceAt : []
  })
  return instants.length === 0 ? null : Math.min(...instants)
}
