import { sql } from 'kysely'
import type { MessageRequest } from '../../channels/message.ts'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import type { OutboxLane } from '../../lib/lanes.ts'
import type { SentSourceKind } from '../../lib/sources.ts'
import {
  dissolveSenderSlices,
  getMessageSliceId,
  isSliceMessageId,
  lockMessageSlices,
  materialiseSliceMessages,
  releaseAllMessageSlices,
  releaseMessageSlices,
} from '../plan/message-slices.ts'
import { selectWaitingSendings } from '../plan/waiting-sendings.ts'
import type { ReturnedEnding } from '../record/outcome.ts'
import { getSenderNameRange } from '../senders/sender-names.ts'
import type { ClaimedMessage } from './queue-messages.ts'
import { MESSAGE_LEASE_MS } from './renew-message-leases.ts'

interface MessageRow {
  id: number
  account: number
  channel: ClaimedMessage['channel']
  kind: ClaimedMessage['kind']
  sending: number
  source_kind: SentSourceKind
  source: number
  version: number
  contact: number | null
  address: string | null
  stamp: string
  thread: string
  set: string
  stamp_time: Date
  request: unknown
  depth: number
  attempts: number
  expires_at: Date
  first_tried_at: Date | null
  destination: string | null
  is_idempotent: boolean
  deliveries: ClaimedMessage['deliveries']
  reservations: ClaimedMessage['reservations']
  first_postponed_at: Date | null
}

function toClaimedMessage(row: MessageRow): ClaimedMessage {
  const {
    stamp,
    thread,
    set: setId,
    stamp_time,
    request,
    expires_at,
    first_tried_at,
    first_postponed_at,
    ...otherColumns
  } = row
  const { source_kind, is_idempotent, ...sharedColumns } = otherColumns
  return {
    ...sharedColumns,
    sourceKind: source_kind,
    isIdempotent: is_idempotent,
    stamp: { id: stamp, thread, set: setId, time: stamp_time.getTime() },
    request: request as MessageRequest,
    expiresAt: expires_at,
    firstTriedAt: first_tried_at,
    firstPostponedAt: first_postponed_at,
  }
}

const messageColumns = sql`m.id, m.account, m.channel, m.kind, m.sending, g.source_kind, g.source, m.version, m.contact, m.address, m.stamp, m.thread, m.set,
  m.stamp_time, m.request, m.depth, m.attempts, m.expires_at, m.first_tried_at, m.destination,
  m.is_idempotent, m.deliveries, m.reservations, m.first_postponed_at`

/** Delay that a pace may catch up, so that it is met even if a sender is busy with other work. */
const PACE_SLACK = sql.lit('5 seconds')

/**
 * Claims up to `limit` due messages of a lane for a sender. Accounts take equal turns within the lane, and the sendings
 * of an account within its turn; those of paused sendings wait.
 *
 * A campaign with a speed gives no more messages than have had their turn: what came late, by a pause, a time zone or a
 * service that stood still, leaves at the same even pace. What its end or its deletion cancels does not wait for a turn.
 */
export async function claimMessages(
  db: Db,
  sender: string,
  lane: OutboxLane,
  { limit, now, leaseMs }: { limit: number; now: number; leaseMs: number },
): Promise<ClaimedMessage[]> {
  const claimTime = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<MessageRow>`${buildPreparedPrefix('claim-messages')}
    with recursive heads as (${selectWaitingSendings('messages', lane)}
    ), waiting as (
      select h.account, h.sending, case when g.state in ('planning', 'running') and coalesce(g.ends_at > ${claimTime}, true)
        then nullif(g.speed, 0) end as speed
      from heads h join sendings g on g.id = h.sending
      where not g.paused
    ), paced as (
      -- One sender at a time paces a campaign; the others pass it over meanwhile.
      select g.id, floor(extract(epoch from ${claimTime} - greatest(g.next_turn_at, ${claimTime} - interval ${PACE_SLACK})) * w.speed / 3600)::integer + 1 as turns
      from sendings g join waiting w on w.sending = g.id
      where w.speed is not null and coalesce(g.next_turn_at <= ${claimTime}, true)
      for no key update of g skip locked
    ), ready as (
      select w.*, p.turns, count(*) over (partition by w.account) as of_account
      from waiting w left join paced p on p.id = w.sending where w.speed is null or p.id is not null
    ), turns as (
      select account, sending, least(turns, ceil(${limit}::numeric / (select count(distinct account) from ready) / of_account)::integer) as share
      from ready
    ), due as (
      select mine.id, g.source_kind, g.source from turns t join sendings g on g.id = t.sending cross join lateral (
        select m.id from messages m
        where m.state = 'queued' and m.lane = ${lane} and m.account = t.account and m.sending = t.sending
          and m.not_before <= ${claimTime}
        order by m.not_before, m.id limit t.share
        for update skip locked) mine
    ), claimed as (
      -- What waited is asked again.
      update messages m set state = 'claimed', claimed_by = ${sender}::uuid, lease_until = ${new Date(now + leaseMs)}, postponement = null
      from due g where m.id = g.id
      returning ${messageColumns}
    ), turned as (
      update sendings g
      set next_turn_at = greatest(g.next_turn_at, ${claimTime} - interval ${PACE_SLACK}) + c.taken * interval '1 hour' / w.speed
      from (select sending, count(*) as taken from claimed group by sending) c join waiting w using (sending)
      where g.id = c.sending and w.speed is not null
    )
    select * from claimed`.execute(db)
  return rows.map(toClaimedMessage).sort((a, b) => a.id - b.id)
}

