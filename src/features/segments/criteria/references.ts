import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import type { ParsedCriteria } from './criteria.ts'

/** Levels of segments that refer to each other, by parent or by criteria. */
const MAX_REFERENCE_LEVELS = 10
/** Keeps these locks apart from others that use the account's number. */
const REFERENCE_LOCK_CLASS = 0x73656772

/** Blocks other changes of references of an account's segments: two that close a cycle would not see each other. */
export async function blockReferenceChanges(tx: Db, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REFERENCE_LOCK_CLASS}, ${account})`.execute(tx)
}

/** Replaces what the criteria of a segment name: the database keeps these from being deleted. */
export async function replaceSegmentReferences(
  tx: Db,
  account: AccountId,
  segment: number,
  { segments, fields }: Pick<ParsedCriteria, 'segments' | 'fields'>,
): Promise<void> {
  await tx.deleteFrom('segment_references').where('account', '=', account).where('segment', '=', segment).execute()
  await tx.deleteFrom('segment_fields').where('account', '=', account).where('segment', '=', segment).execute()
  await sql`
    insert into segment_references (account, segment, refers_to)
    select ${account}, ${segment}, unnest(${segments}::integer[])`.execute(tx)
  await sql`
    insert into segment_fields (account, segment, field)
    select ${account}, ${segment}, unnest(${fields}::integer[])`.execute(tx)
}

/**
 * Checks the references of a segment once they are written. Throws conflict `segment-ring` for a cycle, and
 * `segment-depth` for more than ten levels.
 */
export async function assertSegmentLevels(tx: Db, account: AccountId, segment: number): Promise<void> {
  const { rows } = await sql<{ cyclic: boolean; levels: number }>`
    with recursive links as (
      select segment, refers_to from segment_references where account = ${account}
      union
      select id, parent from segments where account = ${account} and parent is not null
    ), above (id, level) as (
      select ${segment}::integer, 1
      union
      select l.refers_to, a.level + 1 from above a join links l on l.segment = a.id where a.level <= ${MAX_REFERENCE_LEVELS}
    ), below (id, level) as (
      select ${segment}::integer, 1
      union
      select l.segment, b.level + 1 from below b join links l on l.refers_to = b.id where b.level <= ${MAX_REFERENCE_LEVELS}
    )
    select exists (select from above where id = ${segment} and level > 1) as cyclic,
      (select max(level) from above) + (select max(level) from below) - 1 as levels`.execute(tx)
  const [segmentHierarchy] = rows
  if (segmentHierarchy?.cyclic)
    throw conflictProblem('segment-ring', 'A segment cannot refer to itself, directly or through others.')
  if (segmentHierarchy && segmentHierarchy.levels > MAX_REFERENCE_LEVELS)
    throw conflictProblem(
      'segment-depth',
      `At most ${MAX_REFERENCE_LEVELS} segments can build on each other, by parent or by criteria.`,
    )
}
