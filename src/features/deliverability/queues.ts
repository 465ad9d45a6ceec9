import { type RawBuilder, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../database/connection/connect.ts'
import type { DestinationTable } from '../../gateways/smtp-direct/destination-table.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { outboxLanes } from '../../lib/lanes.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DestinationQueue, QueueOperation } from './queue-schemas.ts'

type LaneName = keyof typeof outboxLanes
const laneNames = Object.fromEntries(Object.entries(outboxLanes).map(([name, lane]) => [lane, name])) as Record<
  number,
  LaneName
>

/** Messages counted in one queue, to bound the cost. */
const MAX_COUNTED_MESSAGES = sql.lit(10_000)

/** States of senders not seen for longer do not count. */
const SENDER_STATE_TTL = sql.lit('60 seconds')

interface LaneQueue {
  account: number
  lane: number
  /** Null: not tried yet, or through a relay. */
  destination: string | null
  waiting: number
  /** Number of those that marketing pressure delays. */
  postponed: number
  oldest: Date
}

/** Loose index scan: each recursion finds the next queue of messages that were tried. */
function selectTriedQueues(accountCondition: RawBuilder<unknown>, next: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    heads as (
      (select account, lane, destination from messages
        where state = 'queued' and destination is not null and ${accountCondition}
        order by account, lane, destination limit 1)
      union all
      select next.* from heads h cross join lateral (
        select account, lane, destination from messages
        where state = 'queued' and destination is not null and ${next}
        order by account, lane, destination limit 1) next
    ), tried as (
      select h.*, (select count(*) from (select from messages m where m.state = 'queued' and m.account = h.account
          and m.lane = h.lane and m.destination = h.destination limit ${MAX_COUNTED_MESSAGES}) counted)::integer as waiting,
        (select created_at from messages m where m.state = 'queued' and m.account = h.account and m.lane = h.lane
          and m.destination = h.destination order by created_at limit 1) as oldest
      from heads h
    )`
}

/** Loose index scan over sendings; messages not tried yet are counted among the first ones of their lane. */
function selectUntriedQueues(accountCondition: RawBuilder<unknown>, next: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    sendings_waiting as (
      select first.* from unnest(${Object.values(outboxLanes)}::smallint[]) as of (lane) cross join lateral (
        select lane, account, sending from messages where state = 'queued' and messages.lane = of.lane and ${accountCondition}
        order by lane, account, sending limit 1) first
      union
      select next.* from sendings_waiting h cross join lateral (
        select lane, account, sending from messages
        where state = 'queued' and ${next}
        order by lane, account, sending limit 1) next
    ), lanes as (
      select w.account, w.lane, min(first.created_at) as oldest
      from sendings_waiting w cross join lateral (
        select created_at from messages m where m.state = 'queued' and m.lane = w.lane and m.account = w.account
          and m.sending = w.sending order by not_before, id limit 1) first
      group by w.account, w.lane
    ), untried as materialized (
      select l.account, l.lane, null as destination, (
        select count(*) from (select destination from messages m where m.state = 'queued' and m.account = l.account
          and m.lane = l.lane order by m.lane, m.account, m.sending limit ${MAX_COUNTED_MESSAGES}) counted where destination is null)::integer as waiting, l.oldest
      from lanes l
    )`
}

/** The queues of one account or of all. The cost grows with their number, not with that of the messages. */
async function loadQueues(db: Db, account: AccountId | undefined): Promise<LaneQueue[]> {
  const accountCondition = account === undefined ? sql`true` : sql`account = ${account}`
  // The index is entered at the row comparison only when no other condition names its first columns.
  const [nextQueue, nextSending] =
    account === undefined
      ? [
          sql`(account, lane, destination) > (h.account, h.lane, h.destination)`,
          sql`(lane, account, sending) > (h.lane, h.account, h.sending)`,
        ]
      : [
          sql`account = h.account and (lane, destination) > (h.lane, h.destination)`,
          sql`lane = h.lane and account = h.account and sending > h.sending`,
        ]
  const { rows } = await sql<LaneQueue>`
    with recursive ${selectTriedQueues(accountCondition, nextQueue)}, ${selectUntriedQueues(accountCondition, nextSending)}, sliced as (
      select account, lane, null as destination, sum(cardinality(contacts)) as waiting, min(created_at) as oldest
      from message_slices where claimed_by is null and ${accountCondition} group by account, lane
    ), queues as (
      select * from tried
      union all
      select account, lane, destination, least(sum(waiting), ${MAX_COUNTED_MESSAGES})::integer, min(oldest)
      from (select * from untried where waiting > 0 union all select * from sliced) as rest
      group by account, lane, destination
    ), postponed as (
      select account, lane, destination, count(*) as n from messages
      where state = 'queued' and postponement is not null and ${accountCondition} group by account, lane, destination
    )
    select q.*, least(coalesce(p.n, 0), q.waiting)::integer as postponed
    from queues q left join postponed p
      on p.account = q.account and p.lane = q.lane and p.destination is not distinct from q.destination`.execute(db)
  return rows
}

