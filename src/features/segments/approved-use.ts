import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseCriteria } from './criteria/criteria.ts'
import type { SegmentBody } from './segment-schemas.ts'

/** True if a body would change the criteria or the parent of a segment. Throws 400 as a change. */
async function isCriteriaChange(
  db: Db,
  account: AccountId,
  id: number,
  { criteria, parentId }: SegmentBody,
): Promise<boolean> {
  const storedSegment = await db
    .selectFrom('segments')
    .select(['criteria', 'parent'])
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!storedSegment) return false
  if (parentId !== undefined && parentId !== storedSegment.parent) return true
  if (criteria === undefined) return false
  const newCriteria = criteria === null ? null : (await parseCriteria(db, account, criteria)).criteria
  return !isDeepStrictEqual(JSON.parse(JSON.stringify(newCriteria)), storedSegment.criteria)
}

/**
 * True if a segment, or one that refers to it, is used by an approved campaign whose audience is not yet stored, by an active notification
 * or workflow, or by a message that these send.
 */
async function isInApprovedUse(db: Db, account: AccountId, id: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    with recursive users (segment) as (
      select ${id}::integer
      union
      select s.segment from users u cross join lateral (
        select r.segment from segment_references r where r.account = ${account} and r.refers_to = u.segment
        union all
        select c.id from segments c where c.account = ${account} and c.parent = u.segment) as s
    ), compiled (compilable) as (
      select c.compilable from users u
      join compilable_uses c on c.account = ${account} and c.kind = 'segment' and c.used = u.segment::text
      union
      select c.compilable from compiled r
      join compilable_uses c on c.account = ${account} and c.kind = 'compilable' and c.used = r.compilable::text
    )
    select exists (
      select from users u join action_segments l on l.segment = u.segment and l.role in ('selected', 'excluded')
      join actions a on a.id = l.action left join sendings g on g.id = a.sending
      where a.account = ${account} and a.approved is not null and a.deleted_at is null
        and (a.state in (40, 50) or a.state = 55 and g.audience_at is null)
      union all
      select from users u join notification_segments l on l.account = ${account} and l.segment = u.segment
      join notifications n on n.id = l.notification and n.active and n.deleted_at is null
      union all
      select from users u join workflow_segments l on l.account = ${account} and l.segment = u.segment
      join workflows w on w.account = l.account and w.id = l.workflow and w.state = 1
      union all
      select from compiled c join workflow_compilables l on l.account = ${account} and l.compilable = c.compilable
    ) as used`.execute(db)
  return rows[0]?.used ?? false
}

/** True if a change of a segment would change the recipients of something that was approved. Throws 400 as the change. */
export async function isApprovedAudienceChange(
  db: Db,
  account: AccountId,
  id: number,
  body: SegmentBody,
): Promise<boolean> {
  return (await isCriteriaChange(db, account, id, body)) && isInApprovedUse(db, account, id)
}
