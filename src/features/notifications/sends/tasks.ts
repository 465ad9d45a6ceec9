import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { type CronFields, cronFieldNames, EVERY_MINUTE_CRON, findInvalidCronFields } from '../../../lib/time/cron.ts'
import { findNextCronTime } from '../../../lib/time/cron-times.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import { BEST_TIME_WINDOW_HOURS } from '../../../sending/plan/best-times.ts'
import type { NotificationSchedulerBody, NotificationTaskBody } from '../notification-schemas.ts'
import type { NotificationDefinition, StoredNotificationScheduler, StoredNotificationTask } from '../stored.ts'

/** What a task is read with. */
export interface TaskParseContext {
  /** Of the account: that of a cron which names none. */
  timeZone: string
  /** Milliseconds. */
  now: number
  faults: ProblemFault[]
}

const AT = '/task/scheduler'

function readCron(
  stored: StoredNotificationScheduler | null,
  given: NotificationSchedulerBody,
  { timeZone, faults }: TaskParseContext,
): CronFields & { timeZone: { id: string } } {
  const fields = { ...EVERY_MINUTE_CRON }
  for (const name of cronFieldNames) fields[name] = (given[name] ?? stored?.[name] ?? fields[name]).trim()
  for (const name of findInvalidCronFields(fields))
    faults.push({ pointer: `${AT}/${name}`, detail: `"${fields[name]}" cannot be read as a field of a cron line` })
  const named = given.timeZone?.id ?? stored?.timeZone?.id ?? timeZone
  const zone = parseTimeZone(named)
  if (zone === undefined) faults.push({ pointer: `${AT}/timeZone/id`, detail: `"${named}" is no IANA time zone` })
  return { ...fields, timeZone: { id: zone ?? named } }
}

function readStart(
  stored: StoredNotificationScheduler | null,
  given: NotificationSchedulerBody['startDate'],
  faults: ProblemFault[],
): string | null {
  if (given === undefined) return stored?.startDate ?? null
  if (given === null) return null
  const instant = parseInstant(given)
  if (instant === undefined) faults.push({ pointer: `${AT}/startDate`, detail: INVALID_DATE_DETAIL })
  return new Date(instant ?? 0).toISOString()
}

/** Members of another type are passed over, and a change of type leaves those of the type before. */
function readScheduler(
  stored: StoredNotificationScheduler | null,
  given: NotificationSchedulerBody,
  reading: TaskParseContext,
): StoredNotificationScheduler {
  const type = given.type ?? stored?.type
  if (type === undefined) reading.faults.push({ pointer: `${AT}/type`, detail: 'is required' })
  const before = stored?.type === type ? stored : null
  const common = {
    type: type ?? 'asap',
    id: stored?.id ?? createUuidV7(reading.now),
    name: given.name ?? (given.name === undefined ? stored?.name : undefined) ?? '',
  }
  if (type === 'cron') return { ...common, ...readCron(before, given, reading) }
  if (type !== 'scheduled' && type !== 'bestTime') return common
  const startDate = readStart(before, given.startDate, reading.faults)
  const windowHours = given.windowHours ?? before?.windowHours ?? BEST_TIME_WINDOW_HOURS
  return { ...common, startDate, ...(type === 'bestTime' && { windowHours }) }
}

/** A task with the members given in place of those stored; null takes it away. */
export function parseNotificationTask(
  stored: StoredNotificationTask | null,
  given: NotificationTaskBody | null | undefined,
  reading: TaskParseContext,
): StoredNotificationTask | null {
  if (given === undefined) return stored
  if (given === null) return null
  const { name = stored?.name, description = stored?.description, scheduler } = given
  return {
    id: stored?.id ?? createUuidV7(reading.now),
    name: name ?? '',
    description: description ?? '',
    scheduler:
      scheduler === undefined
        ? (stored?.scheduler ?? null)
        : scheduler && readScheduler(stored?.scheduler ?? null, scheduler, reading),
  }
}

/** The audience of a task; where the scheduler names it too, that of the task wins. */
export function parseTaskSegments(
  stored: NotificationDefinition['segments'],
  given: NotificationTaskBody | null | undefined,
): NotificationDefinition['segments'] {
  if (given === null) return { selected: [], excluded: [] }
  const named = given?.segments === undefined ? given?.scheduler?.segments : given.segments
  if (named === undefined) return stored
  const { selected, excluded } = named === null ? { selected: [], excluded: [] } : { ...stored, ...named }
  return { selected: [...new Set(selected)], excluded: [...new Set(excluded)] }
}

/** When a scheduler starts after an instant (milliseconds), once it is active; undefined: not any more. */
export function findNextNotificationStart(
  scheduler: StoredNotificationScheduler | null | undefined,
  after: number,
): number | undefined {
  if (!scheduler) return undefined
  const { type, startDate, timeZone } = scheduler
  if (type === 'asap') return after
  if (type === 'cron')
    return findNextCronTime({ ...EVERY_MINUTE_CRON, ...pick(scheduler) }, timeZone?.id ?? 'UTC', after)
  const start = startDate == null ? undefined : Date.parse(startDate)
  return start !== undefined && start >= after ? start : undefined
}

function pick(scheduler: StoredNotificationScheduler): Partial<CronFields> {
  return Object.fromEntries(cronFieldNames.map((name) => [name, scheduler[name] ?? '*']))
}

/** Whether two schedulers start at the same moments. */
export function hasSameStarts(
  a: StoredNotificationScheduler | null | undefined,
  b: StoredNotificationScheduler | null | undefined,
): boolean {
  const starts = (one: StoredNotificationScheduler | null | undefined) => {
    const { type, startDate = null, timeZone = null, windowHours = null } = one ?? {}
    return JSON.stringify([type ?? null, startDate, timeZone, windowHours, one ? pick(one) : null])
  }
  return starts(a) === starts(b)
}
