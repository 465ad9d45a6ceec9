import type { DatabasePool } from '../src/database/connection/connect.ts'
import { rawClickHouseSql } from '../src/features/events/columnar/sql.ts'
import type { EventStore } from '../src/features/events/columnar/store.ts'
import { EVENT_INBOX_TABLE } from '../src/features/events/columnar/tables.ts'
import { DAY_MS } from '../src/lib/time/spans.ts'

/** What is loaded: events of two accounts, of actions that went out one after the other, each with reactions of ten days. */
export interface Shape {
  accounts: readonly [own: number, other: number]
  /** Number of the first action. */
  action: number
  actions: number
  /** Id of the first contact, and how many there are. */
  contact: number
  contacts: number
}

/** Days that reactions of one action take. */
const REACTION_DAYS = 10
const PER_STATEMENT = 1_000_000

/** The same members, and about as many characters, as a click on the link of a campaign has. */
const detail = (contact: string, stamp: string, ms: string): string =>
  `concat('{"activation":{"id":"000AB1","kind":"campaign",
"receiver":{"type":"footprint","id":"', lower(hex(toUInt32(${contact}))), '","unicity":"reader', toString(${contact}), '@shop.example","hash":"',
lower(hex(MD5(toString(${contact})))), '"},"recipient":"reader', toString(${contact}), '@shop.example","field":1,"stamp":{"time":', toString(${ms}),
',"id":"', toString(${stamp}), '","thread":"', toString(${stamp}), '","set":"', toString(${stamp}), '"},"gateway":{"name":"relay","message":"7F2C1A', toString(${ms}),
'"}},"link":{"type":"redirection","id":', toString(${ms} % 12), ',"name":"offer","url":"https://shop.example/offers/', toString(${ms} % 12),
'"},"hit":{"time":', toString(${ms}), ',"ip":"203.0.113.0","userAgent":"Mozilla/5.0 (X11; Linux x86_64)","device":{"type":"desktop","os":"Linux","client":"Firefox"},"classification":null}}')`.replaceAll(
    '\n',
    '',
  )

/** One event for each number, in the order of time: a fifth are activations. */
const given = ({ accounts, action, actions, contact, contacts }: Shape, from: number, until: number): string => `
  select number as n, if(n % 2 = 0, ${accounts[0]}, ${accounts[1]}) as account, ${action} + intDiv(n, 2) % ${actions} as subject,
    cityHash64(n) as random,
    least(toInt64(${from} + (${until} - ${from}) * ((intDiv(n, 2) % ${actions}) / ${actions})
      + ${REACTION_DAYS * DAY_MS} * pow((random % 1000003) / 1000003, 3)), ${until - 1}) as ms,
    ['hits/open', 'hits/redirection', 'hits/open', 'hits/open', 'activations'][1 + random % 5] as kind,
    toInt64(${contact} + cityHash64(n, 1) % ${contacts}) as contact, toUUID(concat(substring(leftPad(lower(hex(toUInt64(ms))), 12, '0'), 1, 8), '-', substring(leftPad(lower(hex(toUInt64(ms))), 12, '0'), 9, 4), '-7000-8000-', substring(leftPad(lower(hex(random)), 16, '0'), 5, 12))) as stamp`

/** Loads events straight into the store, between two instants in milliseconds: of before there was one. */
export async function loadStored(
  store: EventStore,
  shape: Shape,
  { count, from, until }: { count: number; from: number; until: number },
): Promise<void> {
  for (let done = 0; done < count; done += PER_STATEMENT) {
    const rows = Math.min(PER_STATEMENT, count - done)
    await store.command({
      account: null,
      statement:
        rawClickHouseSql(`insert into ${EVENT_INBOX_TABLE} (id, at, account, channel, kind, subject, contact, stamp, thread, activation_at, detail, targets)
select bitOr(bitShiftLeft(toUInt128(ms), 80), bitOr(bitShiftLeft(toUInt128(7), 76), toUInt128(cityHash64(n, 2)))), fromUnixTimestamp64Milli(ms, 'UTC'),
  account, 'email', kind, subject, contact, stamp, stamp, if(kind = 'activations', null, fromUnixTimestamp64Milli(ms - 60000, 'UTC')),
  ${detail('contact', 'stamp', 'ms')}, 255
from (${given(shape, from, until)} from numbers(${done}, ${rows}))`),
    })
  }
}

