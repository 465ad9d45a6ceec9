import type { DatabasePool } from '../../../src/database/connection/connect.ts'
import { copyNextEvents } from '../../../src/features/events/columnar-copy/copier.ts'

/** Copies all events, however new, until there is nothing more to copy. */
export async function copyEverything(copying: Parameters<typeof copyNextEvents>[0]): Promise<void> {
  while ((await copyNextEvents({ behindMs: 0, ...copying })) > 0);
}

/** The hosts, links and users of made events: details as long as real ones are. */
const DETAIL = `json_build_object('activation', json_build_object('id', '000AB1', 'kind', 'campaign', 'receiver', json_build_object(
    'type', 'footprint', 'id', lpad(to_hex(contact), 8, '0'), 'unicity', 'reader' || contact || '@shop.example', 'hash', md5(contact::text)),
    'recipient', 'reader' || contact || '@shop.example', 'stamp', json_build_object('id', stamp, 'time', ms)),
  'link', json_build_object('type', 'redirection', 'id', n % 7, 'url', 'https://shop.example/offers/' || n % 7),
  'hit', json_build_object('time', ms, 'ip', '203.0.113.0', 'userAgent', 'Mozilla/5.0 (X11; Linux)', 'classification', null))`

/** What events are made of. */
export interface MadeEvents {
  accounts: readonly number[]
  count: number
  /** Milliseconds: the events are spread over it. */
  from: number
  until: number
  actions?: number
  contacts?: number
}

/** Writes events of two kinds, as if they had been published in a span of time: hits, and every fifth an activation. */
export async function makeEvents(pool: DatabasePool, made: MadeEvents): Promise<void> {
  const { accounts, count, from, until, actions = 5, contacts = 50 } = made
  await pool.query(
    "select make_event_partitions($1::timestamptz, 1 + ceil(date_part('day', $2::timestamptz - $1) / 28)::integer)",
    [new Date(from), new Date(until)],
  )
  await pool.query(
    `insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, classification, is_test, activation_at, detail)
     select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5('id' || n || random()), 1, 3) || '8' || substr(md5(n || 'id' || random()), 1, 15))::uuid,
       to_timestamp(ms / 1000.0), account, 'email', kind, 1 + n % $5, contact, stamp, stamp,
       case when kind like 'hits/%' and n % 11 = 0 then 'genericrobot' end, n % 97 = 0,
       case when kind like 'hits/%' then to_timestamp((ms - 60000) / 1000.0) end, ${DETAIL}
     from (
       select n, ($1::integer[])[1 + n % cardinality($1)] as account, $3::bigint + (($4::bigint - $3) * n / $2)::bigint as ms,
         (array['hits/open', 'hits/redirection', 'hits/open', 'hits/redirection', 'activations'])[1 + n % 5] as kind,
         (1 + (n * 7919) % $6)::bigint as contact, md5('stamp' || n)::uuid as stamp
       from generate_series(0::bigint, $2::bigint - 1) n) given`,
    [accounts, count, from, until, actions, contacts],
  )
}
