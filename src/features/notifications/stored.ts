import { type RawBuilder, sql } from 'kysely'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { ListSortKey } from '../../database/rows/sorting.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import type { CronFields } from '../../lib/time/cron.ts'
import type { MessagePressure } from '../pressure/pressure-schemas.ts'
import { buildNotificationListPage, type NotificationListFilter } from './list-query.ts'
import type { PushExpiration, PushVersion } from './notification-schemas.ts'

export interface StoredNotificationScheduler extends Partial<CronFields> {
  type: 'asap' | 'scheduled' | 'cron' | 'bestTime'
  id: string
  name: string
  /** Only with `bestTime`. */
  windowHours?: number
  /** Only with `scheduled` and `bestTime`: ISO 8601. */
  startDate?: string | null
  /** Only with `cron`. */
  timeZone?: { id: string }
}

export interface StoredNotificationTask {
  id: string
  name: string
  description: string
  scheduler: StoredNotificationScheduler | null
}

/** Members that clients set. */
export interface NotificationDefinition {
  name: string
  description: string | null
  /** A UUID. */
  application: string | null
  urgent: boolean
  purpose: 'marketing' | 'service'
  expiration: PushExpiration | null
  /** Pressure settings from the client; the rest follows from the purpose. */
  mp: Partial<MessagePressure>
  culture: string
  task: StoredNotificationTask | null
  segments: { selected: number[]; excluded: number[] }
  versions: PushVersion[]
}

export interface StoredNotification extends NotificationDefinition {
  account: AccountId
  id: number
  active: boolean
  /** Content versions by the ids of versions. */
  frozen: Record<string, number>
  lastRunAt: Date | null
  nextRunAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const selectSegmentIds = (excluded: boolean) => sql`coalesce((
  select json_agg(s.segment order by s.position) from notification_segments s
  where s.account = n.account and s.notification = n.id and s.excluded = ${sql.lit(excluded)}), '[]')`

const NOTIFICATION_COLUMNS = sql`n.account, n.id, n.name, n.description, n.active, n.application, n.urgent, n.purpose, n.expiration, n.mp, n.culture, n.task,
  n.versions, n.frozen, n.last_run_at as "lastRunAt", n.next_run_at as "nextRunAt", n.created_at as "createdAt",
  n.updated_at as "updatedAt", json_build_object('selected', ${selectSegmentIds(false)}, 'excluded', ${selectSegmentIds(true)}) as segments`

function selectNotifications(condition: RawBuilder<unknown>): RawBuilder<StoredNotification> {
  return sql<StoredNotification>`
    select ${NOTIFICATION_COLUMNS} from notifications n where ${condition} and n.deleted_at is null`
}

/** Notifications of an account that a filter lets through, in its order, each with its place. */
export async function listStoredNotifications(
  db: Db,
  account: AccountId,
  filter: NotificationListFilter,
  page: { after: ListSortKey | undefined; limit: number | undefined },
): Promise<(StoredNotification & { key: ListSortKey })[]> {
  const { key, condition, order } = buildNotificationListPage(account, filter, page)
  const { rows } = await sql<StoredNotification & { sortKey: string }>`
    select ${NOTIFICATION_COLUMNS}, ${key} as "sortKey" from notifications n where ${condition} and n.deleted_at is null ${order}`.execute(
    db,
  )
  return rows.map(({ sortKey, ...row }) => ({ ...row, key: [sortKey, row.id] }))
}

/** Key of a notification: its account and id. */
export interface NotificationKey {
  account: AccountId
  id: number
}

/** One notification. Throws notFound. */
export async function loadNotification(db: Db, { account, id }: NotificationKey): Promise<StoredNotification> {
  const { rows } = await selectNotifications(sql`n.account = ${account} and n.id = ${id}`).execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem(pushChannelTraits.title, id)
  return row
}

/** The same, which nothing changes until the transaction ends. */
export async function lockNotification(tx: Db, key: NotificationKey): Promise<StoredNotification> {
  await sql`select from notifications where account = ${key.account} and id = ${key.id} for no key update`.execute(tx)
  return loadNotification(tx, key)
}

function toColumnValues(content: NotificationDefinition) {
  const { name, description, application, urgent, purpose, expiration, mp, culture, task, versions } = content
  return {
    name,
    description,
    application,
    urgent,
    purpose,
    culture,
    expiration: expiration && toJsonbText(expiration),
    mp: toJsonbText(mp),
    task: task && toJsonbText(task),
    versions: toJsonbText(versions),
  }
}

async function replaceSegments(
  tx: Db,
  { account, id }: NotificationKey,
  { selected: selectedIds, excluded }: NotificationDefinition['segments'],
): Promise<void> {
  const rows = [
    ...selectedIds.map((segment, position) => ({ segment, position, excluded: false })),
    ...excluded.map((segment, position) => ({ segment, position, excluded: true })),
  ]
  await sql`delete from notification_segments where account = ${account} and notification = ${id}`.execute(tx)
  if (rows.length === 0) return
  await sql`
    insert into notification_segments (account, notification, segment, excluded, position)
    select ${account}, ${id}, * from unnest(${rows.map(({ segment }) => segment)}::integer[],
      ${rows.map((row) => row.excluded)}::boolean[], ${rows.map(({ position }) => position)}::smallint[])`.execute(tx)
}

/** Writes a new notification, inactive; gives its id. */
export async function insertNotification(
  tx: Db,
  account: AccountId,
  content: NotificationDefinition,
  now: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('notifications')
    .values({ account, ...toColumnValues(content), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceSegments(tx, { account, id }, content.segments)
  return id
}

/** Replaces the members that clients set. Contents are frozen again with the next message. */
export async function updateStoredNotification(
  tx: Db,
  { account, id }: NotificationKey,
  content: NotificationDefinition,
  { nextRunAt, now }: { nextRunAt: Date | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ ...toColumnValues(content), frozen: toJsonbText({}), next_run_at: nextRunAt, updated_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
  await replaceSegments(tx, { account, id }, content.segments)
}
