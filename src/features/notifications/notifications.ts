import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { inTentativeTransaction } from '../../database/locks/tentative-transaction.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import {
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  notFoundProblem,
  type ProblemFault,
} from '../../lib/errors/problem.ts'
import { cancelSendings } from '../../sending/plan/sendings.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import { findPushActivationFaults, requireActivatable, requireTargetNames } from './content/checks.ts'
import { requireValidConditions } from './content/conditions.ts'
import { requirePushReferences } from './content/references.ts'
import type { NotificationBody } from './notification-schemas.ts'
import { createNotificationContent, type NotificationParseContext, parseNotificationContent } from './reading.ts'
import { findNextNotificationStart, hasSameStarts } from './sends/tasks.ts'
import {
  insertNotification,
  loadNotification,
  lockNotification,
  type NotificationDefinition,
  type NotificationKey,
  type StoredNotification,
  updateStoredNotification,
} from './stored.ts'

/** Context of changes to notifications. `db` may be a transaction. */
export type NotificationContext = Pick<ServiceContext, 'db' | 'clock' | 'renders'>

/** Tries of a change whose notification is changed while its templates are compiled. */
const MAX_CHANGE_TRIES = 5

async function loadParseContext(
  { db, clock }: NotificationContext,
  account: AccountId,
): Promise<NotificationParseContext> {
  const { settings } = await loadContactDefinitions(db, account)
  const { culture } = await readSendingSettings(db, account)
  return { timeZone: settings.timeZone, culture, now: clock.now(), faults: [] as ProblemFault[] }
}

/** A body read into what is stored. Throws 400, also for conditions that do not parse, and 409 without a master. */
async function parseContent(
  context: NotificationContext,
  account: AccountId,
  body: NotificationBody,
  storedContent: NotificationDefinition | null,
): Promise<NotificationDefinition> {
  const parseContext = await loadParseContext(context, account)
  const content = parseNotificationContent(
    storedContent ?? createNotificationContent(body.name ?? '', parseContext.culture),
    body,
    parseContext,
  )
  if (parseContext.faults.length > 0) throw invalidRequestProblem(parseContext.faults)
  if (body.versions) await requireValidConditions(context, content.versions)
  return content
}

/** A segment that is deleted meanwhile is unknown. */
const SEGMENT_DELETED_ERROR = { foreignKey: () => notFoundProblem('segment', 'given') }

/** Makes a notification, inactive. Throws 400, and notFound for what it names. */
export async function createNotification(
  context: NotificationContext,
  account: AccountId,
  body: NotificationBody,
): Promise<StoredNotification> {
  if (body.type === undefined) throw badRequestProblem('/type', 'is required: push-app')
  if (body.name === undefined) throw badRequestProblem('/name', 'is required')
  const content = await parseContent(context, account, body, null)
  const emptyContent = createNotificationContent('', content.culture)
  return inTransaction(context.db, async (tx) => {
    await requirePushReferences(tx, account, emptyContent, content)
    const now = new Date(context.clock.now())
    const id = await mapConstraintErrors(insertNotification(tx, account, content, now), SEGMENT_DELETED_ERROR)
    return loadNotification(tx, { account, id })
  })
}

/** Returns true if two readings of a notification are the same; its content versions are made when they are needed. */
function isSameNotification(row: StoredNotification, other: StoredNotification): boolean {
  return JSON.stringify({ ...row, frozen: null }) === JSON.stringify({ ...other, frozen: null })
}

/** Next automatic start of an active notification, whose task may have changed. */
function computeNextStart(row: StoredNotification, content: NotificationDefinition, now: number): Date | null {
  const scheduler = content.task?.scheduler
  if (!row.active || !scheduler) return null
  if (hasSameStarts(row.task?.scheduler, scheduler)) return row.nextRunAt
  // One that starts at once does so once after each activation.
  const nextStart = scheduler.type === 'asap' ? undefined : findNextNotificationStart(scheduler, now)
  return nextStart === undefined ? null : new Date(nextStart)
}

/** A change of a notification: the definition it leads to, and the notification it was checked against. */
export interface CheckedNotificationChange {
  before: StoredNotification
  content: NotificationDefinition
}

/**
 * Checks a change of the members given; versions are replaced. Throws 400, and conflict when the master is left out, or an active one would
 * not pass the checks of an activation.
 */
