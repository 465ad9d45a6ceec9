import { type RawBuilder, sql } from 'kysely'
import type { SendingChannelName } from '../../channels/channel-traits.ts'
import type { MessageKind, MessageRequest, MessageStamp } from '../../channels/message.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { SentSourceKind } from '../../lib/sources.ts'
import type { UsedTemplateValues } from '../prepare/compose-message.ts'

/** A message by its stamp: one that was sent, or that waits. */
export interface StampedMessage {
  channel: SendingChannelName
  kind: Exclude<MessageKind, 'copy' | 'fallback'>
  sourceKind: SentSourceKind
  /** Number of what was sent. */
  source: number
  version: number
  contact: number | null
  /** Null when it is the contact's own and not yet recorded, and once it was erased. */
  address: string | null
  stamp: MessageStamp
  request: MessageRequest
  /** Values that its template used; null before its outcome is recorded. */
  values: UsedTemplateValues | null
  /** Outcome of the message; null while it waits. */
  outcome: 'accepted' | 'refused' | 'cancelled' | 'held' | null
  /** State of a waiting message in the outbox, and the last reply of the far side. Null once it has ended. */
  waits: 'queued' | 'claimed' | 'held' | null
  lastReply: string | null
  /** True if `address` and `values` are final; also for a waiting message that was erased, not for one dropped in doubt. */
  isRecorded: boolean
}

interface StampedRow extends Omit<StampedMessage, 'stamp'> {
  id: string
  thread: string
  set: string
  stamp_time: Date
}

/** The messages of an account by their stamps: what was recorded comes before what waits. `stamps`: an array of uuid. */
function selectMessages(account: AccountId, stamps: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct on (id) channel, kind, "sourceKind", source, version, contact, address, id, thread, set, stamp_time, request, values,
      outcome, waits, "lastReply", "isRecorded"
    from (
      select channel, kind, source_kind as "sourceKind", source, version, contact, nullif(address, '') as address,
        stamp as id, thread, set, stamp_time, request, values, outcome, null as waits,
        null as "lastReply", outcome <> 'held' or address = '' as "isRecorded", 1 as rank
      from sent_messages where account = ${account} and stamp = any(${stamps})
      union all
      select m.channel, m.kind, g.source_kind, g.source, m.version, m.contact, nullif(m.address, ''), m.stamp, m.thread, m.set,
        m.stamp_time, m.request, null, null, m.state, m.last_reply, m.address = '' is true, 2
      from messages m join sendings g on g.id = m.sending
      where m.account = ${account} and m.stamp = any(${stamps}) and m.kind not in ('copy', 'fallback')
      union all
      select m.channel, 'campaign', m.source_kind, m.source, m.version, m.contact, null, n.stamp, n.stamp, m.run, m.stamp_time,
        '{}', null, null, 'queued', null,
        exists (select from erased_contacts e where e.account = ${account} and e.contact = m.contact), 3
      from unnest(${stamps}) as n (stamp) cross join sliced_message(${account}, n.stamp) m) found
    order by id, rank`
}

/** The messages of stamps, by stamp; those past retention are not found. */
export async function findMessages(
  db: Db,
  account: AccountId,
  stamps: readonly string[],
): Promise<Map<string, StampedMessage>> {
  if (stamps.length === 0) return new Map()
  const { rows } = await sql<StampedRow>`${selectMessages(account, sql`${stamps}::uuid[]`)}`.execute(db)
  return new Map(
    rows.map(({ id, thread, set: setId, stamp_time, ...row }) => [
      id,
      { ...row, stamp: { id, thread, set: setId, time: stamp_time.getTime() } },
    ]),
  )
}

/** Returns the message of a stamp; `undefined` if there is none, or it is past retention. */
export async function findMessage(db: Db, account: AccountId, stamp: string): Promise<StampedMessage | undefined> {
  return (await findMessages(db, account, [stamp])).get(stamp)
}
