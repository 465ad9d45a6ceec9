import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { buildPreparedPrefix, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { formatPostgresArray } from '../../../database/rows/array-text.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import { ensureEventPartitions } from '../partitions.ts'
import { toPostgresJson } from './append.ts'
import { EARLY_REACTION_WAIT_DAYS } from './early.ts'
import { recordEvents } from './effects.ts'
import { answerableActivations, isFallbackActivation } from './every-activation.ts'
import type { NewEvent } from './new-event.ts'

/** SQLSTATE of a row that no partition takes. */
const CHECK_VIOLATION = '23514'

/**
 * Writes hits that have neither natural keys nor effects as `appendEvents` does, in a transaction and a round trip of their own.
 * `group` (a uuid) is their key: a group that is written, or being written by another, is not written again.
 */
export async function appendHits(db: Db, group: string, hits: readonly NewEvent[]): Promise<void> {
  if (hits.length === 0) return
  const statement = buildHitStatement(group, hits)
  try {
    await statement.execute(db)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION)) throw error
    // Partitions are created months ahead; a missing one is created now.
    await ensureEventPartitions(db, 1)
    await statement.execute(db)
  }
}

/** Writes any events with their effects in one transaction, as `recordEvents` does, under the key of their group. */
export async function recordEventsOnce(db: Db, group: string, events: readonly NewEvent[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    const insertedKeys =
      await sql`insert into event_keys (key) values (${group}) on conflict do nothing returning key`.execute(tx)
    if (insertedKeys.rows.length > 0) await recordEvents(tx, events)
  })
}

/** The hits as rows, each with the random bits of an id. */
function selectHitRows(hits: readonly NewEvent[]): RawBuilder<unknown> {
  const buildColumn = (of: (hit: NewEvent) => string | number | boolean | null | undefined) =>
    formatPostgresArray(hits.map(of))
  const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
  return sql`
      select *, gen_random_uuid() as seed from rows from (
        unnest(${buildColumn(({ account }) => account)}::integer[], ${buildColumn(({ channel }) => channel)}::text[],
          ${buildColumn(({ kind }) => kind)}::text[], ${buildColumn(({ subject }) => subject)}::integer[],
          ${buildColumn(({ contact }) => contact)}::bigint[], ${buildColumn(({ stamp }) => stamp)}::uuid[],
          ${buildColumn(({ isTest }) => isTest)}::boolean[], ${buildColumn(({ isFallback }) => isFallback ?? false)}::boolean[], ${buildColumn(({ classification }) => classification)}::text[],
          ${buildColumn(({ watch }) => watch?.hitAt)}::bigint[], ${buildColumn(({ watch }) => watch?.link)}::integer[],
          ${buildColumn(({ watch }) => watch?.visitor && toHex(watch.visitor))}::text[],
          ${buildColumn(({ watch }) => watch?.early?.withinMs)}::integer[],
          ${buildColumn(({ watch }) => watch?.early?.classification)}::text[]),
        json_array_elements(${`[${hits.map(({ detail }) => toPostgresJson(detail)).join(',')}]`}::json),
        json_array_elements(${`[${hits.map(({ fallback }) => JSON.stringify(fallback ?? null)).join(',')}]`}::json)) with ordinality
        as r (account, channel, kind, subject, contact, stamp, is_test, is_fallback, classification, hit_ms, link, visitor, early_ms,
          early_class, detail, fallback, n)`
}

/**
 * The same as `buildAppendStatement`, but for hits only and prepared: planning the general statement takes longer than running
 * this one. The key comes first, as it may wait for another transaction; without a new key there is no row of `clock`, and
 * so nothing is written. An activation is searched from the time of its stamp on, which leaves out the partitions before it,
 * unless the stamp lies in the future.
 */
function buildHitStatement(group: string, hits: readonly NewEvent[]): RawBuilder<unknown> {
  return sql`${buildPreparedPrefix('append-hits')}
  with fresh as (insert into event_keys (key) values (${group}::uuid) on conflict do nothing returning key),
  clock as materialized (
    select set_config('transaction_timeout', '20s', true), floor(date_part('epoch', clock_timestamp()) * 1000)::bigint as ms
    from fresh),
  given as materialized (
    select g.*, clock.ms + 1 - row_number() over (partition by account, coalesce(stamp, seed) order by n desc) as ms
    from clock, (${selectHitRows(hits)}) g),
  complete as materialized (
    select (lpad(to_hex(g.ms), 12, '0') || '7' || substr(g.seed::text, 16))::uuid as id, to_timestamp(g.ms / 1000.0) as at,
      g.account, g.channel, g.kind, coalesce(g.subject, a.subject) as subject, coalesce(g.contact, a.contact) as contact,
      g.stamp, a.thread, a.phone, a.agent, class as classification, g.is_test or coalesce(a.is_test, false) as is_test,
      a.at as activation_at, to_timestamp(g.hit_ms / 1000.0) as hit_at, g.link, decode(g.visitor, 'hex') as visitor,
      g.early_ms, g.early_class, (a.activation ->> 'field')::integer as field,
      ('{"activation":' || coalesce(a.activation, g.fallback)::text || ',' || substr(case
        when class is distinct from g.classification
        then jsonb_set(g.detail::jsonb, array[case when g.kind like 'hits/%' then 'hit' else 'interaction' end, 'classification'],
          to_jsonb(class))::text else g.detail::text end, 2))::json as detail
    from given g
    left join lateral (
      select subject, contact, thread, phone, agent, is_test, e.at, activation
      from ${answerableActivations} e
      where e.account = g.account and e.stamp = g.stamp and e.at < now() + interval '1 minute'
        and e.at > now() - interval '14 months'
        and e.at > coalesce(nullif(least(uuid_extract_timestamp(g.stamp), now()), now()), '-infinity') - interval '1 day'
      order by (e.channel = ${sql.lit(RCS_CHANNEL)} and ${isFallbackActivation}) <> g.is_fallback, e.at limit 1) a on true
    left join sprung_honeypots h on h.account = g.account and h.stamp = g.stamp and h.visitor = decode(g.visitor, 'hex')
      and g.hit_ms < date_part('epoch', h.sprung_at + interval '10 minutes') * 1000
    cross join lateral (
      select coalesce(g.classification, case
        when g.hit_ms < date_part('epoch', a.at) * 1000 + g.early_ms then g.early_class
        when h.visitor is not null then 'genericrobot' end) as class) c
    where not exists (
      select from erased_contacts e where e.account = g.account and e.contact = coalesce(g.contact, a.contact))),
  settling as (
    insert into unsettled_hits (event, at, account, stamp, contact, field, classification, hit_at, link, visitor)
    select id, at, account, stamp, case when not is_test then contact end, field, classification, hit_at, link, visitor
    from complete),
  early as (
    insert into early_reactions (event, at, account, stamp, hit_at, early_ms, early_class, next_at)
    select id, at, account, stamp, hit_at, early_ms, early_class, at + interval '500 milliseconds'
    from complete
    where activation_at is null and coalesce(uuid_extract_timestamp(stamp), at) > at - interval ${sql.lit(`${EARLY_REACTION_WAIT_DAYS} days`)})
  insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, phone, agent, classification, is_test,
    activation_at, detail)
  select id, at, account, channel, kind, subject, contact, stamp, thread, phone, agent, classification, is_test,
    activation_at, detail
  from complete`
}