export async function checkNotificationChange(
  context: NotificationContext,
  before: StoredNotification,
  body: NotificationBody,
): Promise<CheckedNotificationChange> {
  const { account, id } = before
  const content = await parseContent(context, account, body, before)
  await requirePushReferences(context.db, account, before, content)
  const isTimed = !hasSameStarts(before.task?.scheduler, content.task?.scheduler)
  const now = context.clock.now()
  if (before.active) requireActivatable(id, await findPushActivationFaults(context, account, content, { now, isTimed }))
  return { before, content }
}

/**
 * Writes a checked change of a locked notification; it is checked again if the notification was changed since. Throws as
 * checkNotificationChange.
 */
export async function updateNotification(
  context: NotificationContext,
  row: StoredNotification,
  body: NotificationBody,
  checkedChange: CheckedNotificationChange,
): Promise<StoredNotification> {
  const { db: tx, clock } = context
  const isCurrent = isSameNotification(row, checkedChange.before)
  const { content } = isCurrent ? checkedChange : await checkNotificationChange(context, row, body)
  const now = clock.now()
  const nextRunAt = computeNextStart(row, content, now)
  await requirePushReferences(tx, row.account, row, content)
  if (row.active) await requireTargetNames(tx, row, content)
  await mapConstraintErrors(
    updateStoredNotification(tx, row, content, { nextRunAt, now: new Date(now) }),
    SEGMENT_DELETED_ERROR,
  )
  return loadNotification(tx, row)
}

/** Cancels the waiting messages of a notification, and its schedule. */
function cancelWaitingMessages(tx: Db, { account, id }: NotificationKey, now: Date): Promise<void> {
  return cancelSendings(tx, { account, sourceKind: pushChannelTraits.sourceKind, source: id }, now)
}

/** Deletes a locked notification: what waits of it is cancelled, its events stay. */
export async function deleteNotification(
  tx: Db,
  key: LockedObject<number, StoredNotification>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ deleted_at: now, active: false, next_run_at: null })
    .where('account', '=', key.account)
    .where('id', '=', key.id)
    .execute()
  await cancelWaitingMessages(tx, key, now)
}

async function storeActiveState(
  tx: Db,
  { account, id }: NotificationKey,
  { active, nextRunAt, now }: { active: boolean; nextRunAt: Date | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('notifications')
    // What surrounds the versions may have changed since their contents were frozen.
    .set({ active, next_run_at: nextRunAt, updated_at: now, frozen: toJsonbText({}) })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}

/** Throws conflict when a notification is active, or with all that speaks against its activation. */
async function requireActivation(context: NotificationContext, row: StoredNotification): Promise<void> {
  const { account, id, active } = row
  if (active) throw conflictProblem('notification-active', `The notification ${id} is already active.`)
  const now = context.clock.now()
  requireActivatable(id, await findPushActivationFaults(context, account, row, { now, isTimed: true }))
}

/**
 * Lets a notification be sent. It is checked before its row is locked, and checked again when it was changed in between. Throws notFound,
 * and conflict when it is active, or with all that speaks against it.
 */
export async function activateNotification(context: NotificationContext, key: NotificationKey): Promise<void> {
  const { db, clock } = context
  for (let attemptCount = 0; attemptCount < MAX_CHANGE_TRIES; attemptCount++) {
    const before = await loadNotification(db, key)
    await requireActivation(context, before)
    const isActivated = await inTentativeTransaction(db, async (tx) => {
      const row = await lockNotification(tx, key)
      if (!isSameNotification(row, before)) return undefined
      await requireTargetNames(tx, key, row)
      const now = clock.now()
      const nextStart = findNextNotificationStart(row.task?.scheduler, now)
      const nextRunAt = nextStart === undefined ? null : new Date(nextStart)
      await storeActiveState(tx, key, { active: true, nextRunAt, now: new Date(now) })
      return true
    })
    if (isActivated) return
  }
  throw conflictProblem('notification-state', 'The notification is being changed by other requests. Try again.')
}

/** Ends the schedule of a notification and cancels what waits of it. Throws notFound, conflict when it is not active. */
export function deactivateNotification({ db, clock }: NotificationContext, key: NotificationKey): Promise<void> {
  return inTransaction(db, async (tx) => {
    const row = await lockNotification(tx, key)
    if (!row.active) throw conflictProblem('notification-inactive', `The notification ${key.id} is not active.`)
    const now = new Date(clock.now())
    await storeActiveState(tx, key, { active: false, nextRunAt: null, now })
    await cancelWaitingMessages(tx, key, now)
  })
}