interface DestinationState {
  destination: string
  state: 'open' | 'slow' | 'suspended'
  rate: number | null
  connections: number | null
  suspended_until: Date | null
  held_at: Date | null
  last_refusal: string | null
  last_refusal_at: Date | null
}

/** The states of destinations for an account: with its own gateway, else with that of the installation; and its holds. */
async function loadDestinationStates(db: Db, account: AccountId, now: number): Promise<Map<string, DestinationState>> {
  const currentTimestamp = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<DestinationState>`
    with own as (
      select s.*, s.suspended_until > ${currentTimestamp} as is_suspended,
        rank() over (partition by s.destination order by s.account nulls last) as place
      from destination_states s join live_senders l on l.id = s.sender and l.seen_at > ${currentTimestamp} - interval ${SENDER_STATE_TTL}
      where s.account = ${account} or s.account is null
    ), standing as (
      select destination, sum(rate) as rate, sum(connections)::integer as connections,
        max(suspended_until) filter (where is_suspended) as suspended_until,
        case when bool_or(is_suspended) then 'suspended' when bool_or(state = 'slow') then 'slow' else 'open' end as state,
        (array_agg(last_refusal order by last_refusal_at desc nulls last))[1] as last_refusal,
        max(last_refusal_at) as last_refusal_at
      from own where place = 1 group by destination
    )
    select coalesce(s.destination, h.destination) as destination, coalesce(s.state, 'open') as state, s.rate,
      s.connections, s.suspended_until, h.held_at, s.last_refusal, s.last_refusal_at
    from standing s
    full join (select destination, held_at from destination_holds where account = ${account}) h
      on h.destination = s.destination`.execute(db)
  return new Map(rows.map((row) => [row.destination, row]))
}

const formatNullableInstant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

function toQueueResource(
  destination: string | null,
  queues: readonly LaneQueue[],
  state: DestinationState | undefined,
): DestinationQueue {
  return {
    destination,
    state: state?.held_at ? 'held' : (state?.state ?? 'open'),
    lanes: queues
      .toSorted((a, b) => a.lane - b.lane)
      .map(({ lane, waiting: waitingCount, postponed, oldest }) => ({
        lane: laneNames[lane] ?? 'bulk',
        waiting: waitingCount,
        postponed,
        oldest: oldest.toISOString(),
      })),
    rate: state?.rate ?? null,
    connections: state?.connections ?? null,
    suspendedUntil: formatNullableInstant(state?.suspended_until),
    heldSince: formatNullableInstant(state?.held_at),
    lastRefusal: state?.last_refusal ?? null,
    lastRefusalDate: formatNullableInstant(state?.last_refusal_at),
  }
}

/** The queues of an account, by destination; first those of messages not tried yet. */
export async function listDestinationQueues(db: Db, account: AccountId, now: number): Promise<DestinationQueue[]> {
  const queues = Map.groupBy(await loadQueues(db, account), ({ destination }) => destination)
  const states = await loadDestinationStates(db, account, now)
  const destinations = new Set([...queues.keys(), ...states.keys()])
  return [...destinations]
    .sort((a, b) => (a ?? '').localeCompare(b ?? ''))
    .map((destination) => toQueueResource(destination, queues.get(destination) ?? [], states.get(destination ?? '')))
}

const operationHandlers: Readonly<
  Record<QueueOperation, (db: Db, place: { account: AccountId; destination: string }, now: Date) => Promise<unknown>>
