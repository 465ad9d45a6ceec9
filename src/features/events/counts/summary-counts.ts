import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { DAY_MS, QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import { type EventStore, findEventStore, isEventStoreAway } from '../columnar/store.ts'
import { longestRetentionSql } from '../kept-months.ts'
import { oldestVisibleInstant } from '../retention.ts'
import { selectRequestedCounts } from './asked-counts.ts'
import { assembleDayCounts, reassembleDayCounts } from './day-counts.ts'
import { selectDetailCounts, selectEventFacets, selectRequestedEvents } from './detail-facets.ts'
import { type ChannelQuarter, fetchStoreQuarters, selectQuarterEvents } from './stored-quarters.ts'

const MINUTE_MS = 60_000
/** Longest span of one step: a day. */
const MAX_STEP_MS = DAY_MS
/** A step takes about so long: after an upgrade there are years to be counted. */
const TARGET_STEP_MS = 500
const MAX_STALE_QUARTERS = 50
/** Longest run of one call. */
const MAX_RUN_MS = 20_000

/** The age at which events are counted: three times the timeout of a transaction that publishes them. */
const MIN_EVENT_AGE_MS = 60_000

/** Tables with the counts of a quarter. */
const countTables = [sql`event_counts`, sql`event_details`, sql`asked_counts`]

/** The channels that events are counted of: all. */
const countedChannels = sql`unnest(array['email', 'sms', 'rcs', 'notification', 'display']) c (channel)`

function floorToUnit(unit: number, ms: number): number {
  return Math.floor(ms / unit) * unit
}

/** The start of the quarter that an instant is in; both in milliseconds. */
export function toQuarterStart(ms: number): number {
  return floorToUnit(QUARTER_HOUR_MS, ms)
}

/**
 * The counts of events by account, channel, subject, quarter and kind: rows of `event_counts`. `events`: what stands
 * behind "from", the table being `e`, and its conditions. Hits of display count without an impression of theirs: few pages join the two. `since`: where the first quarter begins, when that is a piece.
 */
export function selectEventCounts(events: RawBuilder<unknown>, since = 0): RawBuilder<unknown> {
  return sql`
    select account, channel, subject, start, kind, sum(humans)::integer as humans, sum(robots)::integer as robots,
      coalesce(string_agg(substr(int8send(contact), 3), '' order by contact) filter (where humans > 0 and contact is not null), '')
        as contacts,
      min(first_activation_at) as first_activation_at, max(last_activation_at) as last_activation_at
    from (
      select e.account, e.channel, subject, greatest(quarter_of(at), ${new Date(since)}) as start, kind, contact,
        count(*) filter (where classification is null) as humans, count(classification) as robots,
        min(activation_at) as first_activation_at, max(activation_at) as last_activation_at
      from ${events} and not is_test and (kind = 'activations' or activation_at is not null or e.channel = 'display')
      group by 1, 2, 3, 4, 5, 6) of_contact
    group by 1, 2, 3, 4, 5`
}

/**
 * Counts the events that are a minute old and settled, and quarters of an hour again whose events were changed since. To be
 * called every few seconds; several processes may do so, and one at a time works. It ends after a while, or once it is aborted.
 */
export async function updateEventCounts(db: Db, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  const goesOn = (): boolean => performance.now() < deadline && !signal?.aborted
  const now = await findQuietTime(db)
  let nextStep = { span: QUARTER_HOUR_MS, isLast: now === undefined }
  while (now !== undefined && !nextStep.isLast && goesOn()) nextStep = await countNextQuarters(db, now, nextStep.span)
  const store = findEventStore(db)
  await recountAll(db, { store, isStored: false }, goesOn)
  if (store && !signal?.aborted) await recountStored(db, store, goesOn)
  await assembleDayCounts(db, signal)
}

/**
 * Deletes the counts of quarters in months whose events are dropped; their days are kept, so that reports stand. Where a store has what
 * is dropped here, only of months that no account keeps. To be called nightly.
 */
export async function purgeEventCounts(db: Db): Promise<void> {
  const first = sql`coalesce(
    (select events_partition(now() - make_interval(months => ${longestRetentionSql})) from event_store),
    (select min(c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass))`
  for (const table of countTables)
    await sql`delete from ${table} where start < (select to_timestamp(${first}, '"events_"YYYY_MM'))`.execute(db)
}

/**
 * The present in milliseconds, when all changes of events are committed that were made before: those that come later will
 * find their events old enough to be noted. Undefined while a change is under way.
 */
async function findQuietTime(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ is_quiet: boolean; now: Date }>`
    select pg_try_advisory_xact_lock(hashtext('changes of events')) as is_quiet, clock_timestamp() as now`.execute(db)
  const [quietState] = rows
  return quietState?.is_quiet ? quietState.now.getTime() : undefined
}

