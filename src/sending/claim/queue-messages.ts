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
  /** When it was put off for the first time. */
  firstTriedAt: Date | null
  /** When pressure let it wait for the first time. */
  firstPostponedAt: Date | null
  /** Where it was to go when it came back, of a gateway that shapes by destination. */
  destination: string | null
  /** The gateway it was last given to takes it once however often it is sent: in doubt it is asked again. */
  isIdempotent: boolean
  /** What became of deliveries while others are left, by sequence; null: nothing yet. */
  deliveries: DeliveryEndings | null
  /** Keys of the places it holds, by kind; null: nothing was decided. */
  reservations: Readonly<Record<string, string>> | null
}

/** How long a message of an execution may wait before it is `expired`: 72 hours. */
export const MAX_MESSAGE_WAIT_MS = 72 * 3600 * 1000

/** A message that was put into the outbox. */
interface Queued {
  id: number
  account: number
  stamp: string
}

/**
 * Takes back what was queued while an earlier message of its stamp left the outbox; gives the others. The insert waited for
 * that transaction at the unique index, but looked among the sent ones as they were before it: a statement of its own sees it.
 */
async function withoutSent(db: Db, queued: readonly Queued[]): Promise<readonly Queued[]> {
  if (queued.length === 0) return queued
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('messages-taken-back')}
    delete from messages m using sent_messages s
    where m.id = any(${queued.map(({ id }) => id)}::bigint[]) and s.account = m.account and s.stamp = m.stamp
    returning m.id`.execute(db)
  const sent = new Set(rows.map(({ id }) => id))
  return sent.size === 0 ? queued : queued.filter(({ id }) => !sent.has(id))
}

/**
 * Puts messages into the outbox, in the caller's transaction, and gives the stamp ids which were not known to the
 * account: a stamp that was used is passed over, so nothing is sent twice.
 */
export async function queueMessages(
  db: Db,
  messages: readonly NewOutboxMessage[],
  now: Date,
): Promise<readonly Queued[]> {
  if (messages.length === 0) return []
  const column = <Key extends keyof NewOutboxMessage>(key: Key) => messages.map((message) => message[key])
  const { rows } = await sql<Queued>`${buildPreparedPrefix('messages-queued')}
    insert into messages (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, created_at, reservations)
    select n.account, n.lane, n.channel, n.kind, n.sending, n.version, n.contact, n.address, n.stamp, n.thread, n.set, n.stamp_time,
      n.request, n.depth, n.not_before, n.expires_at, ${now}::timestamptz, n.reservations
    from unnest(
      ${column('account')}::integer[], ${column('lane')}::smallint[], ${column('channel')}::text[], ${column('kind')}::text[],
      ${column('sending')}::bigint[], ${column('version')}::integer[], ${column('contact')}::bigint[], ${column('address')}::text[],
      ${messages.map(({ stamp }) => stamp.id)}::uuid[], ${messages.map(({ stamp }) => stamp.thread)}::uuid[],
      ${messages.map(({ stamp }) => stamp.set)}::uuid[], ${messages.map(({ stamp }) => new Date(stamp.time))}::timestamptz[],
      ${messages.map(({ request }) => toJsonbText(request))}::jsonb[], ${column('depth')}::smallint[], ${column('notBefore')}::timestamptz[], ${column('expiresAt')}::timestamptz[],
      ${messages.map(({ reservations }) => (reservations ? toJsonbText(reservations) : null))}::jsonb[]
    ) with ordinality as n (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, reservations, place)
    where not exists (select from sent_messages s where s.account = n.account and s.stamp = n.stamp)
      and not exists (select from sliced_message(n.account, n.stamp))
    order by n.place
    on conflict (account, stamp) where kind not in ('copy', 'fallback') do nothing
    returning id, account, stamp`.execute(db)
  return withoutSent(db, rows)
}
