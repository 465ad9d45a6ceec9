import { sql } from 'kysely'
import { describeMessageSource } from '../../channels/action-families.ts'
import type { SendingChannelName } from '../../channels/channel-traits.ts'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import { writeNotices } from '../../features/notices/notices.ts'
import type { AccountId } from '../../lib/account.ts'
import type { SentSourceKind } from '../../lib/sources.ts'
import type { MessageOutcome, MessagePostponement, ReturnedEnding } from './outcome.ts'

/** A message that waits because of pressure. */
export interface PostponedMessage {
  account: AccountId
  contact: number | null
  channel: SendingChannelName
  kind: string
  source_kind: SentSourceKind
  source: number
  stamp: string
  thread: string
  set: string
  stamp_time: Date
  postponement: MessagePostponement
}

const postponedColumns = sql`m.account, m.contact, m.channel, m.kind, o.source_kind, o.source, m.stamp, m.thread, m.set, m.stamp_time, m.postponement`

/** A waiting message as callers see it: what sends it, its stamp and until when it waits. */
export function formatPostponedMessage({ channel, kind, source_kind, source, ...row }: PostponedMessage) {
  const { stamp: id, thread, set: setId, stamp_time, postponement } = row
  return {
    channel,
    ...describeMessageSource(source_kind, { channel, source, isCampaign: kind === 'campaign' }),
    stamp: { time: stamp_time.getTime(), id, thread, set: setId },
    until: postponement.until,
  }
}

/** Notes of messages that were given back when they were postponed for the first time; gives those that were now. */
export async function recordPostponements(
  tx: Db,
  returned: readonly (MessageOutcome & { ending: ReturnedEnding })[],
): Promise<readonly PostponedMessage[]> {
  const postponed = returned.filter(({ ending }) => ending.postponement !== undefined)
  if (postponed.length === 0) return []
  const { rows } = await sql<PostponedMessage>`
    update messages m set first_postponed_at = g.at
    from unnest(
      ${postponed.map(({ id }) => id)}::bigint[],
      ${postponed.map(({ at }) => new Date(at))}::timestamptz[]) as g (id, at), sendings o
    where m.id = g.id and o.id = m.sending and m.state = 'queued' and m.postponement is not null
      and m.first_postponed_at is null
    returning ${postponedColumns}`.execute(tx)
  return rows
}

/** Writes the notices of messages that were postponed for the first time. */
export async function publishPostponements(tx: Db, postponed: readonly PostponedMessage[]): Promise<void> {
  for (const [account, accountRows] of Map.groupBy(postponed, (postponedRow) => postponedRow.account)) {
    const notices = accountRows.map((postponedRow) => {
      const { rule, expression } = postponedRow.postponement
      const { until, ...noticeMembers } = formatPostponedMessage(postponedRow)
      return {
        type: 'message.postponed' as const,
        contact: postponedRow.contact,
        data: { ...noticeMembers, rule, expression, until },
      }
    })
    await writeNotices(tx, account, notices)
  }
}

/** Senders go by rules that are up to a second old. */
const MAX_RULES_AGE_MS = 1000

/** Has the messages of an account that wait asked again as soon as senders know its rules as they are now. */
export async function requeuePostponedMessages(tx: Db, account: AccountId, now: Date): Promise<void> {
  await sql`
    with waiting as (
      select id from messages where account = ${account} and postponement is not null and state = 'queued'
      order by id for update)
    update messages m set not_before = least(m.not_before, ${new Date(now.getTime() + MAX_RULES_AGE_MS)})
    from waiting where m.id = waiting.id`.execute(tx)
}

/** The messages to a contact that wait, in the order in which they were asked for. */
export async function listPostponedToContact(db: Db, account: AccountId, contact: number): Promise<PostponedMessage[]> {
  const { rows } = await sql<PostponedMessage>`${buildPreparedPrefix('postponed-to')}
    select ${postponedColumns} from messages m join sendings o on o.id = m.sending
    where m.account = ${account} and m.contact = ${contact} and m.postponement is not null and m.state = 'queued'
    order by abs(m.id)`.execute(db)
  return rows
}
