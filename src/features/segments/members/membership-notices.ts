import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import { noticeInsertSql } from '../../notices/notices.ts'

/**
 * The part of a `with` that writes notices of contacts that entered a segment or left it: those in another part,
 * `movedData`, with a column "contact".
 */
export function buildMembershipNotices(
  account: AccountId,
  type: 'segment.entered' | 'segment.left',
  segment: number,
): RawBuilder<unknown> {
  const movedData = sql`select contact, jsonb_build_object('segment', ${segment}::integer) as data from moved`
  return sql`noticed as (${noticeInsertSql(account, type, movedData)})`
}
