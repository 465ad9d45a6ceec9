import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'

/** Keeps these locks apart from others that use the account's number. */
const WRITE_LOCK_CLASS = 0x636f6e74

/**
 * Taken at the start of every transaction that writes contacts of an account. Such transactions do not wait for each
 * other, only for a change of the definitions they read. Gives the number of the definitions that hold to its end.
 */
export async function enterContactWrite(tx: Db, account: AccountId): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select hold_definitions(${WRITE_LOCK_CLASS}, ${account}) as version`.execute(tx)
  return rows[0]?.version ?? 0
}

/** Waits for the running contact writes of an account and blocks new ones until the transaction ends. */
export async function blockContactWrites(tx: Db, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${WRITE_LOCK_CLASS}, ${account})`.execute(tx)
}
