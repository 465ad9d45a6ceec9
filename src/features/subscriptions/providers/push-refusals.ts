import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { PushProviderKey } from './push-rests.ts'

/** A provider whose credentials are refused. */
export type RefusedPushProvider = PushProviderKey & { account: AccountId }

/** Lengths of the first and of the longest suspension. */
const FIRST_SUSPENSION_MINUTES = 5
const MAX_SUSPENSION_MINUTES = 60

/** Begins the next rest of a provider, twice as long as the one before; several senders that say so at once begin one. */
export async function beginRefusalSuspension(
  db: Db,
  { account, application, provider }: RefusedPushProvider,
  now: Date,
): Promise<void> {
  const suspensionMinutes = sql`least(${FIRST_SUSPENSION_MINUTES} * 2 ^ least(p.rests, 10), ${MAX_SUSPENSION_MINUTES})`
  await sql`
    insert into push_refusals as p (account, application, provider, rests, rests_until)
    select a.account, a.id, ${provider}, 1, ${now}::timestamptz + ${FIRST_SUSPENSION_MINUTES} * interval '1 minute'
    from applications a where a.account = ${account} and a.id = ${application}
    on conflict (application, provider) do update
      set rests = p.rests + 1, rests_until = ${now}::timestamptz + ${suspensionMinutes} * interval '1 minute'
      where p.rests_until <= ${now}`.execute(db)
}

/** The credentials of a provider are taken again; a rest that another sender just began stays. */
export async function endRefusalSuspension(
  db: Db,
  { account, application, provider }: RefusedPushProvider,
  now: Date,
): Promise<void> {
  await sql`
    delete from push_refusals where account = ${account} and application = ${application} and provider = ${provider}
      and rests_until <= ${now}`.execute(db)
}
