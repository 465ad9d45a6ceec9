import { resolveMessagePressure } from '../pressure/message-settings.ts'
import type { NotificationResponse } from './notification-schemas.ts'
import type { StoredNotification } from './stored.ts'

type TaskResponse = NonNullable<NotificationResponse['task']>

function presentScheduler({ task, segments, lastRunAt, nextRunAt }: StoredNotification): TaskResponse['scheduler'] {
  if (!task?.scheduler) return null
  return {
    ...task.scheduler,
    segments,
    lastRun: lastRunAt?.toISOString() ?? null,
    nextRun: nextRunAt?.toISOString() ?? null,
  }
}

function presentTask(row: StoredNotification): NotificationResponse['task'] {
  const { task, segments } = row
  return task && { ...task, segments, scheduler: presentScheduler(row) }
}

/** A notification as it is answered. */
export function toNotificationResponse(row: StoredNotification): NotificationResponse {
  const { id, name, description, active, application, urgent, purpose, expiration, culture, versions } = row
  return {
    type: 'push-app',
    id,
    name,
    description,
    active,
    stamp: { creation: row.createdAt.toISOString(), modification: row.updatedAt.toISOString() },
    settings: {
      application,
      urgent,
      purpose: { type: purpose },
      expiration,
      mp: resolveMessagePressure(row.mp, purpose),
      culture,
    },
    task: presentTask(row),
    versions,
  }
}
