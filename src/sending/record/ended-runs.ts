import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type Figures, figuresOf } from '../plan/sendings.ts'

/** A run with how it went. */
export interface EndedRun {
  sending: number
  account: AccountId
  source: number
  /** How often a condition of a version could not be evaluated. */
  failedConditions: number
  figures: Figures
}

/** Runs by their sendings, with their figures. */
export async function readRuns(db: Db, sendings: readonly number[]): Promise<EndedRun[]> {
  if (sendings.length === 0) return []
  const { rows } = await sql<EndedRun>`
    select ended.id as sending, ended.account, ended.source, ended.failed_conditions as "failedConditions", ${figuresOf(sql`ended.id`)} as figures
    from sendings ended where ended.id = any(${sendings}::bigint[]) order by ended.id`.execute(db)
  return rows
}
