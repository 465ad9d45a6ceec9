import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix } from '../../../database/connection/connect.ts'
import { formatPostgresArray } from '../../../database/rows/array-text.ts'
import { buildErasedDetail } from '../erasure.ts'
import { isReactionKind, RCS_CHANNEL } from '../kinds/event-kinds.ts'
import { EARLY_REACTION_WAIT_SQL, isMessageOutcome } from './early.ts'
import { answerableActivations, isFallbackActivation } from './every-activation.ts'
import type { NewEvent } from './new-event.ts'

/** An event as a row of the statement. */
export interface AppendedEventRow {
  event: NewEvent
  /** Place in the list that was given. */
  n: number
  key: string | null
  /** The id but for its time. */
  seed: string
  /** Place of the activation it answers, when that is in the same list. */
  parent: number | null
  /** JSON of `source.detail`; of a reaction without `parent` all but `activation`. */
  detail: string
}

/** One row per event written; a single one without id when nothing was. */
interface WrittenRow {
  /** True if there are partitions for the events; otherwise nothing was written. */
  ready: boolean
  n: number
  id: string | null
  /** Milliseconds. */
  ms: number
}

/** A hit is recorded up to 400 days after its message, so no older activation is looked for. */
const OLDEST_ACTIVATION_TIME = sql`now() - interval '14 months'`

/**
 * The statement that writes events: natural keys, clock, activations of reactions, and the hits to be settled, in one.
 * The clock is read after the keys, which may wait for another transaction; then the transaction has 20 s to commit. Of
 * erased contacts hits are left out, and the other events say nothing of who it was.
 */
export function buildAppendStatement(rows: readonly AppendedEventRow[]): RawBuilder<WrittenRow> {
  const needsActivations = rows.some(({ event, parent }) => parent === null && isReactionKind(event.kind))
  return sql<WrittenRow>`${buildPreparedPrefix(needsActivations ? 'append-reactions' : 'append-events')}
    with given as materialized (${selectEventRows(rows)}),
    room as materialized (
      select to_regclass(events_partition(clock_timestamp() - interval '1 minute')) is not null
        and to_regclass(events_partition(clock_timestamp() + interval '1 minute')) is not null as ready),
    fresh as (
      insert into event_keys (key) select key from given, room where ready and key is not null order by key
      on conflict do nothing returning key),
    clock as materialized (
      select (select count(*) from fresh), set_config('transaction_timeout', '20s', true),
        floor(date_part('epoch', clock_timestamp()) * 1000)::bigint as ms),
    stamped as materialized (
      select g.*, clock.ms + 1 - row_number() over (partition by account, coalesce(stamp, seed) order by n desc) as ms
      from given g, room, clock where ready and (key is null or key in (select key from fresh))),
    complete as materialized (${
      needsActivations
        ? selectWithActivations(rows)
        : sql`
      select s.*, p.ms as activation_ms from stamped s left join stamped p on p.n = s.parent`
    }),
    written as materialized (
      select c.*, (lpad(to_hex(ms), 12, '0') || substr(seed::text, 15))::uuid as id,
        to_timestamp(ms / 1000.0) as at, to_timestamp(activation_ms / 1000.0) as activation_at,
        e.contact is not null as is_erased
      from complete c left join erased_contacts e on e.account = c.account and e.contact = c.contact
      where e.contact is null or not (c.kind like 'hits/%' or c.kind = 'interactions/redirection')),
    ${needsActivations ? unsettledInsert : sql``}
    stored as (
      insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, subscription, phone, agent,
        title, classification, is_test, depth, activation_at, detail)
      select id, at, account, channel, kind, subject, contact, stamp, thread, subscription,
        case when not is_erased then phone end, agent, case when not is_erased then title end, classification, is_test, depth, activation_at,
        case when is_erased then ${buildErasedDetail(sql`detail`)}::json else detail end
      from written)
    select ready, n, id, ms from room left join written on true`
}

