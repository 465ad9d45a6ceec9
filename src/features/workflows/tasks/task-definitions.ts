import { isObject } from '../../../lib/objects.ts'
import { type CronFields, cronFields, EVERY, unreadableFields } from '../../../lib/time/cron.ts'
import { nextCronTime } from '../../../lib/time/cron-times.ts'
import { expression } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import {
  defaulted,
  list,
  map,
  object,
  optional,
  required,
  variants,
  within,
} from '../../../scripting/schemas/objects.ts'
import { fault, type Place, type Read, type Shape, type Visitor } from '../../../scripting/schemas/shape.ts'
import {
  calling,
  criteria,
  instant,
  ownId,
  reference,
  target,
  text,
  truth,
  word,
  zone,
} from '../../../scripting/schemas/values.ts'
import { described } from '../definition/listeners.ts'

const MAX_TASKS = 50
const MAX_SCHEDULERS = 10
const MAX_PROJECTIONS = 1000

const made = { id: defaulted(ownId, ({ reading }: Place) => reading.makeId()), name: described.name }
const cronField = text({ least: 1, most: 200 })

const cronMembers = object({
  ...made,
  timeZone: optional(zone({ ofContact: false })),
  minute: defaulted(cronField, EVERY.minute),
  hour: defaulted(cronField, EVERY.hour),
  dayOfMonth: defaulted(cronField, EVERY.dayOfMonth),
  month: defaulted(cronField, EVERY.month),
  dayOfWeek: defaulted(cronField, EVERY.dayOfWeek),
})

const cron: typeof cronMembers = {
  ...cronMembers,
  read(given, place) {
    const before = place.reading.faults.length
    const read = cronMembers.read(given, place)
    if (place.reading.faults.length > before) return read
    for (const name of unreadableFields(fieldsOf(read)))
      fault(within(place, name), 'cannot be read as a field of a cron line')
    return read
  },
  visit(value, path, visitor) {
    if (nextCronTime(fieldsOf(value), value.timeZone?.id ?? 'UTC', 0) === undefined)
      visitor.flaw?.(flaw('never-fires', path, 'No date fits: it never fires.'))
  },
}

function fieldsOf(given: CronFields): CronFields {
  return Object.fromEntries(cronFields.map((name) => [name, given[name]])) as unknown as CronFields
}

const schedulers = list(variants({ cron, once: object({ ...made, at: required(instant) }) }), {
  ...{ most: MAX_SCHEDULERS, unique: ({ id }: { id: string }) => id },
})

const rooted = (...roots: string[]) => new Set([...roots, 'environment', 'account', 'now'])
const projection = (...roots: string[]) =>
  defaulted(map(expression('any', { roots: rooted(...roots) }), { most: MAX_PROJECTIONS }), {})

const compilableValue = object(
  {
    id: required(reference<string>('compilable')),
    arguments: optional(map(expression('any', { roots: rooted('task') }), { most: MAX_PROJECTIONS })),
    receiver: {
      shape: expression('identification', { roots: rooted('row') }),
      absent: () => ({ type: 'path' as const, value: 'row.id' }),
    },
  },
  calling('id', true),
)

const OF_CRITERIA = ['all', 'any', 'none', 'type']
const search = object({ criteria: required(criteria) })
/** `{criteria}`, or the criteria themselves. */
const searchValue: typeof search = {
  ...search,
  read(given, place) {
    const isBare = isObject(given) && given['criteria'] === undefined && OF_CRITERIA.some((name) => name in given)
    return isBare ? { criteria: given } : search.read(given, place)
  },
}

/** Receivers that are null have no contact: null is kept, absence is the default. */
const compilable: typeof compilableValue = {
  ...compilableValue,
  read(given, place) {
    const read = compilableValue.read(given, place)
    return isObject(given) && given['receiver'] === null ? { ...read, receiver: null as never } : read
  },
}

const providers = variants({
  none: object({ projection: projection('task') }),
  segment: object({
    value: required(object({ id: required(reference<number>('segment')) })),
    projection: projection('contact'),
  }),
  search: object({ value: required(searchValue), projection: projection('contact') }),
  compilable: object({ value: required(compilable), projection: projection('row', 'contact') }),
})

/** Whom a task starts runs for. */
export type Provider = Read<typeof providers>

const NOBODY = { type: 'none' as const, projection: {} }

const members = object({
  ...{ id: made.id, ...described },
  enabled: defaulted(truth, true),
  schedulers: defaulted(schedulers, []),
  provider: defaulted(providers, NOBODY),
  handler: required(target),
  missed: defaulted(word('once', 'none'), 'once'),
  overlap: defaulted(word('skip', 'queue'), 'skip'),
})

/** What starts runs at certain times, or on demand. */
export type Task = Read<typeof members>

/** The service sets these; `projection` belongs into the provider. */
const PASSED_OVER = ['nextRun', 'lastRun', 'projection']

/** A task; a projection beside the provider is read when the provider has none. */
const task: Shape<Task> = {
  read(given, place) {
    if (!isObject(given)) return fault(place, 'must be an object')
    const { projection: beside, provider } = given
    const own = isObject(provider) ? provider : NOBODY
    const isMoved = isObject(beside) && (own as { projection?: unknown }).projection == null
    const whole = isMoved ? { ...given, provider: { ...own, projection: beside } } : given
    const known = Object.entries(whole).filter(([name]) => !PASSED_OVER.includes(name))
    const isOdd = provider !== null && provider !== undefined && !isObject(provider)
    return isOdd
      ? fault(within(place, 'provider'), 'must be an object')
      : members.read(Object.fromEntries(known), place)
  },
  visit: (value, path, visitor: Visitor) => members.visit?.(value, path, visitor),
}

export const tasks = list(task, { most: MAX_TASKS, unique: ({ id }) => id })

/** When a task fires next by its schedulers, after an instant in milliseconds; null when it does not. */
export function nextFiring({ schedulers: given, enabled }: Task, timeZone: string, after: number): number | null {
  if (!enabled) return null
  const instants = given.flatMap((scheduler) => {
    if (scheduler.type === 'cron')
      return nextCronTime(fieldsOf(scheduler), scheduler.timeZone?.id ?? timeZone, after) ?? []
    const at = scheduler.at === null ? Number.NaN : Date.parse(scheduler.at)
    return at > after ? at : []
  })
  return instants.length === 0 ? null : Math.min(...instants)
}
