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
  /** Set only if it differs from that of the transaction. */
  cause?: NoticeCause
}

/** The cause of a change: a workflow run, with the stamp of its messages and its depth. */
export interface NoticeCause {
  stamp: object | null
  depth: number
}

/**
 * The insert of notices, to stand in a `with` or alone. `notices`: a select of `type`, `contact` and `data`, of which
 * those without a listener are left out. The transaction then has 20 s to commit, as one that writes events: none
 * appears with an older time.
 */
function insertNoticesSql(
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
  return insertNoticesSql(account, sql`select ${type}::text as type, r.contact, r.data from (${rows}) r`)
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
async function writeCausedNotices(
  tx: Db,
  account: AccountId,
  notices: readonly (NewNotice & { cause: NoticeCause })[],
): Promise<void> {
  if (notices.length === 0) return
  const noticeRows = sql`
    select * from unnest(
      ${notices.map(({ type }) => type)}::text[], ${notices.map(({ contact }) => contact)}::bigint[],
      ${notices.map(({ data }) => toJsonbText(data))}::jsonb[],
      ${notices.map(({ cause: { stamp } }) => (stamp === null ? null : toJsonbText(stamp)))}::jsonb[],
      ${notices.map(({ cause: { depth } }) => depth)}::integer[]) as g(type, contact, data, stamp, depth)`
  await insertNoticesSql(account, noticeRows, sql`type, contact, data, stamp, depth`).execute(tx)
}

/** Writes those of the notices that have a listener, in one statement; those with causes of their own in another. */
export async function writeNotices(tx: Db, account: AccountId, newNotices: readonly NewNotice[]): Promise<void> {
  await writeCausedNotices(
    tx,
    account,
    newNotices.flatMap(({ cause, ...notice }) => (cause ? { ...notice, cause } : [])),
  )
  await writeUncausedNotices(
    tx,
    account,
    newNotices.filter(({ cause }) => cause === undefined),
  )
}

async function writeUncausedNotices(tx: Db, account: AccountId, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const noticeRows = sql`
    select * from unnest(
      ${notices.map(({ type }) => type)}::text[], ${notices.map(({ contact }) => contact)}::bigint[],
      ${notices.map(({ data }) => toJsonbText(data))}::jsonb[]) as g(type, contact, data)`
  await insertNoticesSql(account, noticeRows).execute(tx)
}

/** Sets the cause of the changes of this transaction: the notices written after it carry its stamp and depth. */
export async function setNoticeCause(tx: Db, cause: NoticeCause): Promise<void> {
  await sql`select set_config('stentor.cause', ${toJsonbText(cause)}, true)`.execute(tx)
}
