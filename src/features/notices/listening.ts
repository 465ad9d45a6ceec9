import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { NoticeType } from './notices.ts'

/**
 * Replaces the types that `owner` (`webhook <id>`, `workflow <id>`) listens to; an empty list removes all. Changes made by
 * transactions that begin after this is committed produce notices.
 */
export function replaceListenedTypes(
  db: Db,
  account: AccountId,
  owner: string,
  types: readonly NoticeType[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    // The account's row serialises changes: it holds the types of all owners.
    await sql`select from accounts where id = ${account} for no key update`.execute(tx)
    await sql`
      delete from notice_listeners
      where account = ${account} and owner = ${owner} and type <> all(${types}::text[])`.execute(tx)
    await sql`
      insert into notice_listeners (account, owner, type) select ${account}, ${owner}, unnest(${types}::text[])
      on conflict do nothing`.execute(tx)
  })
}

/** The types that have a listener. They are also part of the cached definitions of an account. */
export async function readListenedTypes(db: Db, account: AccountId): Promise<ReadonlySet<NoticeType>> {
  const { rows } = await sql<{ listening: NoticeType[] }>`
    select listening from accounts where id = ${account}`.execute(db)
  return new Set(rows[0]?.listening)
}
