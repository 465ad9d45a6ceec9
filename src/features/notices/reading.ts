import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import type { TimePeriod } from '../../lib/time/period.ts'
import type { NoticeType } from './notices.ts'

/** A notice as webhooks and listeners see it; what was published by name is one too. */
export interface Notice {
  type: NoticeType | 'custom'
  /** Only for custom events. */
  name?: string
  /** uuid version 7. */
  id: string
  /** Milliseconds: the time in the id. */
  timestamp: number
  contact: string | null
  data: Record<string, unknown>
  stamp: Record<string, unknown> | null
  depth: number
}

type NoticeRow = Omit<Notice, 'contact' | 'timestamp' | 'name'> & {
  contact: number | null
  at: Date
  name: string | null
}

const noticeColumns = sql`type, name, id, uuid_extract_timestamp(id) as at, contact, data, stamp, depth`

function toNotice({ type, name, id, at, contact, ...noticeMembers }: NoticeRow): Notice {
  return {
    type,
    ...(name !== null && { name }),
    id,
    timestamp: at.getTime(),
    contact: contact === null ? null : formatContactId(contact),
    ...noticeMembers,
  }
}

/**
 * Notices of an account in the order of publication: at most `limit` behind the id `after`. As with events one may
 * still appear among those of the last 20 s; a reader that must miss none reads these again and drops known ids.
 */
export async function readNotices(
  db: Db,
  account: AccountId,
  after: string | undefined,
  limit: number,
): Promise<Notice[]> {
  const { rows } = await sql<NoticeRow>`
    select ${noticeColumns} from notices
    where account = ${account} and id > coalesce(${after ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit ${limit}`.execute(db)
  return rows.map(toNotice)
}

/** Notices of any accounts by their ids, in that order; what is not there any more is left out. */
export async function readNoticesById(db: Db, ids: readonly string[]): Promise<Notice[]> {
  if (ids.length === 0) return []
  const { rows } =
    await sql<NoticeRow>`select ${noticeColumns} from notices where id = any(${ids}::uuid[]) order by id`.execute(db)
  return rows.map(toNotice)
}

/** A custom event that a run of a workflow published. */
export interface PublishedEvent extends Omit<Notice, 'type'> {
  type: 'custom'
  name: string
}

/** Custom events that the runs of a workflow published in a period, by their time. */
export async function* listPublishedEvents(
  db: Db,
  { account, id }: { account: AccountId; id: number },
  { start, end, sort }: TimePeriod & { sort: 'asc' | 'desc' },
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<PublishedEvent> {
  const order = sql.raw(sort)
  const cursorOperator = sql.raw(sort === 'asc' ? '>' : '<')
  const eventTime = sql`uuid_extract_timestamp(id)`
  const query = sql<Omit<PublishedEvent, 'contact' | 'timestamp'> & { contact: number | null; at: Date }>`
    select type, name, id, ${eventTime} as at, contact, data, stamp, depth from notices
    where account = ${account} and workflow = ${id} and type = 'custom'
      and (${after ?? null}::uuid is null or id ${cursorOperator} ${after ?? null}::uuid)
      and (${start === undefined ? null : new Date(start)}::timestamptz is null or ${eventTime} >= ${start === undefined ? null : new Date(start)})
      and (${end === undefined ? null : new Date(end)}::timestamptz is null or ${eventTime} < ${end === undefined ? null : new Date(end)})
    order by id ${order} limit ${limit ?? null}::integer`
  for await (const { type, name, id: event, at: time, contact, ...noticeMembers } of streamRows(db, query)) {
    const contactId = contact === null ? null : formatContactId(contact)
    yield { type, name, id: event, timestamp: time.getTime(), contact: contactId, ...noticeMembers }
  }
}
