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
import { partDescriptionMembers } from '../definition/listeners.ts'

const MAX_TASKS = 50
const MAX_SCHEDULERS = 10
const MAX_PROJECTIONS = 1000

const made = {
  id: defaultedMember(clientIdShape, ({ reading }: DefinitionLocation) => reading.makeId()),
  name: partDescriptionMembers.name,
}
const cronField = textShape({ least: 1, most: 200 })

const cronMembers = objectShape({
  ...made,
  timeZone: optionalMember(timeZoneShape({ ofContact: false })),
  minute: defaultedMember(cronField, EVERY_MINUTE_CRON.minute),
  hour: defaultedMember(cronField, EVERY_MINUTE_CRON.hour),
  dayOfMonth: defaultedMember(cronField, EVERY_MINUTE_CRON.dayOfMonth),
  month: defaultedMember(cronField, EVERY_MINUTE_CRON.month),
  dayOfWeek: defaultedMember(cronField, EVERY_MINUTE_CRON.dayOfWeek),
})

const cron: typeof cronMembers = {
  ...cronMembers,
  read(given, place) {
    const before = place.reading.faults.length
    const read = cronMembers.read(given, place)
    if (place.reading.faults.length > before) return read
    for (const name of findInvalidCronFields(fieldsOf(read)))
      addStructureFault(locateMember(place, name), 'cannot be read as a field of a cron line')
    return read
  },
  visit(value, path, visitor) {
    if (findNextCronTime(fieldsOf(value), value.timeZone?.id ?? 'UTC', 0) === undefined)
      visitor.flaw?.(createFlaw('never-fires', path, 'No date fits: it never fires.'))
  },
}

function fieldsOf(given: CronFields): CronFields {
  return Object.fromEntries(cronFieldNames.map((name) => [name, given[name]])) as unknown as CronFields
}

const schedulers = listShape(
  variantsShape({ cron, once: objectShape({ ...made, at: requiredMember(instantShape) }) }),
  {
    ...{ most: MAX_SCHEDULERS, unique: ({ id }: { id: string }) => id },
  },
)

const rooted = (...roots: string[]) => new Set([...roots, 'environment', 'account', 'now'])
const projection = (...roots: string[]) =>
  defaultedMember(mapShape(expressionShape('any', { roots: rooted(...roots) }), { most: MAX_PROJECTIONS }), {})

const compilableValue = objectShape(
  {
    id: requiredMember(referenceShape<string>('compilable')),
    arguments: optionalMember(mapShape(expressionShape('any', { roots: rooted('task') }), { most: MAX_PROJECTIONS })),
    receiver: {
      shape: expressionShape('identification', { roots: rooted('row') }),
      absent: () => ({ type: 'path' as const, value: 'row.id' }),
    },
  },
  compilableCallRule('id', true),
)

const OF_CRITERIA = ['all', 'any', 'none', 'type']
const search = objectShape({ criteria: requiredMember(criteriaShape) })
/** `{criteria}`, or the criteria themselves. */
const searchValue: typeof search = {
  ...search,
  read(given, place) {
    const isBare = isJsonObject(given) && given['criteria'] === undefined && OF_CRITERIA.some((name) => name in given)
    return isBare ? { criteria: given } : search.read(given, place)
  },
}

/** Receivers that are null have no contact: null is kept, absence is the default. */
const compilable: typeof compilableValue = {
  ...compilableValue,
  read(given, place) {
    const read = compilableValue.read(given, place)
    return isJsonObject(given) && given['receiver'] === null ? { ...read, receiver: null as never } : read
  },
}

const providers = variantsShape({
  none: objectShape({ projection: projection('task') }),
  segment: objectShape({
    value: requiredMember(objectShape({ id: requiredMember(referenceShape<number>('segment')) })),
    projection: projection('contact'),
  }),
  search: objectShape({ value: requiredMember(searchValue), projection: projection('contact') }),
  compilable: objectShape({ value: requiredMember(compilable), projection: projection('row', 'contact') }),
})

/** Whom a task starts runs for. */
export type TaskProvider = ShapeValue<typeof providers>

const NOBODY = { type: 'none' as const, projection: {} }

const members = objectShape({
  ...{ id: made.id, ...partDescriptionMembers },
  enabled: defaultedMember(booleanShape, true),
  schedulers: defaultedMember(schedulers, []),
  provider: defaultedMember(providers, NOBODY),
  handler: requiredMember(targetNodeShape),
  missed: defaultedMember(enumShape('once', 'none'), 'once'),
  overlap: defaultedMember(enumShape('skip', 'queue'), 'skip'),
})

/** What starts runs at certain times, or on demand. */
export type WorkflowTask = ShapeValue<typeof members>

/** The service sets these; `projection` belongs into the provider. */
const PASSED_OVER = ['nextRun', 'lastRun', 'projection']

/** A task; a projection beside the provider is read when the provider has none. */
const task: DefinitionShape<WorkflowTask> = {
  read(given, place) {
    if (!isJsonObject(given)) return addStructureFault(place, 'must be an object')
    const { projection: beside, provider } = given
    const own = isJsonObject(provider) ? provider : NOBODY
    const isMoved = isJsonObject(beside) && (own as { projection?: unknown }).projection == null
    const whole = isMoved ? { ...given, provider: { ...own, projection: beside } } : given
    const known = Object.entries(whole).filter(([name]) => !PASSED_OVER.includes(name))
    const isOdd = provider !== null && provider !== undefined && !isJsonObject(provider)
    return isOdd
      ? addStructureFault(locateMember(place, 'provider'), 'must be an object')
      : members.read(Object.fromEntries(known), place)
  },
  visit: (value, path, visitor: DefinitionVisitor) => members.visit?.(value, path, visitor),
}

export const taskListShape = listShape(task, { most: MAX_TASKS, unique: ({ id }) => id })

/** When a task fires next by its schedulers, after an instant in milliseconds; null when it does not. */
export function computeNextFiring(
  { schedulers: given, enabled }: WorkflowTask,
  timeZone: string,
  after: number,
): number | null {
  if (!enabled) return null
  const instants = given.flatMap((scheduler) => {
    if (scheduler.type === 'cron')
      return findNextCronTime(fieldsOf(scheduler), scheduler.timeZone?.id ?? timeZone, after) ?? []
    const at = scheduler.at === null ? Number.NaN : Date.parse(scheduler.at)
    return at > after ? at : []
  })
  return instants.length === 0 ? null : Math.min(...instants)
}
