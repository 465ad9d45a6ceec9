import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import type { SentSource, SentSourceKind } from '../../lib/sources.ts'
import { messageReservationKinds } from '../claim/reservation-kinds.ts'
import { finalizeReservations, type ReservationEnd, type ReservationKinds } from '../claim/reservations.ts'
import { insertEndedCounts } from './ended-counts.ts'
import { toMessageFallback } from './fallbacks.ts'

/** A message that is held, as nothing is known of whether it arrived. */
export interface HeldOutboxMessage {
  /** Its row, by which lists of held messages go. */
  id: number
  stamp: string
  sourceKind: SentSourceKind
  /** Number of what was to be sent. */
  source: number
  contact: number | null
  since: Date
  why: string | null
}

/** One source, or all sources of an account. */
type HeldSource = Pick<SentSource, 'sourceKind' | 'source'> | undefined

function buildSourceCondition(account: AccountId, of: HeldSource): RawBuilder<unknown> {
  return of === undefined
    ? sql`true`
    : sql`sending in (
        select id from sendings where account = ${account} and source_kind = ${of.sourceKind} and source = ${of.source})`
}

/** The held messages of an account, or of one source, ascending id. */
export async function* listHeldOutboxMessages(
  db: Db,
  account: AccountId,
  { of, after, limit }: { of: HeldSource; after: number | undefined; limit: number | undefined },
): AsyncGenerator<HeldOutboxMessage> {
  const query = sql<HeldOutboxMessage>`
    select m.id, m.stamp, g.source_kind as "sourceKind", g.source, m.contact, coalesce(m.held_at, m.created_at) as since, m.last_reply as why
    from messages m join sendings g on g.id = m.sending
    where m.account = ${account} and m.state = 'held' and ${buildSourceCondition(account, of)}
      and (${after ?? null}::bigint is null or m.id > ${after ?? null})
    order by m.id limit ${limit ?? null}::integer`
  yield* streamRows(db, query)
}

/** Locks the chosen ones that are held still, in the order in which senders lock messages. */
function selectHeldMessages(account: AccountId, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    chosen as (
      select id from messages where account = ${account} and state = 'held' and ${condition} order by id for update
    )`
}

/** Deliveries without those that are held: these are tried again. */
const remainingDeliveries = sql`(select jsonb_object_agg(key, value) from jsonb_each(m.deliveries) where value <> '"held"')`

/** Queues held messages again, due now; they are counted as held no more. */
async function requeueMessages(db: Db, chosenOnes: RawBuilder<unknown>, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ${chosenOnes}, released as (
      update messages m set state = 'queued', claimed_by = null, lease_until = null, held_at = null, not_before = ${now},
        deliveries = ${remainingDeliveries}
      from chosen where m.id = chosen.id
      returning m.sending
    ), counted as (
      insert into sending_counts as c (sending, shard, held)
      select sending, 0, -count(*) from released group by sending order by sending
      on conflict (sending, shard) do update set held = c.held + excluded.held
    )
    select count(*)::integer as n from released`.execute(db)
  return rows[0]?.n ?? 0
}

interface DroppedRow extends Omit<ReservationEnd['message'], 'stamp'> {
  stamp: string
  thread: string
  set: string
  stamp_time: Date
}

/** Outcome that a message `d` counts as if it is dropped in doubt. */
const droppedOutcome = sql`case when jsonb_path_exists(d.deliveries, '$.* ? (@ == "accepted")') then 'accepted' else 'held' end`

/**
 * Removes held messages from the outbox. As they may have arrived, they are found by their stamps like sent ones: their links, replies and
 * bounces are recognized. No slice and no repeated request creates them again.
 */
async function dropMessages(
  db: Db,
  chosenOnes: RawBuilder<unknown>,
  now: Date,
  kinds: ReservationKinds,
): Promise<number> {
  const { rows } = await sql<DroppedRow>`
    with ${chosenOnes}, dropped as (
      delete from messages m using chosen where m.id = chosen.id returning m.*
    ), kept as (
      insert into sent_messages (account, stamp, channel, kind, source_kind, source, version, contact, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      select d.account, d.stamp, d.channel, d.kind, g.source_kind, g.source, d.version, d.contact,
        coalesce(d.address, c.fields ->> v.address_field, ''), ${droppedOutcome}, d.thread, d.set, d.stamp_time, ${now},
        d.request, 'null'
      from dropped d
      join sendings g on g.id = d.sending
      join content_versions v on v.account = d.account and v.id = d.version
      left join contacts c on c.account = d.account and c.id = d.contact
      where d.kind not in ('copy', 'fallback')
      on conflict (account, stamp) do nothing
    ), batches as (${insertEndedCounts(sql`(
      select d.*, g.source_kind, g.source, ${droppedOutcome} as outcome, null::text as why from dropped d join sendings g on g.id = d.sending)`)}
    ), beside as (
      update sent_messages s set fallback = ${toMessageFallback({
        channel: sql`d.channel`,
        version: sql`d.version`,
        address: sql`coalesce(d.address, '')`,
        outcome: sql`'held'`,
        at: sql`${now}::timestamptz`,
      })}
      from dropped d where d.kind = 'fallback' and s.account = d.account and s.stamp = d.stamp
    )
    select d.account, d.contact, d.channel, d.kind, d.sending, g.source_kind as "sourceKind", g.source, d.version, d.stamp, d.thread, d.set, d.stamp_time, d.reservations
    from dropped d join sendings g on g.id = d.sending`.execute(db)
  // They may have arrived: what they held is theirs.
  const droppedMessages = rows.map(({ stamp, thread, set: setId, stamp_time, ...message }) => ({
    message: { ...message, stamp: { id: stamp, thread, set: setId, time: stamp_time.getTime() } },
    at: now.getTime(),
  }))
  await finalizeReservations(db, kinds, { kept: droppedMessages, given: [] })
  return rows.length
}

const decisionHandlers = { send: requeueMessages, drop: dropMessages }

/** Decision on a selection of held messages; `kinds`: kinds of the places that they may hold. */
interface HeldDecision {
  decision: 'send' | 'drop'
  of: NonNullable<HeldSource> | { stamps: readonly string[] } | { senders: { first: string; last: string } }
  kinds?: ReservationKinds
}

/**
 * Decides what becomes of held messages, of one source, of those named by their stamps, or of those of lost senders; gives
 * how many they were. One that was decided meanwhile is not among them, nor is one of another account.
 */
export async function decideHeldMessages(
  db: Db,
  account: AccountId,
  { decision, of, kinds = messageReservationKinds }: HeldDecision,
  now: Date,
): Promise<number> {
  return inRetriedTransaction(db, async (tx) => {
    return decisionHandlers[decision](tx, selectHeldMessages(account, buildHeldCondition(account, of)), now, kinds)
  })
}

function buildHeldCondition(account: AccountId, of: HeldDecision['of']): RawBuilder<unknown> {
  if ('stamps' in of) return sql`stamp = any(${of.stamps}::uuid[])`
  if ('senders' in of) return sql`claimed_by between ${of.senders.first}::uuid and ${of.senders.last}::uuid`
  return buildSourceCondition(account, of)
}
