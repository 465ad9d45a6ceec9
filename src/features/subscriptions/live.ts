import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../lib/account.ts'

/**
 * A select of one column, "contact": who has a live subscription of an application, muted ones included; nobody while it is not
 * active.
 */
export function contactsWithLiveDevicesSql(account: AccountId, application: string): RawBuilder<unknown> {
  return sql`
    select s.contact from subscriptions s
    join applications a on a.account = s.account and a.id = s.application and a.active
    join application_providers p on p.application = s.application and p.type = s.provider
    where s.account = ${account} and s.application = ${application}::uuid and s.contact is not null`
}