/** Longest span of the next step, in milliseconds; `isLast` is true if no step remains. */
interface CountStep {
  span: number
  isLast: boolean
}

/**
 * Counts the next quarters: as many as fit in `span`, and the elapsed part of the current one, but nothing after an unsettled hit. A
 * quarter counted in parts is counted as a whole once it has ended.
 */
async function countNextQuarters(db: Db, now: number, span: number): Promise<CountStep> {
  const startTime = performance.now()
  return inTransaction(db, async (tx) => {
    const countedUntil = await lockProgress(tx)
    if (countedUntil === undefined) return { span, isLast: true }
    const ripe = floorToUnit(MINUTE_MS, Math.min(now - MIN_EVENT_AGE_MS, (await findFirstUnsettledHit(tx)) ?? now))
    if (ripe <= countedUntil) return { span, isLast: true }
    const until = await countEventsFrom(tx, countedUntil, { ripe, span })
    await sql`update event_counting set counted_until = ${new Date(until)}`.execute(tx)
    const isQuick = performance.now() - startTime < TARGET_STEP_MS
    return {
      span: isQuick ? Math.min(2 * span, MAX_STEP_MS) : Math.max(QUARTER_HOUR_MS, toQuarterStart(span / 2)),
      isLast: until >= ripe,
    }
  })
}

/**
 * Counts events from an instant on, and gives until when; all in milliseconds. They are here: a store has alone only what is counted by
 * the quarter and the day.
 */
async function countEventsFrom(
  tx: Db,
  countedUntil: number,
  { ripe, span }: { ripe: number; span: number },
): Promise<number> {
  const quarterStart = toQuarterStart(countedUntil)
  const quarterEnd = quarterStart + QUARTER_HOUR_MS
  if (quarterStart < countedUntil && quarterEnd <= ripe) {
    for (const table of countTables)
      await sql`delete from ${table} where start >= ${new Date(quarterStart)}`.execute(tx)
    await insertCounts(tx, selectEventsBetween(quarterStart, quarterEnd))
    return quarterEnd
  }
  const from = Math.max(countedUntil, toQuarterStart((await findFirstEventAfter(tx, countedUntil)) ?? ripe))
  const until = Math.min(toQuarterStart(from + span), ripe)
  if (until > from) await insertCounts(tx, selectEventsBetween(from, until), { since: from })
  return Math.min(until, ripe)
}

/** Until when events are counted, in milliseconds; locked. Undefined while another process counts. */
async function lockProgress(tx: Db): Promise<number | undefined> {
  const { rows } = await sql<{ counted: number }>`
    select (date_part('epoch', counted_until) * 1000)::bigint as counted from event_counting
    for update skip locked`.execute(tx)
  return rows[0]?.counted
}

/** Returns the publication time of the first unsettled hit, in milliseconds. */
async function findFirstUnsettledHit(tx: Db): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from unsettled_hits`.execute(tx)
  return rows[0]?.at?.getTime()
}

/** Returns the publication time of the first event at or after an instant; both in milliseconds. */
async function findFirstEventAfter(tx: Db, instant: number): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from accounts a cross join ${countedChannels} cross join lateral (
      select at from events e where e.account = a.id and e.channel = c.channel and e.at >= ${new Date(instant)}
      order by at limit 1) next`.execute(tx)
  return rows[0]?.at?.getTime()
}

/** Events published in a span of time. */
function selectEventsBetween(from: number, until: number): RawBuilder<unknown> {
  return sql`accounts a cross join ${countedChannels} join events e on e.account = a.id and e.channel = c.channel
    where e.at >= ${new Date(from)} and e.at < ${new Date(until)}`
}

