import { sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import type { CriterionSql } from './criterion-columns.ts'

/** A select of one column, "contact": who has a subscription, of one application or of any. */
export function selectSubscribedContacts(account: AccountId, application: string | undefined): CriterionSql {
  const applicationCondition = application === undefined ? sql`` : sql`and application = ${application}::uuid`
  return sql`select contact from subscriptions where account = ${account} and contact is not null ${applicationCondition}`
}