type PlainValue = string | number | boolean | null | undefined

/** A column of what needs no quotes. */
function buildPlainColumn(
  rows: readonly AppendedEventRow[],
  type: string,
  of: (row: AppendedEventRow) => PlainValue,
): RawBuilder<unknown> {
  return sql`${formatPostgresArray(rows.map(of))}::${sql.raw(type)}[]`
}

/** A column of an event's members. */
const buildEventColumn = (
  rows: readonly AppendedEventRow[],
  type: string,
  of: (event: NewEvent) => PlainValue,
): RawBuilder<unknown> => buildPlainColumn(rows, type, ({ event }) => of(event))

/** A column of any texts. */
function buildTextColumn(
  rows: readonly AppendedEventRow[],
  of: (event: NewEvent) => string | null | undefined,
): RawBuilder<unknown> {
  return sql`${rows.map(({ event }) => of(event))}::text[]`
}

/** Texts that are JSON, as rows. */
function buildJsonColumn(
  rows: readonly AppendedEventRow[],
  of: (row: AppendedEventRow) => string,
): RawBuilder<unknown> {
  return sql`json_array_elements(${`[${rows.map(of).join(',')}]`}::json)`
}

/** The events as rows: their columns travel as arrays side by side. */
function selectEventRows(rows: readonly AppendedEventRow[]): RawBuilder<unknown> {
  return sql`
    select * from rows from (
      unnest(
        ${buildPlainColumn(rows, 'integer', ({ n }) => n)}, ${buildPlainColumn(rows, 'uuid', ({ key }) => key)},
        ${buildPlainColumn(rows, 'uuid', ({ seed }) => seed)}, ${buildPlainColumn(rows, 'integer', ({ parent }) => parent)},
        ${buildEventColumn(rows, 'integer', ({ account }) => account)}, ${buildEventColumn(rows, 'text', ({ channel }) => channel)},
        ${buildEventColumn(rows, 'text', ({ kind }) => kind)}, ${buildEventColumn(rows, 'integer', ({ subject }) => subject)},
        ${buildEventColumn(rows, 'bigint', ({ contact }) => contact)}, ${buildEventColumn(rows, 'uuid', ({ stamp }) => stamp)},
        ${buildEventColumn(rows, 'uuid', ({ thread }) => thread)}, ${buildEventColumn(rows, 'uuid', ({ subscription }) => subscription)},
        ${buildTextColumn(rows, ({ phone }) => phone)}, ${buildTextColumn(rows, ({ agent }) => agent)}, ${buildTextColumn(rows, ({ title }) => title)},
        ${buildEventColumn(rows, 'text', ({ classification }) => classification)},
        ${buildEventColumn(rows, 'boolean', ({ isTest }) => isTest)}, ${buildEventColumn(rows, 'smallint', ({ depth }) => depth ?? 0)}),
      ${buildJsonColumn(rows, ({ detail }) => detail)}
    ) as g (n, key, seed, parent, account, channel, kind, subject, contact, stamp, thread, subscription, phone, agent,
      title, classification, is_test, depth, detail)`
}

/** Columns of reactions only: the fallback, and the input of the rules about robots. */
function selectReactionRows(rows: readonly AppendedEventRow[]): RawBuilder<unknown> {
  return sql`
    select * from rows from (
      unnest(
        ${buildPlainColumn(rows, 'integer', ({ n }) => n)}, ${buildEventColumn(rows, 'boolean', ({ kind }) => isReactionKind(kind))},
        ${buildEventColumn(rows, 'bigint', ({ watch }) => watch?.hitAt)}, ${buildEventColumn(rows, 'integer', ({ watch }) => watch?.link)},
        ${rows.map(({ event }) => event.watch?.visitor)}::bytea[],
        ${buildEventColumn(rows, 'integer', ({ watch }) => watch?.early?.withinMs)},
        ${buildEventColumn(rows, 'text', ({ watch }) => watch?.early?.classification)},
        ${buildEventColumn(rows, 'boolean', ({ isFallback }) => isFallback ?? false)}),
      ${buildJsonColumn(rows, ({ event }) => JSON.stringify(event.fallback ?? null))}
    ) as r (n, is_reaction, hit_ms, link, visitor, early_ms, early_class, is_fallback, fallback)`
}

