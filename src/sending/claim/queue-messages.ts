import { sql } from 'kysely'
import type { OutboxMessage } from '../../channels/message.ts'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { OutboxLane } from '../../lib/lanes.ts'

/** Outcomes of deliveries, by sequence. `held`: in doubt, until it is decided what becomes of the message. */
export type DeliveryEndings = Readonly<Record<string, 'accepted' | 'refused' | 'cancelled' | 'held'>>

export interface NewOutboxMessage extends Omit<OutboxMessage, 'sourceKind' | 'source'> {
  lane: OutboxLane
  notBefore: Date
  /** Keys of places that it holds from the beginning, by kind. */
  reservations?: Readonly<Record<string, string>>
}

/** A message that a sender holds until its lease ends. */
export interface ClaimedMessage extends OutboxMessage {
  /** Below zero: of a slice (slices.ts). */
  id: number
  /** Tries before this one. */
  attempts: number
  /** Time of the first postponement. */
  firstTriedAt: Date | null
  /** Time of the first postponement by pressure. */
  firstPostponedAt: Date | null
  /** Destination of the message when a gateway that shapes by destination returned it. */
  destination: string | null
  /** The gateway it was last given to takes it once however often it is sent: in doubt it is asked again. */
  isIdempotent: boolean
  /** Endings of deliveries while others remain, by sequence; null: none yet. */
  deliveries: DeliveryEndings | null
  /** Keys of the places it holds, by kind; null: nothing was decided. */
  reservations: Readonly<Record<string, string>> | null
}

/** Longest wait of an execution's message before it is `expired`: 72 hours. */
export const MAX_MESSAGE_WAIT_MS = 72 * 3600 * 1000

/** A message that was put into the outbox. */
interface QueuedMessage {
  id: number
  account: number
  stamp: string
}

/**
 * Takes back what was queued while an earlier message of its stamp left the outbox; gives the others. The insert waited for
 * that transaction at the unique index, but looked among the sent ones as they were before it: a statement of its own sees it.
 */
async function removeSentMessages(db: Db, queued: readonly QueuedMessage[]): Promise<readonly QueuedMessage[]> {
  if (queued.length === 0) return queued
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('messages-taken-back')}
    delete from messages m using sent_messages s
    where m.id = any(${queued.map(({ id }) => id)}::bigint[]) and s.account = m.account and s.stamp = m.stamp
    returning m.id`.execute(db)
  const sentIds = new Set(rows.map(({ id }) => id))
  return sentIds.size === 0 ? queued : queued.filter(({ id }) => !sentIds.has(id))
}

/**
 * Puts messages into the outbox, in the caller's transaction, and gives the stamp ids which were not known to the
 * account: a stamp that was used is passed over, so nothing is sent twice.
 */
export async function queueMessages(
  db: Db,
  messages: readonly NewOutboxMessage[],
  now: Date,
): Promise<readonly QueuedMessage[]> {
  if (messages.length === 0) return []
  const mapColumn = <Key extends keyof NewOutboxMessage>(key: Key) => messages.map((message) => message[key])
  const { rows } = await sql<QueuedMessage>`${buildPreparedPrefix('messages-queued')}
    insert into messages (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, created_at, reservations)
    select n.account, n.lane, n.channel, n.kind, n.sending, n.version, n.contact, n.address, n.stamp, n.thread, n.set, n.stamp_time,
      n.request, n.depth, n.not_before, n.expires_at, ${now}::timestamptz, n.reservations
    from unnest(
      ${mapColumn('account')}::integer[], ${mapColumn('lane')}::smallint[], ${mapColumn('channel')}::text[], ${mapColumn('kind')}::text[],
      ${mapColumn('sending')}::bigint[], ${mapColumn('version')}::integer[], ${mapColumn('contact')}::bigint[], ${mapColumn('address')}::text[],
      ${messages.map(({ stamp }) => stamp.id)}::uuid[], ${messages.map(({ stamp }) => stamp.thread)}::uuid[],
      ${messages.map(({ stamp }) => stamp.set)}::uuid[], ${messages.map(({ stamp }) => new Date(stamp.time))}::timestamptz[],
      ${messages.map(({ request }) => toJsonbText(request))}::jsonb[], ${mapColumn('depth')}::smallint[], ${mapColumn('notBefore')}::timestamptz[], ${mapColumn('expiresAt')}::timestamptz[],
      ${messages.map(({ reservations }) => (reservations ? toJsonbText(reservations) : null))}::jsonb[]
    ) with ordinality as n (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, reservations, place)
    where not exists (select from sent_messages s where s.account = n.account and s.stamp = n.stamp)
      and not exists (select from sliced_message(n.account, n.stamp))
    order by n.place
    on conflict (account, stamp) where kind not in ('copy', 'fallback') do nothing
    returning id, account, stamp`.execute(db)
  return removeSentMessages(db, rows)
}
