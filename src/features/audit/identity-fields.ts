import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A field whose values say who a contact is. */
export interface IdentityField {
  id: number
  name: string
}

/** Fields of an account that hold addresses or numbers, or are its unicity. */
export async function readIdentityFields(db: Db, account: AccountId): Promise<IdentityField[]> {
  const { rows } = await sql<IdentityField>`
    select id, name from fields where account = ${account} and (is_unicity or type in ('email', 'phone'))`.execute(db)
  return rows
}
