import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { NewOutboxMessage } from '../claim/queue-messages.ts'

/*
 * A fallback stands in for a message that could not be delivered, on another channel: it has the stamp of that one, and what
 * becomes of it is kept beside the first outcome.
 */

/** Builds the retained record of a fallback, in addition to the outcome of its message. */
export function toMessageFallback({
  channel,
  version,
  address,
  outcome,
  at,
}: Record<'channel' | 'version' | 'address' | 'outcome' | 'at', RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql`jsonb_build_object('channel', ${channel}, 'version', ${version}, 'address', ${address}, 'outcome', ${outcome}::text,
    'at', ${at})`
}

/**
 * Queues fallbacks in the caller's transaction, and gives the stamps that had none: a message has one fallback at most. The
 * request of each names what it stands in for.
 */
export async function queueFallbackMessages(
  tx: Db,
  messages: readonly NewOutboxMessage[],
  now: Date,
): Promise<string[]> {
  if (messages.length === 0) return []
  const sortedMessages = messages.toSorted((a, b) => (a.stamp.id < b.stamp.id ? -1 : 1))
  const mapColumn = <Key extends keyof NewOutboxMessage>(key: Key) => sortedMessages.map((message) => message[key])
  const { rows } = await sql<{ stamp: string }>`
    insert into messages (account, lane, channel, kind, sending, version, contact, address, stamp, thread, set, stamp_time,
      request, depth, not_before, expires_at, created_at)
    select n.account, n.lane, n.channel, 'fallback', n.sending, n.version, n.contact, n.address, n.stamp, n.thread, n.set,
      n.stamp_time, n.request, n.depth, n.not_before, n.expires_at, ${now}::timestamptz
    from unnest(
      ${mapColumn('account')}::integer[], ${mapColumn('lane')}::smallint[], ${mapColumn('channel')}::text[],
      ${mapColumn('sending')}::bigint[], ${mapColumn('version')}::integer[], ${mapColumn('contact')}::bigint[], ${mapColumn('address')}::text[],
      ${sortedMessages.map(({ stamp }) => stamp.id)}::uuid[], ${sortedMessages.map(({ stamp }) => stamp.thread)}::uuid[],
      ${sortedMessages.map(({ stamp }) => stamp.set)}::uuid[], ${sortedMessages.map(({ stamp }) => new Date(stamp.time))}::timestamptz[],
      ${sortedMessages.map(({ request }) => toJsonbText(request))}::jsonb[], ${mapColumn('depth')}::smallint[], ${mapColumn('notBefore')}::timestamptz[], ${mapColumn('expiresAt')}::timestamptz[]
    ) as n (account, lane, channel, sending, version, contact, address, stamp, thread, set, stamp_time, request, depth, not_before, expires_at)
    where not exists (
      select from sent_messages s where s.account = n.account and s.stamp = n.stamp and s.fallback is not null)
    on conflict (account, stamp) where kind = 'fallback' do nothing
    returning stamp`.execute(tx)
  return rows.map(({ stamp }) => stamp)
}
