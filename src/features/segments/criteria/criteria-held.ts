import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { loadSegmentDefinitions } from './definitions.ts'
import type { SegmentDefinition } from './leaf-kind.ts'

/** Segments with those that they refer to, by ascending id. */
async function loadDefinitions(db: Db, account: AccountId, segments: readonly number[]): Promise<SegmentDefinition[]> {
  const context = await loadSegmentDefinitions(db, account, segments, 0)
  return [...context.segments.values()]
}

/**
 * The criteria of segments, and of all that they refer to, by ascending id. Nothing changes them until the transaction
 * ends.
 */
export async function lockSegmentCriteria(
  tx: Db,
  account: AccountId,
  segments: readonly number[],
): Promise<SegmentDefinition[]> {
  if (segments.length === 0) return []
  const ids = (await loadDefinitions(tx, account, segments)).map(({ id }) => id)
  await sql`
    select from segments where account = ${account} and id = any(${ids}::integer[]) order by id for share`.execute(tx)
  return loadDefinitions(tx, account, segments)
}
