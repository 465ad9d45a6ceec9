import { type RawBuilder, sql } from 'kysely'
import { Counter, type Registry } from 'prom-client'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { ServiceContext } from '../../../context.ts'
import { buildPreparedPrefix, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { listBackoffSubjects, runEachIsolated } from '../../../jobs/failures.ts'
import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import type { SentSource } from '../../../lib/sources.ts'
import { BEST_TIME_WINDOW_HOURS, type BestTimeWindow } from '../../../sending/plan/best-times.ts'
import { isCampaignUnderWay, openCampaignSending } from '../../../sending/plan/sendings.ts'
import { selectConditionalVersions } from '../content/conditions.ts'
import { isNotificationUnchanged, preparePushContents } from '../content/contents.ts'
import { loadPushSourceContext } from '../content/drafts.ts'
import { findPushApplication } from '../content/references.ts'
import { requirePushVersion } from '../content/renders.ts'
import { loadNotification, lockNotification, type NotificationKey, type StoredNotification } from '../stored.ts'
import { computePushExpiry } from './expirations.ts'
import { findNextNotificationStart } from './tasks.ts'

/** Outcome of a start that was due. */
export type NotificationStartOutcome = 'started' | 'skipped' | 'failed'

/** Context of the starts of runs. */
export interface NotificationRunContext extends Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log' | 'renders'> {
  /** Counts starts by what became of them. */
  starts?: Pick<Counter<'outcome'>, 'inc'>
}

/** Starts that are looked for at once. */
const MAX_STARTS_AT_ONCE = 100
/** A start that cannot be is tried again for so long. */
const START_RETRY_MS = 60_000

/** A metric of what became of the starts of notifications. */
export function registerPushStartCounter(registry: Registry): Counter<'outcome'> {
  return new Counter({
    name: 'stentor_notification_starts_total',
    help: 'Starts of notifications by their tasks: started, skipped because a run was in progress, failed',
    labelNames: ['outcome'],
    registers: [registry],
  })
}