/** Loads events into the database as the service would have published them, older first; they are copied from there. */
export async function loadHere(
  pool: DatabasePool,
  shape: Shape,
  { count, from, until }: { count: number; from: number; until: number },
): Promise<void> {
  const { accounts, action, actions, contact, contacts } = shape
  await pool.query('select make_event_partitions($1::timestamptz, 4)', [new Date(from)])
  const client = await pool.connect()
  // They are of before the service began, and not counted yet: nothing counts further before they are all there.
  await client.query('begin')
  await client.query('update event_counting set counted_until = $1, days_until = $1', [new Date(from - DAY_MS)])
  await client.query(
    `insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, activation_at, detail)
     select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5('a' || n), 1, 3) || '8' || substr(md5(n || 'b'), 1, 15))::uuid,
       to_timestamp(ms / 1000.0), account, 'email', kind, subject, contact, stamp, stamp,
       case when kind <> 'activations' then to_timestamp((ms - 60000) / 1000.0) end,
       json_build_object('activation', json_build_object('id', '000AB1', 'kind', 'campaign', 'receiver', json_build_object(
           'type', 'footprint', 'id', to_hex(contact), 'unicity', 'reader' || contact || '@shop.example', 'hash', md5(contact::text)),
           'recipient', 'reader' || contact || '@shop.example', 'field', 1, 'stamp', json_build_object('time', ms, 'id', stamp, 'thread', stamp, 'set', stamp),
           'gateway', json_build_object('name', 'relay', 'message', '7F2C1A' || ms)),
         'link', json_build_object('type', 'redirection', 'id', ms % 12, 'name', 'offer', 'url', 'https://shop.example/offers/' || ms % 12),
         'hit', json_build_object('time', ms, 'ip', '203.0.113.0', 'userAgent', 'Mozilla/5.0 (X11; Linux x86_64)',
           'device', json_build_object('type', 'desktop', 'os', 'Linux', 'client', 'Firefox'), 'classification', null))
     from (
       select n, case when n % 2 = 0 then $1::integer else $2 end as account, $3::integer + (n / 2) % $4 as subject,
         $5::bigint + (($6::bigint - $5) * n / $7)::bigint as ms,
         (array['hits/open', 'hits/redirection', 'hits/open', 'hits/open', 'activations'])[1 + (n * 31 % 5)] as kind,
         ($8::bigint + (n * 7919) % $9)::bigint as contact, md5(n::text)::uuid as stamp
       from generate_series(0::bigint, $7::bigint - 1) n offset 0) e`,
    [...accounts, action, actions, from, until, count, contact, contacts],
  )
  await client.query('commit')
  client.release()
}

/** Counts, by quarter, what the store has of a span, as the service had when these events were new. */
export async function loadCounts(pool: DatabasePool, store: EventStore, until: number): Promise<void> {
  const statement =
    rawClickHouseSql(`select account, channel, subject, toUnixTimestamp64Milli(toDateTime64(toStartOfInterval(at, interval 15 minute), 3)) as start, kind,
    toInt32(count()) as humans, toString(groupArrayDistinct(contact)) as contacts, toUnixTimestamp64Milli(min(activation_at)) as first,
    toUnixTimestamp64Milli(max(activation_at)) as last
    from events_by_subject where at < fromUnixTimestamp64Milli(${until}) group by account, channel, subject, start, kind`)
  const rows = await store.rows<Record<string, unknown>>({ account: null, statement })
  for (let done = 0; done < rows.length; done += 1000)
    await pool.query(
      `insert into event_counts (account, channel, subject, start, kind, humans, robots, contacts, first_activation_at, last_activation_at)
       select account, channel, subject, to_timestamp(start / 1000.0), kind, humans, 0, (
           select string_agg(substr(int8send(c::bigint), 3), '' order by c::bigint) from json_array_elements_text(contacts::json) c),
         to_timestamp(first / 1000.0), to_timestamp(last / 1000.0)
       from jsonb_to_recordset($1::jsonb) as r (account integer, channel text, subject integer, start bigint, kind text, humans integer,
         contacts text, first bigint, last bigint)`,
      [JSON.stringify(rows.slice(done, done + 1000))],
    )
}
