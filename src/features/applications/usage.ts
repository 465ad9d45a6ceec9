import { sql } from 'kysely'
import { notification } from '../../channels/notification/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A notification that keeps an application from being deleted. */
export interface ApplicationLink {
  type: typeof notification.sourceKind
  id: number
  name: string
}

/** The notifications, not deleted, that name an application. */
export async function notificationsUsing(db: Db, account: AccountId, application: string): Promise<ApplicationLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from notifications
    where account = ${account} and application = ${application} and deleted_at is null order by id`.execute(db)
  return rows.map(({ id, name }) => ({ type: notification.sourceKind, id, name }))
}