/** Condition: the start of a notification is due. */
export function isNotificationStartDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from notifications where next_run_at <= ${now})`
}

const TASK_NAME = 'start notifications'
const describeNotification = ({ id }: NotificationKey): string => `notification ${id}`

async function listDueStarts(db: Db, now: Date): Promise<NotificationKey[]> {
  const { rows } = await sql<NotificationKey>`${buildPreparedPrefix('notifications-due')}
    select account, id from notifications
    where next_run_at <= ${now} and 'notification ' || id <> all(${listBackoffSubjects(db, TASK_NAME)}::text[])
    order by next_run_at, id limit ${MAX_STARTS_AT_ONCE}`.execute(db)
  return rows
}

function isStartDue({ active, nextRunAt }: StoredNotification, now: number): boolean {
  return active && nextRunAt !== null && nextRunAt.getTime() <= now
}

const toSentSource = ({ account, id }: NotificationKey): SentSource => ({
  account,
  sourceKind: pushChannelTraits.sourceKind,
  source: id,
})

/** Writes down that a start is dealt with: a cron goes on with its next match, whatever was missed meanwhile. */
async function recordStart(
  tx: Db,
  row: StoredNotification,
  { now, isRun }: { now: number; isRun: boolean },
): Promise<void> {
  const scheduler = row.task?.scheduler
  const nextStart = scheduler?.type === 'cron' ? findNextNotificationStart(scheduler, now) : undefined
  await tx
    .updateTable('notifications')
    .set({
      next_run_at: nextStart === undefined ? null : new Date(nextStart),
      ...(isRun && { last_run_at: new Date(now) }),
    })
    .where('account', '=', row.account)
    .where('id', '=', row.id)
    .execute()
}

/** The selected segments without those that have expired; all that are excluded. */
async function resolveAudience(tx: Db, row: StoredNotification, now: number) {
  const { selected, excluded } = row.segments
  const { rows } = await sql<{ id: number }>`
    select id from segments where account = ${row.account} and id = any(${selected}::integer[])
      and expires_at > ${new Date(now)} order by id`.execute(tx)
  const liveSegments = rows.map(({ id }) => id)
  return {
    expired: selected.filter((id) => !liveSegments.includes(id)),
    audience: { selected: liveSegments, excluded },
  }
}

/** Time window in which the messages of a run are sent, if each contact has its best time. */
function buildBestTimeWindow({ task }: StoredNotification): BestTimeWindow | null {
  const { type, startDate, windowHours: windowLength = BEST_TIME_WINDOW_HOURS } = task?.scheduler ?? {}
  return type === 'bestTime' && startDate != null ? { start: startDate, hours: windowLength } : null
}

/** Opens the run of a notification that is locked, with the numbers of its contents. */
async function openNotificationRun(
  { log }: NotificationRunContext,
  tx: Db,
  row: StoredNotification,
  { numbers, now }: { numbers: ReadonlyMap<string, number>; now: number },
): Promise<void> {
  const { account, id, urgent, application } = row
  const getContentNumber = (version: string) => numbers.get(version)!
  const { expired: expiredSegments, audience } = await resolveAudience(tx, row, now)
  // Those who have a live subscription now: nobody, while the application is not active.
  if (expiredSegments.length > 0)
    log.warn({ account, notification: id, segments: expiredSegments }, 'notification run excludes expired segments')
  const openedSending = await openCampaignSending(
    tx,
    {
      ...toSentSource(row),
      channel: pushChannelTraits.name,
      version: getContentNumber(requirePushVersion(row, null).id),
      versions: selectConditionalVersions(row.versions).map(({ id: of, condition }) => ({
        version: getContentNumber(of),
        condition,
      })),
      lane: urgent ? outboxLanes.urgent : outboxLanes.bulk,
      audience: { ...audience, ...(application !== null && { application }) },
      endsAt: new Date(computePushExpiry(row.expiration, now)),
      speed: 0,
      localStart: null,
      bestTime: buildBestTimeWindow(row),
    },
    new Date(now),
  )
  log.info({ account, notification: id, sending: openedSending.id, set: openedSending.run }, 'notification run started')
}

/** Contents of a run; `undefined` if the notification was changed meanwhile. Throws a conflict for a notification that cannot be sent. */
async function prepareRunContents(context: NotificationRunContext, row: StoredNotification) {
  const { account, id, application: applicationId } = row
  const application = applicationId === null ? undefined : await findPushApplication(context.db, account, applicationId)
  if (!application) throw conflictProblem('application-missing', `The notification ${id} has no application.`)
  const surroundings = await loadPushSourceContext(context, account)
  const chosenContents = row.versions.map((version, index) => ({ version, given: {}, at: `/versions/${index}` }))
  return preparePushContents({ context, row, surroundings, application }, chosenContents)
}

/** Changes a notification whose start is due, and that is as it was looked at; otherwise nothing is done. */
function changeDueNotification(
  { db, clock }: NotificationRunContext,
  row: StoredNotification,
  change: (
    tx: Db,
    lockedNotification: StoredNotification,
    now: number,
  ) => Promise<NotificationStartOutcome | undefined>,
): Promise<NotificationStartOutcome | undefined> {
  return inTransaction(db, async (tx) => {
    const lockedNotification = await lockNotification(tx, row)
    const now = clock.now()
    return isNotificationUnchanged(row, lockedNotification) && isStartDue(lockedNotification, now)
      ? change(tx, lockedNotification, now)
      : undefined
  })
}

/** Starts a run; undefined when another process did, or the notification was changed meanwhile. */
async function startRun(
  context: NotificationRunContext,
  row: StoredNotification,
): Promise<NotificationStartOutcome | undefined> {
  const contents = await prepareRunContents(context, row)
  if (!contents) return undefined
  return changeDueNotification(context, row, async (tx, locked, now) => {
    const isSkipped = locked.task?.scheduler?.type === 'cron' && (await isCampaignUnderWay(tx, toSentSource(locked)))
    if (!isSkipped) await openNotificationRun(context, tx, locked, { numbers: contents.own, now })
    await recordStart(tx, locked, { now, isRun: !isSkipped })
    return isSkipped ? 'skipped' : 'started'
  })
}

/** A start that still cannot be after a while is given up: the next one may be possible. */
async function recordFailedStart(
  context: NotificationRunContext,
  row: StoredNotification,
  problem: Problem,
): Promise<NotificationStartOutcome | undefined> {
  return changeDueNotification(context, row, async (tx, locked, now) => {
    if (now - locked.nextRunAt!.getTime() < START_RETRY_MS) return undefined
    context.log.error({ account: row.account, notification: row.id, err: problem }, 'notification run could not start')
    await recordStart(tx, locked, { now, isRun: false })
    return 'failed'
  })
}

async function tryNotificationStart(context: NotificationRunContext, key: NotificationKey): Promise<void> {
  const row = await loadNotification(context.db, key)
  if (!isStartDue(row, context.clock.now())) return
  const outcome = await startRun(context, row).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 409) return recordFailedStart(context, row, error)
    throw error
  })
  if (outcome) context.starts?.inc({ outcome })
  if (outcome === 'skipped')
    context.log.info({ account: key.account, notification: key.id }, 'notification start skipped: a run is in progress')
}

/** True if the notification was deleted meanwhile: it does not start. */
function isNotificationDeleted(error: unknown): boolean {
  return error instanceof Problem && error.status === 404
}

/** Starts the notifications whose moment has come, each once over all processes, and each alone. */
export async function startDueNotifications(context: NotificationRunContext): Promise<void> {
  const dueKeys = await listDueStarts(context.db, new Date(context.clock.now()))
  await runEachIsolated(context.db, TASK_NAME, dueKeys, {
    subjectOf: describeNotification,
    work: (key) =>
      tryNotificationStart(context, key).catch((error: unknown) => {
        if (!isNotificationDeleted(error)) throw error
      }),
  })
}
