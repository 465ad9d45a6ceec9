import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'

/** Deletes the rejected lines of contacts from the lists of rejects, with every fault; `keys`: what they are unique by. */
export async function eraseLineRejects(tx: Db, account: AccountId, keys: readonly string[]): Promise<void> {
  await sql`
    delete from import_rejects r using import_executions e
    where r.key = any(${keys}::text[]) and e.id = r.execution and e.account = ${account}`.execute(tx)
}
