import { sql } from 'kysely'
import type { AccountId } from '../../lib/account.ts'
import type { Sql } from './criterion-columns.ts'

/** A select of one column, "contact": who has a subscription, of one application or of any. There are none yet. */
export function contactsWithSubscription(_account: AccountId, _application: string | undefined): Sql {
  return sql`select null::bigint as contact where false`
}
