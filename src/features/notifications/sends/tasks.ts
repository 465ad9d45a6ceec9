import type { Fault } from '../../../lib/errors/problem.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { type CronFields, cronFields, EVERY, unreadableFields } from '../../../lib/time/cron.ts'
import { nextCronTime } from '../../../lib/time/cron-times.ts'
import { NO_DATE, readInstant } from '../../../lib/time/period.ts'
import { readZone } from '../../../lib/time/zones.ts'
import { BEST_TIME_HOURS } from '../../../sending/plan/best-times.ts'
import type { SchedulerBody, TaskBody } from '../notification-schemas.ts'
import type { NotificationContent, StoredScheduler, StoredTask } from '../stored.ts'

/** What a task is read with. */
export interface TaskReading {
  /** Of the account: that of a cron which names none. */
  timeZone: string
  /** Milliseconds. */
  now: number
  faults: Fault[]
}

const AT = '/task/scheduler'

function readCron(
  stored: StoredScheduler | null,
  given: SchedulerBody,
  { timeZone, faults }: TaskReading,
): CronFields & { timeZone: { id: string } } {
  const fields = { ...EVERY }
  for (const name of cronFields) fields[name] = (given[name] ?? stored?.[name] ?? fields[name]).trim()
  for (const name of unreadableFields(fields))
    faults.push({ pointer: `${AT}/${name}`, detail: `"${fields[name]}" cannot be read as a field of a cron line` })
  const named = given.timeZone?.id ?? stored?.timeZone?.id ?? timeZone
  const zone = readZone(named)
  if (zone === undefined) faults.push({ pointer: `${AT}/timeZone/id`, detail: `"${named}" is no IANA time zone` })
  return { ...fields, timeZone: { id: zone ?? named } }
}

function readStart(stored: StoredScheduler | null, given: SchedulerBody['startDate'], faults: Fault[]): string | null {
  if (given === undefined) return stored?.startDate ?? null
  if (given === null) return null
  const instant = readInstant(given)
  if (instant === undefined) faults.push({ pointer: `${AT}/startDate`, detail: NO_DATE })
  return new Date(instant ?? 0).toISOString()
}

/** Members of another type are passed over, and a change of type leaves those of the type before. */
function readScheduler(stored: StoredScheduler | null, given: SchedulerBody, reading: TaskReading): StoredScheduler {
  const type = given.type ?? stored?.type
  if (type === undefined) reading.faults.push({ pointer: `${AT}/type`, detail: 'is required' })
  const before = stored?.type === type ? stored : null
  const common = {
    type: type ?? 'asap',
    id: stored?.id ?? uuidV7(reading.now),
    name: given.name ?? (given.name === undefined ? stored?.name : undefined) ?? '',
  }
  if (type === 'cron') return { ...common, ...readCron(before, given, reading) }
  if (type !== 'scheduled' && type !== 'bestTime') return common
  const startDate = readStart(before, given.startDate, reading.faults)
  const windowHours = given.windowHours ?? before?.windowHours ?? BEST_TIME_HOURS
  return { ...common, startDate, ...(type === 'bestTime' && { windowHours }) }
}

/** A task with the members given in place of those stored; null takes it away. */
export function readTask(
  stored: StoredTask | null,
  given: TaskBody | null | undefined,
  reading: TaskReading,
): StoredTask | null {
  if (given === undefined) return stored
  if (given === null) return null
  const { name = stored?.name, description = stored?.description, scheduler } = given
  return {
    id: stored?.id ?? uuidV7(reading.now),
    name: name ?? '',
    description: description ?? '',
    scheduler:
      scheduler === undefined
        ? (stored?.scheduler ?? null)
        : scheduler && readScheduler(stored?.scheduler ?? null, scheduler, reading),
  }
}

/** The audience of a task; where the scheduler names it too, that of the task wins. */
export function readSegments(
  stored: NotificationContent['segments'],
  given: TaskBody | null | undefined,
): NotificationContent['segments'] {
  if (given === null) return { selected: [], excluded: [] }
  const named = given?.segments === undefined ? given?.scheduler?.segments : given.segments
  if (named === undefined) return stored
  const { selected, excluded } = named === null ? { selected: [], excluded: [] } : { ...stored, ...named }
  return { selected: [...new Set(selected)], excluded: [...new Set(excluded)] }
}

/** When a scheduler starts after an instant (milliseconds), once it is active; undefined: not any more. */
export function nextStart(scheduler: StoredScheduler | null | undefined, after: number): number | undefined {
  if (!scheduler) return undefined
  const { type, startDate, timeZone } = scheduler
  if (type === 'asap') return after
  if (type === 'cron') return nextCronTime({ ...EVERY, ...pick(scheduler) }, timeZone?.id ?? 'UTC', after)
  const start = startDate == null ? undefined : Date.parse(startDate)
  return start !== undefined && start >= after ? start : undefined
}

function pick(scheduler: StoredScheduler): Partial<CronFields> {
  return Object.fromEntries(cronFields.map((name) => [name, scheduler[name] ?? '*']))
}

/** Whether two schedulers start at the same moments. */
export function startsAlike(a: StoredScheduler | null | undefined, b: StoredScheduler | null | undefined): boolean {
  const starts = (one: StoredScheduler | null | undefined) => {
    const { type, startDate = null, timeZone = null, windowHours = null } = one ?? {}
    return JSON.stringify([type ?? null, startDate, timeZone, windowHours, one ? pick(one) : null])
  }
  return starts(a) === starts(b)
}
