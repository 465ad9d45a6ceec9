import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { NoticeType } from './notices.ts'

/**
 * Makes these the types that `owner` (`webhook <id>`, `workflow <id>`) listens to, and no others; none at all when the
 * list is empty. Writes that begin once this is committed are told of.
 */
export function listen(db: Db, account: AccountId, owner: string, types: readonly NoticeType[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    // The account's row is where the types of all owners are put together: one change of them at a time.
    await sql`select from accounts where id = ${account} for no key update`.execute(tx)
    await sql`
      delete from notice_listeners
      where account = ${account} and owner = ${owner} and type <> all(${types}::text[])`.execute(tx)
    await sql`
      insert into notice_listeners (account, owner, type) select ${account}, ${owner}, unnest(${types}::text[])
      on conflict do nothing`.execute(tx)
  })
}

/** The types somebody listens to. Who has the definitions of the account at hand has these too. */
export async function listeningTo(db: Db, account: AccountId): Promise<ReadonlySet<NoticeType>> {
  const { rows } = await sql<{ listening: NoticeType[] }>`
    select listening from accounts where id = ${account}`.execute(db)
  return new Set(rows[0]?.listening)
}
