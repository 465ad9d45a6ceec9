import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Registration } from './application-schemas.ts'

/** What these applications let devices do, by id; unknown ones are left out. */
export async function registrationsOf(
  db: Db,
  account: AccountId,
  ids: readonly string[],
): Promise<Map<string, Registration>> {
  const { rows } = await sql<Registration & { id: string }>`
    select id, registration_open as open, registration_identifiers as identifiers from applications
    where account = ${account} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...registration }) => [id, registration]))
}
