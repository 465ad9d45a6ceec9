import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { replaceListenedTypes } from '../../notices/listening.ts'
import type { NoticeType } from '../../notices/notices.ts'
import type { StreamedNotice } from './stream-filter.ts'

const RETENTION_MS = 48 * 3600 * 1000

async function registerStreamInterest(tx: Db, account: AccountId): Promise<void> {
  const { rows } = await sql<{ type: NoticeType }>`
    select type from stream_notices where account = ${account} order by type`.execute(tx)
  await replaceListenedTypes(
    tx,
    account,
    'stream',
    rows.map(({ type }) => type),
  )
}

/** Makes notices of these types be written from now on, until no stream has wanted them for two days. */
export async function enableStreamNotices(
  db: Db,
  account: AccountId,
  types: readonly NoticeType[],
  now: Date,
): Promise<void> {
  if (types.length === 0) return
  await inTransaction(db, async (tx) => {
    await sql`
      insert into stream_notices (account, type, used_at) select ${account}, unnest(${types}::text[]), ${now}
      on conflict (account, type) do update set used_at = excluded.used_at`.execute(tx)
    await registerStreamInterest(tx, account)
  })
}

/** Stops listening to types that no stream has wanted for two days: a stream of yesterday may still be resumed. */
export async function purgeStreamNotices(db: Db, now: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ account: AccountId }>`
      delete from stream_notices where used_at < ${new Date(now - RETENTION_MS)} returning account`.execute(tx)
    for (const account of new Set(rows.map((row) => row.account))) await registerStreamInterest(tx, account)
  })
}

/** Reads the notices of accounts of the last `withinMs` milliseconds, in the order of their ids. */
export async function readRecentNotices(
  db: Db,
  accounts: readonly AccountId[],
  withinMs: number,
): Promise<StreamedNotice[]> {
  if (accounts.length === 0) return []
  const { rows } = await sql<StreamedNotice>`
    select id, account, type, contact from notices
    where account = any(${accounts}::integer[]) and id > uuidv7(make_interval(secs => ${-withinMs / 1000}))
    order by id`.execute(db)
  return rows
}

/** At most `limit` notices of an account after an id. */
export async function readNoticesAfter(
  db: Db,
  account: AccountId,
  id: string,
  limit: number,
): Promise<StreamedNotice[]> {
  const { rows } = await sql<StreamedNotice>`
    select id, account, type, contact from notices
    where account = ${account} and id > ${id}::uuid order by id limit ${limit}`.execute(db)
  return rows
}
