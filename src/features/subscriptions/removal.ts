import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { deletePushSubscriptions } from '../contacts/fields/devices.ts'

/** Deletes one subscription. Throws notFound, also the second time. */
export async function deleteSubscription(db: Db, account: AccountId, id: string): Promise<void> {
  if ((await deletePushSubscriptions(db, account, sql`s.id = ${id}`)) === 0) throw notFoundProblem('subscription', id)
}

/** Deletes subscriptions by their ids; unknown ones are passed over. */
export async function deleteSubscriptionsByIds(tx: Db, account: AccountId, ids: readonly string[]): Promise<void> {
  await deletePushSubscriptions(tx, account, sql`s.id = any(${ids}::uuid[])`)
}

/** Deletes every subscription of contacts; none is no fault. */
export async function deleteContactSubscriptions(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<void> {
  await deletePushSubscriptions(db, account, sql`s.contact = any(${contacts}::bigint[])`)
}

/** Deletes every subscription of an application. */
export async function deleteAppSubscriptions(tx: Db, account: AccountId, application: string): Promise<void> {
  await deletePushSubscriptions(tx, account, sql`s.application = ${application}`)
}
