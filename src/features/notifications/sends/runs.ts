import { type RawBuilder, sql } from 'kysely'
import { Counter, type Registry } from 'prom-client'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
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

/** What became of the starts that were due. */
export type NotificationStartOutcome = 'started' | 'skipped' | 'failed'

/** What starts of runs need. */
export interface NotificationRunContext extends Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log' | 'renders'> {
  /** Counts starts by what became of them. */
  starts?: Pick<Counter<'outcome'>, 'inc'>
}

/** Starts that are looked for at once. */
const TOGETHER = 100
/** A start that cannot be is tried again for so long. */
const TRIED_FOR_MS = 60_000

/** A metric of what became of the starts of notifications. */
export function registerPushStartCounter(registry: Registry): Counter<'outcome'> {
  return new Counter({
    name: 'stentor_notification_starts_total',
    help: 'Starts of notifications by their tasks: started, skipped as a run was under way, failed',
    labelNames: ['outcome'],
    registers: [registry],
  })
}

/** Condition: the start of a notification is due. */
export function isNotificationStartDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from notifications where next_run_at <= ${now})`
}

const TASK = 'start notifications'
const subjectOf = ({ id }: NotificationKey): string => `notification ${id}`

async function dueStarts(db: Db, now: Date): Promise<NotificationKey[]> {
  const { rows } = await sql<NotificationKey>`${buildPreparedPrefix('notifications-due')}
    select account, id from notifications
    where next_run_at <= ${now} and 'notification ' || id <> all(${listBackoffSubjects(db, TASK)}::text[])
    order by next_run_at, id limit ${TOGETHER}`.execute(db)
  return rows
}

function isDue({ active, nextRunAt }: StoredNotification, now: number): boolean {
  return active && nextRunAt !== null && nextRunAt.getTime() <= now
}

const sourceOf = ({ account, id }: NotificationKey): SentSource => ({
  ...{ account, sourceKind: pushChannelTraits.sourceKind, source: id },
})

/** Writes down that a start is dealt with: a cron goes on with its next match, whatever was missed meanwhile. */
async function moveOn(tx: Db, row: StoredNotification, { now, isRun }: { now: number; isRun: boolean }): Promise<void> {
  const scheduler = row.task?.scheduler
  const next = scheduler?.type === 'cron' ? findNextNotificationStart(scheduler, now) : undefined
  await tx
    .updateTable('notifications')
    .set({
      next_run_at: next === undefined ? null : new Date(next),
      ...(isRun && { last_run_at: new Date(now) }),
    })
    .where('account', '=', row.account)
    .where('id', '=', row.id)
    .execute()
}

/** The selected segments without those that have expired; all that are excluded. */
async function audienceOf(tx: Db, row: StoredNotification, now: number) {
  const { selected, excluded } = row.segments
  const { rows } = await sql<{ id: number }>`
    select id from segments where account = ${row.account} and id = any(${selected}::integer[])
      and expires_at > ${new Date(now)} order by id`.execute(tx)
  const live = rows.map(({ id }) => id)
  return { expired: selected.filter((id) => !live.includes(id)), audience: { selected: live, excluded } }
}

/** When the messages of a run leave, where each contact has its best time. */
function bestTimeOf({ task }: StoredNotification): BestTimeWindow | null {
  const { type, startDate, windowHours: hours = BEST_TIME_WINDOW_HOURS } = task?.scheduler ?? {}
  return type === 'bestTime' && startDate != null ? { start: startDate, hours } : null
}

/** Opens the run of a notification that is locked, with the numbers of its contents. */
async function openRun(
  { log }: NotificationRunContext,
  tx: Db,
  row: StoredNotification,
  { numbers, now }: { numbers: ReadonlyMap<string, number>; now: number },
): Promise<void> {
  const { account, id, urgent, application } = row
  const numberOf = (version: string) => numbers.get(version)!
  const { expired, audience } = await audienceOf(tx, row, now)
  // Those who have a live subscription now: nobody, while the application is not active.
  if (expired.length > 0)
    log.warn({ account, notification: id, segments: expired }, 'a run leaves out expired segments')
  const opened = await openCampaignSending(
    tx,
    {
      ...{ ...sourceOf(row), channel: pushChannelTraits.name },
      version: numberOf(requirePushVersion(row, null).id),
      versions: selectConditionalVersions(row.versions).map(({ id: of, condition }) => ({
        version: numberOf(of),
        condition,
      })),
      lane: urgent ? outboxLanes.urgent : outboxLanes.bulk,
      audience: { ...audience, ...(application !== null && { application }) },
      ...{
        endsAt: new Date(computePushExpiry(row.expiration, now)),
        speed: 0,
        localStart: null,
        bestTime: bestTimeOf(row),
      },
    },
    new Date(now),
  )
  log.info({ account, notification: id, sending: opened.id, set: opened.run }, 'a run of a notification has begun')
}

/** What runs are made from; undefined when the notification was changed meanwhile. Throws conflict for what cannot be sent. */
async function prepareRun(context: NotificationRunContext, row: StoredNotification) {
  const { account, id, application: named } = row
  const application = named === null ? undefined : await findPushApplication(context.db, account, named)
  if (!application) throw conflictProblem('application-missing', `The notification ${id} has no application.`)
  const surroundings = await loadPushSourceContext(context, account)
  const chosen = row.versions.map((version, index) => ({ version, given: {}, at: `/versions/${index}` }))
  return preparePushContents({ context, row, surroundings, application }, chosen)
}

/** Changes a notification whose start is due, and that is as it was looked at; otherwise nothing is done. */
function onDue(
  { db, clock }: NotificationRunContext,
  row: StoredNotification,
  change: (tx: Db, locked: StoredNotification, now: number) => Promise<NotificationStartOutcome | undefined>,
): Promise<NotificationStartOutcome | undefined> {
  return inTransaction(db, async (tx) => {
    const locked = await lockNotification(tx, row)
    const now = clock.now()
    return isNotificationUnchanged(row, locked) && isDue(locked, now) ? change(tx, locked, now) : undefined
  })
}

/** Starts a run; undefined when another process did, or the notification was changed meanwhile. */
async function startRun(
  context: NotificationRunContext,
  row: StoredNotification,
): Promise<NotificationStartOutcome | undefined> {
  const contents = await prepareRun(context, row)
  if (!contents) return undefined
  return onDue(context, row, async (tx, locked, now) => {
    const isSkipped = locked.task?.scheduler?.type === 'cron' && (await isCampaignUnderWay(tx, sourceOf(locked)))
    if (!isSkipped) await openRun(context, tx, locked, { numbers: contents.own, now })
    await moveOn(tx, locked, { now, isRun: !isSkipped })
    return isSkipped ? 'skipped' : 'started'
  })
}

/** A start that still cannot be after a while is given up: the next one may be possible. */
async function failedStart(
  context: NotificationRunContext,
  row: StoredNotification,
  problem: Problem,
): Promise<NotificationStartOutcome | undefined> {
  return onDue(context, row, async (tx, locked, now) => {
    if (now - locked.nextRunAt!.getTime() < TRIED_FOR_MS) return undefined
    context.log.error({ account: row.account, notification: row.id, err: problem }, 'a run could not begin')
    await moveOn(tx, locked, { now, isRun: false })
    return 'failed'
  })
}

async function tryStart(context: NotificationRunContext, key: NotificationKey): Promise<void> {
  const row = await loadNotification(context.db, key)
  if (!isDue(row, context.clock.now())) return
  const outcome = await startRun(context, row).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 409) return failedStart(context, row, error)
    throw error
  })
  if (outcome) context.starts?.inc({ outcome })
  if (outcome === 'skipped')
    context.log.info({ account: key.account, notification: key.id }, 'a start was skipped: a run is under way')
}

/** Whether it was deleted meanwhile: it does not start. */
function isGone(error: unknown): boolean {
  return error instanceof Problem && error.status === 404
}

/** Starts the notifications whose moment has come, each once over all processes, and each alone. */
export async function startDueNotifications(context: NotificationRunContext): Promise<void> {
  const due = await dueStarts(context.db, new Date(context.clock.now()))
  await runEachIsolated(context.db, TASK, due, {
    subjectOf,
    work: (key) =>
      tryStart(context, key).catch((error: unknown) => {
        if (!isGone(error)) throw error
      }),
  })
}