> = {
  hold: (db, place, now) =>
    db
      .insertInto('destination_holds')
      .values({ ...place, held_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  release: (db, { account, destination }, now) =>
    sql`
      with released as (
        delete from destination_holds where account = ${account} and destination = ${destination} returning destination
      )
      -- Held messages are due again in a minute; after a release they are due now.
      update messages m set not_before = least(m.not_before, ${now}::timestamptz) from released r
      where m.account = ${account} and m.state = 'queued' and m.destination = r.destination and m.attempts = 0`.execute(
      db,
    ),
  flush: (db, { account, destination }, now) =>
    sql`
      update messages set not_before = ${now}
      where account = ${account} and state = 'queued' and destination = ${destination} and not_before > ${now}`.execute(
      db,
    ),
}

/**
 * Holds, releases or flushes the messages of an account to a destination; returns the new state. Throws notFound for a
 * destination that is neither in the table nor in use.
 */
export async function operateDestinationQueue(
  { db, table, now }: { db: Db; table: DestinationTable; now: number },
  account: AccountId,
  destination: string,
  operation: QueueOperation,
): Promise<DestinationQueue> {
  const findQueue = async () =>
    (await listDestinationQueues(db, account, now)).find((queue) => queue.destination === destination)
  const isKnown = table.destinations.some(({ name }) => name === destination) || (await findQueue()) !== undefined
  if (!isKnown) throw notFoundProblem('destination', destination)
  await operationHandlers[operation](db, { account, destination }, new Date(now))
  return (await findQueue()) ?? toQueueResource(destination, [], undefined)
}

/** Lanes and destinations with lines of their own in the metrics: those in which most waits. */
const MAX_METRIC_SERIES = 200

/** Queues by lane and destination; those in which least waits are together, by lane, as of the destination `other`. */
export function groupQueuesForMetrics(
  queues: readonly LaneQueue[],
): { lane: string; destination: string; queues: LaneQueue[] }[] {
  const countWaiting = (group: readonly LaneQueue[]): number =>
    group.reduce((sum, { waiting: waitingCount }) => sum + waitingCount, 0)
  const groups = [...Map.groupBy(queues, ({ lane, destination }) => `${lane} ${destination ?? ''}`)]
  const sortedGroups =
    groups.length <= MAX_METRIC_SERIES ? groups : groups.toSorted(([, a], [, b]) => countWaiting(b) - countWaiting(a))
  const remainingByLane = Map.groupBy(
    sortedGroups.slice(MAX_METRIC_SERIES).flatMap(([, group]) => group),
    ({ lane }) => `${lane} other`,
  )
  return [...sortedGroups.slice(0, MAX_METRIC_SERIES), ...remainingByLane].map(([place, group]) => {
    const [lane = '', destination = ''] = place.split(' ')
    return { lane, destination, queues: group }
  })
}

/** Registers the metrics of queues of one account, or of all, by lane and destination; one read serves all of a collection. */
export function registerQueueMetrics(
  { db, clock }: { db: Db; clock: Clock },
  registry: Registry,
  account?: AccountId,
): void {
  let pendingRead: Promise<LaneQueue[]> | undefined
  const readQueues = (): Promise<LaneQueue[]> => {
    pendingRead ??= loadQueues(db, account).finally(() => {
      pendingRead = undefined
    })
    return pendingRead
  }
  const metricDefinitions = {
    stentor_queue_waiting_messages: {
      help: 'Messages that wait, by lane and destination (none: not tried yet, or through a relay; other: of the smallest queues); counted up to 10,000',
      of: (queues: readonly LaneQueue[]) => queues.reduce((sum, { waiting: waitingCount }) => sum + waitingCount, 0),
    },
    stentor_queue_oldest_seconds: {
      help: 'Age of the oldest message that waits, by lane and destination',
      of: (queues: readonly LaneQueue[]) =>
        Math.max(0, (clock.now() - Math.min(...queues.map(({ oldest }) => oldest.getTime()))) / 1000),
    },
  }
  for (const [name, { help, of: measure }] of Object.entries(metricDefinitions)) {
    const gauge: Gauge<'lane' | 'destination'> = new Gauge({
      name,
      help,
      labelNames: ['lane', 'destination'],
      registers: [registry],
      async collect() {
        const queueGroups = groupQueuesForMetrics(await readQueues())
        gauge.reset()
        for (const { lane, destination, queues } of queueGroups) gauge.set({ lane, destination }, measure(queues))
      },
    })
  }
}
