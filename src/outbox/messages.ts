import { sql } from 'kysely'
import type { Message } from '../channels/message.ts'
import { type Db, json } from '../database/connect.ts'
import type { Lane } from '../lib/lanes.ts'

export interface NewMessage extends Omit<Message, 'sourceKind' | 'source'> {
  lane: Lane
  notBefore: Date
}

/** A message that a sender holds until its lease ends. */
export interface ClaimedMessage extends Message {
  /** Below zero: of a slice (slices.ts). */
  id: number
  /** Tries before this one. */
  attempts: number
  /** When it was put off for the first time. */
  firstTriedAt: Date | null
  /** Where it was to go when it came back, of a gateway that shapes by destination. */
  destination: string | null
}

/** How long a message of an execution may wait before it is `expired`: 72 hours. */
export const WAIT_MS = 72 * 3600 * 1000

/**
 * Puts messages into the outbox, in the caller's transaction, and gives the stamp ids which were not known to the
 * account: a stamp that was used is passed over, so nothing is sent twice.
 */
export async function queueMessages(
  db: Db,
  messages: readonly NewMessage[],
  now: Date,
): Promise<{ account: number; stamp: string }[]> {
  if (messages.length === 0) return []
  const column = <Key extends keyof NewMessage>(key: Key) => messages.map((message) => message[key])
  const { rows } = await sql<{ account: number; stamp: string }>`
    insert into messages (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, created_at)
    select n.account, n.lane, n.channel, n.kind, n.sending, n.version, n.contact, n.address, n.stamp, n.thread, n.set, n.stamp_time,
      n.request, n.depth, n.not_before, n.expires_at, ${now}::timestamptz
    from unnest(
      ${column('account')}::integer[], ${column('lane')}::smallint[], ${column('channel')}::text[], ${column('kind')}::text[],
      ${column('sending')}::bigint[], ${column('version')}::integer[], ${column('contact')}::bigint[], ${column('address')}::text[],
      ${messages.map(({ stamp }) => stamp.id)}::uuid[], ${messages.map(({ stamp }) => stamp.thread)}::uuid[],
      ${messages.map(({ stamp }) => stamp.set)}::uuid[], ${messages.map(({ stamp }) => new Date(stamp.time))}::timestamptz[],
      ${messages.map(({ request }) => json(request))}::jsonb[], ${column('depth')}::smallint[], ${column('notBefore')}::timestamptz[], ${column('expiresAt')}::timestamptz[]
    ) with ordinality as n (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, place)
    where not exists (select from sent_messages s where s.account = n.account and s.stamp = n.stamp)
      and not exists (select from sliced_message(n.account, n.stamp))
    order by n.place
    on conflict (account, stamp) where kind <> 'copy' do nothing
    returning account, stamp`.execute(db)
  return rows
}
