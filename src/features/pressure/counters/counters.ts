import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { formatPostgresArray } from '../../../database/rows/array-text.ts'
import type { AccountId } from '../../../lib/account.ts'
import { oldestPressureBucketKey } from './buckets.ts'

/** Names a contact. */
export interface PressureContactKey {
  account: AccountId
  contact: number
}

/** A row of counters. */
export interface PressureCounters extends PressureContactKey {
  /** As `readBuckets` reads them. */
  buckets: number[]
}

/**
 * Reads the counters of contacts, locked in ascending order until the transaction ends. Contacts without counters get empty ones. A
 * deleted contact has none.
 */
export async function lockPressureCounters(
  tx: Db,
  contacts: readonly PressureContactKey[],
): Promise<PressureCounters[]> {
  const { rows } = await sql<PressureCounters>`${buildPreparedPrefix('lock-pressure')}
    insert into pressure_counters as p (account, contact)
    select c.account, c.id
    from (select distinct account, contact from unnest(
      ${formatPostgresArray(contacts.map(({ account }) => account))}::integer[],
      ${formatPostgresArray(contacts.map(({ contact }) => contact))}::bigint[]) as g (account, contact)) n
    join contacts c on c.account = n.account and c.id = n.contact
    order by c.account, c.id for key share of c
    on conflict (account, contact) do update set contact = p.contact
    returning account, contact, buckets`.execute(tx)
  return rows
}

/** Writes whole rows of counters that the transaction has locked. */
export async function writePressureCounters(tx: Db, counters: readonly PressureCounters[]): Promise<void> {
  if (counters.length === 0) return
  const text = counters.map(({ buckets }) => `{${buckets.join(',')}}`)
  await sql`${buildPreparedPrefix('write-pressure')}
    update pressure_counters p set buckets = n.buckets::bigint[]
    from unnest(
      ${formatPostgresArray(counters.map(({ account }) => account))}::integer[],
      ${formatPostgresArray(counters.map(({ contact }) => contact))}::bigint[], ${text}::text[]) as n (account, contact, buckets)
    where p.account = n.account and p.contact = n.contact`.execute(tx)
}

/** The counters of a contact; none: nothing was counted. */
export async function readPressureCounters(db: Db, { account, contact }: PressureContactKey): Promise<number[]> {
  const { rows } = await sql<{ buckets: number[] }>`
    select buckets from pressure_counters where account = ${account} and contact = ${contact}`.execute(db)
  return rows[0]?.buckets ?? []
}

/** The counters of several contacts of an account; those that have none are left out. */
export async function readManyPressureCounters(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ contact: number; buckets: number[] }>`
    select contact, buckets from pressure_counters
    where account = ${account} and contact = any(${formatPostgresArray(contacts)}::bigint[])`.execute(db)
  return new Map(rows.map(({ contact, buckets }) => [contact, buckets]))
}

/** A message that is to count, or counts no more. `key`: where (`pressureBucketKey`). */
export interface PressureCountEntry extends PressureContactKey {
  key: number
}

/**
 * Buckets with counts added or removed; `changes` are rows of (key, n). Those before the quarter of an hour `oldest` are dropped. It is
 * not a function of the database: a SQL function that cannot be inlined is started again for each row.
 */
function mergeBucketsSql(
  buckets: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
  oldest: number,
): RawBuilder<unknown> {
  return sql`array(
    select whole.key << 14 | least(whole.n, 16383)
    from (
      select parts.key, sum(parts.n)::bigint as n
      from (select b >> 14 as key, b & 16383 as n from unnest(${buckets}) as k (b) union all ${changes}) as parts
      where parts.key >= ${oldest}::bigint group by parts.key) as whole
    where whole.n > 0 order by whole.key)`
}

/** Takes messages off the counters of their contacts, in one statement. */
export async function uncountPressureMessages(
  tx: Db,
  messages: readonly PressureCountEntry[],
  now: number,
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    with given as (
      select account, contact, array_agg(key) as keys
      from unnest(
        ${formatPostgresArray(messages.map(({ account }) => account))}::integer[],
        ${formatPostgresArray(messages.map(({ contact }) => contact))}::bigint[],
        ${formatPostgresArray(messages.map(({ key }) => key))}::bigint[]) as g (account, contact, key)
      group by account, contact
    ), locked as (
      select p.account, p.contact, g.keys
      from pressure_counters p join given g using (account, contact)
      order by p.account, p.contact for update of p
    )
    update pressure_counters p set buckets = ${mergeBucketsSql(sql`p.buckets`, sql`select key, -1 from unnest(l.keys) as key`, oldestPressureBucketKey(now))}
    from locked l where p.account = l.account and p.contact = l.contact`.execute(tx)
}

/** A message that was sent without a place. `key`: where it counts, but for its purpose and topic. */
export interface UncountedMessage extends PressureCountEntry {
  /** The version of its content, which defines if it counts, and under which scope. */
  version: number
}

/** The bits of a bucket for the purpose and the topic. */
const scopeBitsSql = sql`
  (case when v.source #>> '{settings,purpose}' = 'marketing' then 0 else 1 << 13 end | coalesce(t.number, 0))`

/** Counts messages that were sent without a place, as their contents say, in one statement. A content is large: it is read once. */
export async function countUnreservedMessages(
  tx: Db,
  messages: readonly UncountedMessage[],
  now: number,
): Promise<void> {
  if (messages.length === 0) return
  const versions = [...new Set(messages.map(({ version }) => version))]
  await sql`${buildPreparedPrefix('count-pressure')}
    with contents as materialized (
      select v.account, v.id, ${scopeBitsSql} as scope
      from content_versions v
      left join pressure_topics t on t.account = v.account and t.id = (v.source #>> '{settings,pressure,topic}')::uuid
      where v.id = any(${formatPostgresArray(versions)}::integer[])
        and coalesce((v.source #>> '{settings,pressure,increment}')::boolean, v.source #>> '{settings,purpose}' = 'marketing')
    ), given as (
      select n.account, n.contact, n.key | v.scope as key, count(*) as n
      from unnest(
        ${formatPostgresArray(messages.map(({ account }) => account))}::integer[],
        ${formatPostgresArray(messages.map(({ contact }) => contact))}::bigint[],
        ${formatPostgresArray(messages.map(({ version }) => version))}::integer[],
        ${formatPostgresArray(messages.map(({ key }) => key))}::bigint[]) as n (account, contact, version, key)
      join contents v on v.id = n.version and v.account = n.account
      group by 1, 2, 3
    ), counted as (
      select account, contact, array_agg(key << 14 | least(n, 16383) order by key) as buckets from given group by account, contact
    ), locked as (
      select c.account, c.id as contact, g.buckets
      from counted g join contacts c on c.account = g.account and c.id = g.contact
      order by c.account, c.id for key share of c
    )
    insert into pressure_counters as p (account, contact, buckets)
    select account, contact, buckets from locked order by account, contact
    on conflict (account, contact) do update set buckets = ${mergeBucketsSql(sql`p.buckets`, sql`select b >> 14, b & 16383 from unnest(excluded.buckets) as b`, oldestPressureBucketKey(now))}`.execute(
    tx,
  )
}
