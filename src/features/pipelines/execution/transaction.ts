import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { openEventSnapshot } from '../../events/history/older-events.ts'
import { createTimeoutFailure, ExecutionFailure } from './failures.ts'
import { type ReadProgress, requireTimeLeft } from './reader.ts'
import { toExecutionError } from './results.ts'

/** Keeps these locks apart from others that use the account's number; each place has one of its own. */
const LOCK_CLASS_BASE = 0x70697030
/** Pipelines of an account at a time, over all processes. */
const CONCURRENT_SLOTS = [0, 1, 2, 3]

/** SQLSTATE: a statement took longer than it may. */
const QUERY_CANCELED_STATE = '57014'

const createBusyProblem = () =>
  overloadedProblem(`The account already runs ${CONCURRENT_SLOTS.length} pipelines. Try again.`)

/** Takes one of the account's places until the transaction ends. */
async function acquireSlot(tx: Db, account: AccountId, limitMs: number): Promise<void> {
  const lockAttempts = CONCURRENT_SLOTS.map(
    (place) => sql`when pg_try_advisory_xact_lock(${LOCK_CLASS_BASE + place}, ${account}) then true`,
  )
  const { rows } = await sql<{ isTaken: boolean | null }>`
    select set_config('statement_timeout', ${String(limitMs)}, true), set_config('cursor_tuple_fraction', '1', true),
      case ${sql.join(lockAttempts, sql` `)} end as "isTaken"`.execute(tx)
  if (!rows[0]?.isTaken) throw createBusyProblem()
}

/** A transaction that only reads and sees one state. */
export interface ReadTransaction {
  tx: Db
  end(): Promise<void>
}

/** Account that is read for, and the timeout of its statements. */
export interface PipelineReadOptions {
  account: AccountId
  limitMs: number
}

/** Begins to read. Throws 503 when the account has four pipelines under way. */
export async function openReadTransaction(db: Db, { account, limitMs }: PipelineReadOptions): Promise<ReadTransaction> {
  const tx = await openEventSnapshot(db)
  try {
    await acquireSlot(tx, account, limitMs)
    return { tx, end: async () => void (await tx.rollback().execute()) }
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}

/** The error that ended a reading: a timeout for a statement that took too long. Throws one for scripts that ran out of time. */
export function toPipelineReadError(error: unknown, progress: ReadProgress): unknown {
  const { limitMs } = progress
  const isEnded = error instanceof ScriptFailure || error instanceof ExecutionFailure
  if (isEnded && toExecutionError(error).limit === 'budget') requireTimeLeft(progress)
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED_STATE
    ? createTimeoutFailure('wall', limitMs)
    : error
}
