import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { type CronFields, cronFieldNames, EVERY_MINUTE_CRON, findInvalidCronFields } from '../../../lib/time/cron.ts'
import { findNextCronTime } from '../../../lib/time/cron-times.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import { BEST_TIME_WINDOW_HOURS } from '../../../sending/plan/best-times.ts'
import type { NotificationSchedulerBody, NotificationTaskBody } from '../notification-schemas.ts'
import type { NotificationDefinition, StoredNotificationScheduler, StoredNotificationTask } from '../stored.ts'

/** Context for parsing a task. */
export interface TaskParseContext {
  /** Time zone of the account, used by a cron that names none. */
  timeZone: string
  /** Milliseconds. */
  now: number
  faults: ProblemFault[]
}

const SCHEDULER_POINTER = '/task/scheduler'

function parseCron(
  storedScheduler: StoredNotificationScheduler | null,
  schedulerInput: NotificationSchedulerBody,
  { timeZone, faults }: TaskParseContext,
): CronFields & { timeZone: { id: string } } {
  const cronFields = { ...EVERY_MINUTE_CRON }
  for (const name of cronFieldNames)
    cronFields[name] = (schedulerInput[name] ?? storedScheduler?.[name] ?? cronFields[name]).trim()
  for (const name of findInvalidCronFields(cronFields))
    faults.push({
      pointer: `${SCHEDULER_POINTER}/${name}`,
      detail: `"${cronFields[name]}" is not a valid cron field`,
    })
  const zoneId = schedulerInput.timeZone?.id ?? storedScheduler?.timeZone?.id ?? timeZone
  const parsedZone = parseTimeZone(zoneId)
  if (parsedZone === undefined)
    faults.push({ pointer: `${SCHEDULER_POINTER}/timeZone/id`, detail: `"${zoneId}" is not an IANA time zone` })
  return { ...cronFields, timeZone: { id: parsedZone ?? zoneId } }
}

function parseStart(
  storedScheduler: StoredNotificationScheduler | null,
  startInput: NotificationSchedulerBody['startDate'],
  faults: ProblemFault[],
): string | null {
  if (startInput === undefined) return storedScheduler?.startDate ?? null
  if (startInput === null) return null
  const instant = parseInstant(startInput)
  if (instant === undefined) faults.push({ pointer: `${SCHEDULER_POINTER}/startDate`, detail: INVALID_DATE_DETAIL })
  return new Date(instant ?? 0).toISOString()
}

/** Members of another type are passed over, and a change of type leaves those of the type before. */
function parseScheduler(
  storedScheduler: StoredNotificationScheduler | null,
  schedulerInput: NotificationSchedulerBody,
  reading: TaskParseContext,
): StoredNotificationScheduler {
  const type = schedulerInput.type ?? storedScheduler?.type
  if (type === undefined) reading.faults.push({ pointer: `${SCHEDULER_POINTER}/type`, detail: 'is required' })
  const sameTypeScheduler = storedScheduler?.type === type ? storedScheduler : null
  const commonMembers = {
    type: type ?? 'asap',
    id: storedScheduler?.id ?? createUuidV7(reading.now),
    name: schedulerInput.name ?? (schedulerInput.name === undefined ? storedScheduler?.name : undefined) ?? '',
  }
  if (type === 'cron') return { ...commonMembers, ...parseCron(sameTypeScheduler, schedulerInput, reading) }
  if (type !== 'scheduled' && type !== 'bestTime') return commonMembers
  const startDate = parseStart(sameTypeScheduler, schedulerInput.startDate, reading.faults)
  const windowHours = schedulerInput.windowHours ?? sameTypeScheduler?.windowHours ?? BEST_TIME_WINDOW_HOURS
  return { ...commonMembers, startDate, ...(type === 'bestTime' && { windowHours }) }
}

/** A task with the members given in place of those stored; null takes it away. */
export function parseNotificationTask(
  storedTask: StoredNotificationTask | null,
  taskInput: NotificationTaskBody | null | undefined,
  reading: TaskParseContext,
): StoredNotificationTask | null {
  if (taskInput === undefined) return storedTask
  if (taskInput === null) return null
  const { name = storedTask?.name, description = storedTask?.description, scheduler } = taskInput
  return {
    id: storedTask?.id ?? createUuidV7(reading.now),
    name: name ?? '',
    description: description ?? '',
    scheduler:
      scheduler === undefined
        ? (storedTask?.scheduler ?? null)
        : scheduler && parseScheduler(storedTask?.scheduler ?? null, scheduler, reading),
  }
}

/** The audience of a task; where the scheduler names it too, that of the task wins. */
export function parseTaskSegments(
  storedSegments: NotificationDefinition['segments'],
  taskInput: NotificationTaskBody | null | undefined,
): NotificationDefinition['segments'] {
  if (taskInput === null) return { selected: [], excluded: [] }
  const segmentsInput = taskInput?.segments === undefined ? taskInput?.scheduler?.segments : taskInput.segments
  if (segmentsInput === undefined) return storedSegments
  const { selected, excluded } =
    segmentsInput === null ? { selected: [], excluded: [] } : { ...storedSegments, ...segmentsInput }
  return { selected: [...new Set(selected)], excluded: [...new Set(excluded)] }
}

/** Next start of an active scheduler after an instant, in milliseconds; `undefined` if it never starts again. */
export function findNextNotificationStart(
  scheduler: StoredNotificationScheduler | null | undefined,
  after: number,
): number | undefined {
  if (!scheduler) return undefined
  const { type, startDate, timeZone } = scheduler
  if (type === 'asap') return after
  if (type === 'cron')
    return findNextCronTime({ ...EVERY_MINUTE_CRON, ...pickCronFields(scheduler) }, timeZone?.id ?? 'UTC', after)
  const startTime = startDate == null ? undefined : Date.parse(startDate)
  return startTime !== undefined && startTime >= after ? startTime : undefined
}

function pickCronFields(scheduler: StoredNotificationScheduler): Partial<CronFields> {
  return Object.fromEntries(cronFieldNames.map((name) => [name, scheduler[name] ?? '*']))
}

/** True if two schedulers start at the same times. */
export function hasSameStarts(
  a: StoredNotificationScheduler | null | undefined,
  b: StoredNotificationScheduler | null | undefined,
): boolean {
  const extractStartMembers = (comparedScheduler: StoredNotificationScheduler | null | undefined) => {
    const { type, startDate = null, timeZone = null, windowHours = null } = comparedScheduler ?? {}
    return JSON.stringify([
      type ?? null,
      startDate,
      timeZone,
      windowHours,
      comparedScheduler ? pickCronFields(comparedScheduler) : null,
    ])
  }
  return extractStartMembers(a) === extractStartMembers(b)
}
