import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type SendingFigures, selectSendingFigures } from '../plan/sendings.ts'

/** A run with how it went. */
export interface SendingRunResult {
  sending: number
  account: AccountId
  source: number
  /** Number of times a condition of a version could not be evaluated. */
  failedConditions: number
  figures: SendingFigures
}

/** Runs by their sendings, with their figures. */
export async function readSendingRunResults(db: Db, sendings: readonly number[]): Promise<SendingRunResult[]> {
  if (sendings.length === 0) return []
  const { rows } = await sql<SendingRunResult>`
    select ended.id as sending, ended.account, ended.source, ended.failed_conditions as "failedConditions", ${selectSendingFigures(sql`ended.id`)} as figures
    from sendings ended where ended.id = any(${sendings}::bigint[]) order by ended.id`.execute(db)
  return rows
}