/** `all`: the table where other events of the same messages are looked up, which is `events` but for what is fetched. */
async function insertCounts(
  tx: Db,
  events: RawBuilder<unknown>,
  { since, all: lookupTable }: { since?: number; all?: RawBuilder<unknown> } = {},
): Promise<void> {
  await sql`
    insert into event_counts (account, channel, subject, start, kind, humans, robots, contacts, first_activation_at,
      last_activation_at)
    ${selectEventCounts(events, since)}`.execute(tx)
  // Events are parsed once for both.
  await sql`
    with said as materialized (${selectEventFacets(events, lookupTable)}), details as (
      insert into event_details (account, channel, subject, start, kind, facet, detail, humans, contacts)
      ${selectDetailCounts(sql`select * from said`, since)})
    insert into asked_counts (account, channel, subject, start, asked_day, kind, facet, detail, moments, contacts, machines)
    ${selectRequestedCounts(sql`select * from said union all ${selectRequestedEvents(events, lookupTable)}`, since)}`.execute(
    tx,
  )
}

interface StaleQuarter extends ChannelQuarter {
  isShown: boolean
}

const toStaleDay = ({ account, channel, start }: StaleQuarter) => {
  return { account, channel, day: new Date(floorToUnit(DAY_MS, start.getTime())) }
}

/** Counts again until no quarter of this side is left, or no more is to be done. */
async function recountAll(db: Db, side: BorderSide, goesOn: () => boolean): Promise<void> {
  while ((await recountQuarters(db, side)) === MAX_STALE_QUARTERS && goesOn()) {
    // The next ones.
  }
}

/** Those that begin before the border, of which the store has the events. While it is away they stay noted. */
async function recountStored(db: Db, store: EventStore, goesOn: () => boolean): Promise<void> {
  try {
    await recountAll(db, { store, isStored: true }, goesOn)
  } catch (error) {
    if (!isEventStoreAway(error)) throw error
  }
}

/**
 * Selects the notes of changed quarters: with a store, those on one side of the border, and before it none whose changes the store does
 * not have yet.
 */
function buildSideCondition({ store, isStored }: BorderSide): RawBuilder<unknown> {
  if (!store) return sql`true`
  const isBefore = sql`start < (select border from event_store)`
  if (!isStored) return sql`(${isBefore}) is not true`
  return sql`${isBefore} and not exists (
    select from event_changes c where c.at >= start and c.at < start + ${QUARTER_HOUR_MS} * interval '1 millisecond')`
}

interface BorderSide {
  store: EventStore | undefined
  isStored: boolean
}

/** Counts quarters again whose events were changed after they were counted; gives how many such notes there were. */
async function recountQuarters(db: Db, side: BorderSide): Promise<number> {
  return inTransaction(db, async (tx) => {
    const countedUntil = await lockProgress(tx)
    if (countedUntil === undefined) return 0
    const { rows } = await sql<StaleQuarter>`
      delete from stale_event_counts s using accounts a
      where s.id in (select id from stale_event_counts where ${buildSideCondition(side)} order by id limit ${MAX_STALE_QUARTERS}) and a.id = s.account
      returning s.account, s.channel, s.start, s.start >= ${oldestVisibleInstant} as "isShown"`.execute(tx)
    // What is not counted yet will be, with its changes; what is shown no more keeps its counts.
    const shownQuarters = rows.filter(({ start, isShown }) => isShown && start.getTime() < countedUntil)
    if (shownQuarters.length === 0) return rows.length
    const lookupTable =
      side.isStored && side.store ? await fetchStoreQuarters(tx, side.store, shownQuarters) : sql`events`
    for (const table of countTables)
      await sql`delete from ${table} where ctid = any(array(select e.ctid from ${selectQuarterEvents(shownQuarters, { table, column: 'start' })}))`.execute(
        tx,
      )
    const events = sql`${selectQuarterEvents(shownQuarters, { table: lookupTable, column: 'at' })} where e.at < ${new Date(countedUntil)}`
    await insertCounts(tx, events, { all: lookupTable })
    await reassembleDayCounts(tx, shownQuarters.map(toStaleDay))
    return rows.length
  })
}
