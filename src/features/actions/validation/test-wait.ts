import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'

/** How often it is looked whether a test has ended. */
const LOOK_MS = 100

/** How long a request waits for a test, and what ends that before: its client went away, or the service stops. */
export interface TestWaitLimit {
  ms: number
  signal: AbortSignal
}

async function isTesting(db: Db, account: AccountId, id: number): Promise<boolean> {
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
  const end = performance.now() + ms
  let hasWaited = false
  while (performance.now() < end && !signal.aborted && (await isTesting(db, account, id))) {
    hasWaited = true
    await delay(Math.max(0, Math.min(LOOK_MS, end - performance.now())), undefined, { signal }).catch(() => undefined)
  }
  return hasWaited
}