/**
 * Gives what a dead sender held to a new name, with the batch that had claimed each; also what is held because its lease
 * ran out before its journal could be read: it is claimed again, and counted as held no more.
 */
export async function takeOverMessages(
  db: Db,
  sender: string,
  { name, now }: { name: string; now: number },
): Promise<(ClaimedMessage & { batch: string })[]> {
  const { first: firstName, last: lastName } = getSenderNameRange(sender)
  await dissolveSenderSlices(db, { first: firstName, last: lastName })
  const { rows } = await sql<MessageRow & { batch: string }>`
    with mine as materialized (
      -- In the order in which every transaction locks messages.
      select id from messages
      where state in ('claimed', 'held') and claimed_by between ${firstName}::uuid and ${lastName}::uuid
      order by id for update
    ), taken as (
      update messages m set state = 'claimed', claimed_by = ${name}::uuid, lease_until = ${new Date(now + MESSAGE_LEASE_MS)}
      from mine, sendings g
      where m.id = mine.id and g.id = m.sending
      returning ${messageColumns}, old.claimed_by as batch, old.state as was
    ), counted as (
      insert into sending_counts as c (sending, shard, held)
      select sending, 0, -count(*) from taken where was = 'held' group by sending order by sending
      on conflict (sending, shard) do update set held = c.held + excluded.held
    )
    select * from taken`.execute(db)
  return rows.map(({ batch, ...row }) => ({ ...toClaimedMessage(row), batch }))
}

/** Gives back everything that one name has claimed: none of it was started. */
export async function releaseAllMessages(db: Db, name: string): Promise<void> {
  await sql`
    update messages set state = 'queued', claimed_by = null, lease_until = null
    where claimed_by = ${name}::uuid and state = 'claimed'`.execute(db)
  await releaseAllMessageSlices(db, name)
}

/** Why messages go back untried, and when they may be claimed again (milliseconds). */
export interface MessageRelease {
  notBefore: number
  reply: string
}

/**
 * Gives messages back untried; only those this sender still holds. Slices of which nothing was started go back whole, the
 * rest of others becomes rows.
 */
export async function releaseMessages(
  db: Db,
  sender: string,
  ids: readonly number[],
  release: MessageRelease,
): Promise<void> {
  const untouched = Map.groupBy(ids.filter(isSliceMessageId), getMessageSliceId)
  const sliceSizes = new Map([...untouched].map(([slice, sliceMessages]) => [slice, sliceMessages.length]))
  const wholeSlices = await releaseMessageSlices(db, sender, sliceSizes, release.notBefore)
  const remainingIds = ids.filter((id) => !wholeSlices.has(getMessageSliceId(id)))
  if (remainingIds.length === 0) return
  await inRetriedTransaction(db, async (tx) => {
    const lockedSlices = await lockMessageSlices(
      tx,
      sender,
      new Set(remainingIds.filter(isSliceMessageId).map(getMessageSliceId)),
    )
    await materialiseSliceMessages(
      tx,
      sender,
      remainingIds.filter((id) => lockedSlices.has(getMessageSliceId(id))),
    )
    await releaseRows(tx, sender, remainingIds, release)
  })
}

/**
 * Decreases the held counts for messages of `back` that their own sender releases: messages held meanwhile, because their lease expired
 * while the database was unavailable, no longer count as held.
 */
export const heldCountDecrease = sql`
  insert into sending_counts as c (sending, shard, held)
  select sending, pg_backend_pid() % 16, -count(*) from back where was = 'held' group by sending order by sending
  on conflict (sending, shard) do update set held = c.held + excluded.held`

async function releaseRows(
  db: Db,
  sender: string,
  ids: readonly number[],
  { notBefore, reply }: MessageRelease,
): Promise<void> {
  await sql`
    with back as (
      update messages set state = 'queued', claimed_by = null, lease_until = null, last_reply = left(${reply}, 500),
        not_before = greatest(not_before, ${new Date(notBefore)})
      where id = any(${ids}::bigint[]) and claimed_by = ${sender}::uuid and state in ('claimed', 'held')
      returning sending, old.state as was
    )
    ${heldCountDecrease}`.execute(db)
}

/** Gives messages back untried, each with its own moment, and remembers what kept them; only those this sender still holds. */
export async function returnMessages(
  db: Db,
  sender: string,
  messages: readonly ({ id: number } & Omit<ReturnedEnding, 'type'>)[],
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    with back as (
      update messages m set state = 'queued', claimed_by = null, lease_until = null, last_reply = left(g.reply, 500),
        destination = coalesce(nullif(g.destination, ''), m.destination), not_before = greatest(m.not_before, g.not_before),
        postponement = g.postponement
      from unnest(
        ${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ notBefore }) => new Date(notBefore))}::timestamptz[],
        ${messages.map(({ destination }) => destination)}::text[], ${messages.map(({ reply }) => reply)}::text[],
        ${messages.map(({ postponement }) => (postponement ? toJsonbText(postponement) : null))}::jsonb[]
      ) as g (id, not_before, destination, reply, postponement)
      where m.id = g.id and m.claimed_by = ${sender}::uuid and m.state in ('claimed', 'held')
      returning m.sending, old.state as was
    )
    ${heldCountDecrease}`.execute(db)
}
