import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'

/** Interval at which the end of a test is polled. */
const POLL_INTERVAL_MS = 100

/**
 * Longest time that a request waits for a test, and the signal that ends the wait early: the client disconnected, or the service is
 * stopping.
 */
export interface TestWaitLimit {
  ms: number
  signal: AbortSignal
}

async function isTestRunning(db: Db, account: AccountId, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from actions
    where account = ${account} and id = ${id} and state in (30, 35, 36) and deleted_at is null`.execute(db)
  return rows.length > 0
}

/** Waits as long as an action stands in a test (30, 35, 36). Gives whether there was a test to wait for. */
export async function waitForActionTest(
  db: Db,
  { account, id }: { account: AccountId; id: number },
  { ms, signal }: TestWaitLimit,
): Promise<boolean> {
  const deadline = performance.now() + ms
  let hasWaited = false
  while (performance.now() < deadline && !signal.aborted && (await isTestRunning(db, account, id))) {
    hasWaited = true
    await delay(Math.max(0, Math.min(POLL_INTERVAL_MS, deadline - performance.now())), undefined, { signal }).catch(
      () => undefined,
    )
  }
  return hasWaited
}
