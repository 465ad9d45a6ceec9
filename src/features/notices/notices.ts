import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** The types of notices, as listeners and webhooks name them. */
export const noticeTypes = [
  'target.created',
  'target.updated',
  'target.deleted',
  'target.redlisted',
  'target.bounced',
  'segment.entered',
  'segment.left',
  'subscription.created',
  'subscription.deleted',
  'import.completed',
  'message.postponed',
] as const
export type NoticeType = (typeof noticeTypes)[number]

/** A notice of a change: `data` holds ids, never values of a contact, so that notices need no erasure. */
export interface NewNotice {
  type: NoticeType
  contact: number | null
  data: object
  /** Where it is not that of the transaction. */
  cause?: NoticeCause
}

/** What caused a change: a workflow run, with the stamp of its messages and its depth. */
export interface NoticeCause {
  stamp: object | null
  depth: number
}

/**
 * The insert of notices, to stand in a `with` or alone. `notices`: a select of `type`, `contact` and `data`, of which
 * those without a listener are left out. The transaction then has 20 s to commit, as one that writes events: none
 * appears with an older time.
 */
function insertion(
  account: AccountId,
  notices: RawBuilder<unknown>,
  columns = sql`type, contact, data`,
): RawBuilder<unknown> {
  return sql`
    insert into notices (account, ${columns})
    with wanted as materialized (
      select n.*
      from accounts a cross join lateral (${notices}) n where a.id = ${account} and n.type = any(a.listening)),
    deadline as materialized (
      select case when (select count(*) from wanted) > 0 and current_setting('transaction_timeout') = '0'
        then set_config('transaction_timeout', '20s', true) end)
    select ${account}::integer, ${columns} from wanted cross join deadline`
}

/**
 * A part of a `with` that writes a notice per row of another part. `rows`: a select of `contact` and `data` (jsonb).
 * Nothing is written without a listener. To be used in the last long statement of a transaction.
 */
export function noticeInsertSql(account: AccountId, type: NoticeType, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return insertion(account, sql`select ${type}::text as type, r.contact, r.data from (${rows}) r`)
}

/**
 * `noticeInsertSql` as a further part of a `with`, after others; nothing when the type has no listener. `listening`: the
 * types that have one, as read with the definitions of the write's transaction.
 */
export function noticeInsertPartSql(
  { account, listening }: { account: AccountId; listening: ReadonlySet<NoticeType> },
  type: NoticeType,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return listening.has(type) ? sql`, ${sql.id(`notices ${type}`)} as (${noticeInsertSql(account, type, rows)})` : sql``
}

/** Writes notices with causes of their own. */
async function writeCaused(
  tx: Db,
  account: AccountId,
  notices: readonly (NewNotice & { cause: NoticeCause })[],
): Promise<void> {
  if (notices.length === 0) return
  const given = sql`
    select * from unnest(
      ${notices.map(({ type }) => type)}::text[], ${notices.map(({ contact }) => contact)}::bigint[],
      ${notices.map(({ data }) => toJsonbText(data))}::jsonb[],
      ${notices.map(({ cause: { stamp } }) => (stamp === null ? null : toJsonbText(stamp)))}::jsonb[],
      ${notices.map(({ cause: { depth } }) => depth)}::integer[]) as g(type, contact, data, stamp, depth)`
  await insertion(account, given, sql`type, contact, data, stamp, depth`).execute(tx)
}

/** Writes those of the notices that have a listener, in one statement; those with causes of their own in another. */
export async function writeNotices(tx: Db, account: AccountId, given: readonly NewNotice[]): Promise<void> {
  await writeCaused(
    tx,
    account,
    given.flatMap(({ cause, ...notice }) => (cause ? { ...notice, cause } : [])),
  )
  await writeUncaused(
    tx,
    account,
    given.filter(({ cause }) => cause === undefined),
  )
}

async function writeUncaused(tx: Db, account: AccountId, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const given = sql`
    select * from unnest(
      ${notices.map(({ type }) => type)}::text[], ${notices.map(({ contact }) => contact)}::bigint[],
      ${notices.map(({ data }) => toJsonbText(data))}::jsonb[]) as g(type, contact, data)`
  await insertion(account, given).execute(tx)
}

/** Sets the cause of the changes of this transaction: the notices written after it carry its stamp and depth. */
export async function setNoticeCause(tx: Db, cause: NoticeCause): Promise<void> {
  await sql`select set_config('stentor.cause', ${toJsonbText(cause)}, true)`.execute(tx)
}