/**
 * Reactions get the stored activation of their stamp, with its contact and subject, and hits their class: too early
 * after it, or by one who followed a honeypot of this message.
 */
function selectWithActivations(rows: readonly AppendedEventRow[]): RawBuilder<unknown> {
  return sql`
    select s.n, s.seed, s.ms, s.account, s.channel, s.kind, coalesce(s.subject, a.subject) as subject,
      coalesce(s.contact, a.contact) as contact, s.stamp, coalesce(s.thread, a.thread) as thread, s.subscription,
      coalesce(s.phone, a.phone) as phone, coalesce(s.agent, a.agent) as agent, s.title,
      s.is_test or coalesce(a.is_test, false) as is_test,
      case when ${isMessageOutcome(sql`s.kind`)} then coalesce(a.depth, s.depth) else s.depth end as depth, coalesce(p.ms, a.ms) as activation_ms, class as classification,
      case when r.is_reaction and s.parent is null
        then ('{"activation":' || coalesce(a.activation, r.fallback, 'null')::text || ',' || substr(classed::text, 2))::json
        else s.detail end as detail,
      r.hit_ms, r.link, r.visitor, (a.activation ->> 'field')::integer as field, r.is_reaction, r.early_ms, r.early_class
    from stamped s
    join (${selectReactionRows(rows)}) r using (n)
    left join stamped p on p.n = s.parent
    left join lateral (
      select subject, contact, thread, phone, agent, is_test, depth, date_part('epoch', at) * 1000 as ms, activation
      from ${answerableActivations} e
      where e.account = s.account and e.stamp = s.stamp and e.at > ${OLDEST_ACTIVATION_TIME}
        and e.subscription is not distinct from coalesce(s.subscription, e.subscription)
      order by (e.channel = ${sql.lit(RCS_CHANNEL)} and ${isFallbackActivation}) <> r.is_fallback, e.at
      limit 1) a on r.is_reaction and p.n is null
    left join sprung_honeypots h on h.account = s.account and h.stamp = s.stamp and h.visitor = r.visitor
      and r.hit_ms < date_part('epoch', h.sprung_at + interval '10 minutes') * 1000
    cross join lateral (
      select coalesce(s.classification, case when r.hit_ms < a.ms + r.early_ms then r.early_class
        when h.visitor is not null then 'genericrobot' end) as class) c
    cross join lateral (
      select case when class is distinct from s.classification then jsonb_set(s.detail::jsonb,
          array[case when s.kind like 'hits/%' then 'hit' else 'interaction' end, 'classification'], to_jsonb(class))::json
        else s.detail end as classed) d`
}

/**
 * Hits are remembered until the rules that look at others have had their 3 s, and reactions of messages whose activation
 * is still to come until it is there.
 */
const unsettledInsert = sql`
    settling as (
      insert into unsettled_hits (event, at, account, stamp, contact, field, classification, hit_at, link, visitor)
      select id, at, account, stamp, case when not is_test then contact end, field, classification, to_timestamp(hit_ms / 1000.0), link, visitor
      from written where hit_ms is not null),
    early as (
      insert into early_reactions (event, at, account, stamp, subscription, hit_at, early_ms, early_class, next_at)
      select id, at, account, stamp, subscription, to_timestamp(hit_ms / 1000.0), early_ms, early_class, at + interval '500 milliseconds'
      from written where is_reaction and stamp is not null and activation_ms is null
        and coalesce(uuid_extract_timestamp(stamp), at) > at - ${EARLY_REACTION_WAIT_SQL}),`
