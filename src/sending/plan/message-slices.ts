import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import type { OutboxLane } from '../../lib/lanes.ts'
import type { SentSourceKind } from '../../lib/sources.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { selectClaimSender } from '../senders/sender-lock.ts'
import { listPositionReservations, type SliceReservations } from './slice-reservations.ts'
import { selectWaitingSendings } from './waiting-sendings.ts'

/*
 * A campaign without a pace of its own waits as slices of its audience: a slice is claimed, sent and ended as one, and
 * its messages have no rows. What of it is put off, given back or held becomes rows of the outbox under the same ids
 * and stamps (`materialise`), and is treated as all rows from then on. So each message of a slice is in one of three places:
 * nowhere yet, in `messages`, or in `sent_messages`.
 *
 * Whatever waits for several slices does so in the order of their ids, so that no two statements can deadlock.
 */

/** Messages of a slice. */
export const MESSAGE_SLICE_SIZE = 200

/** The ids of a slice's messages are this far apart from those of the next: `slice_message_id` of the migration. */
export const SLICE_ID_STRIDE = 1024

/** Number of digits of a stamp that only its slice determines. */
const OWN_DIGITS = 12

/** The id of the message at a place of a slice: below zero, so that it is no row's. */
function toMessageId(slice: number, place: number): number {
  return -(slice * SLICE_ID_STRIDE + place)
}

/** Returns true if a message belongs to a slice, or did. */
export function isSliceMessageId(id: number): boolean {
  return id < 0
}

/** The slice of a message that is of one. */
export function getMessageSliceId(id: number): number {
  return Math.floor(-id / SLICE_ID_STRIDE)
}

/** The place in its slice of a message that is of one. */
export function getSlicePosition(id: number): number {
  return -id % SLICE_ID_STRIDE
}

/** The stamp of the message at a place of a slice: `slice_stamp` of the migration. */
function buildStamp({ stamp_prefix, seed }: SliceRow, place: number): string {
  return stamp_prefix.slice(0, -OWN_DIGITS) + hash('md5', `${seed}${place}`).slice(0, OWN_DIGITS)
}

interface SliceRow {
  id: number
  account: number
  channel: ClaimedMessage['channel']
  sending: number
  source_kind: SentSourceKind
  source: number
  version: number
  run: string
  stamp_time: Date
  stamp_prefix: string
  seed: string
  contacts: number[]
  expires_at: Date
  is_idempotent: boolean
  reservations: SliceReservations | null
}

function toMessages(slice: SliceRow): ClaimedMessage[] {
  const { id, account, channel, sending, source_kind, source, version, run, expires_at } = slice
  const stampTime = slice.stamp_time.getTime()
  return slice.contacts.map((contact, place) => {
    const stamp = buildStamp(slice, place)
    return {
      id: toMessageId(id, place),
      account,
      channel,
      kind: 'campaign',
      sending,
      sourceKind: source_kind,
      source,
      version,
      contact,
      address: null,
      stamp: { id: stamp, thread: stamp, set: run, time: stampTime },
      request: {},
      depth: 0,
      attempts: 0,
      expiresAt: expires_at,
      firstTriedAt: null,
      firstPostponedAt: null,
      destination: null,
      isIdempotent: slice.is_idempotent,
      deliveries: null,
      reservations: listPositionReservations(slice.reservations, place),
    }
  })
}

/**
 * Claims up to `limit` slices of a lane for a batch, and gives their messages. Accounts take turns, and the sendings of an
 * account within its own; where there are more than slices to claim, chance decides. Those of paused sendings wait.
 */
export async function claimMessageSlices(
  db: Db,
  batch: string,
  lane: OutboxLane,
  { limit, now, leaseMs }: { limit: number; now: number; leaseMs: number },
): Promise<ClaimedMessage[]> {
  const claimTime = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<SliceRow>`${buildPreparedPrefix('claim-slices')}
    with recursive heads as (${selectWaitingSendings('slices', lane)}
    ), ready as (
      select h.*, row_number() over (partition by h.account order by random()) as nth, count(*) over (partition by h.account) as of_account
      from heads h join sendings g on g.id = h.sending
      where not g.paused
    ), turns as (
      select account, sending, ceil(${limit}::numeric / (select count(distinct account) from ready) / of_account)::integer as share
      from ready order by nth, random() limit ${limit}
    ), due as (
      select mine.id from turns t cross join lateral (
        select s.id from message_slices s
        where s.claimed_by is null and s.lane = ${lane} and s.account = t.account and s.sending = t.sending and s.not_before <= ${claimTime}
        order by s.not_before, s.id limit t.share
        for update skip locked) mine
    )
    update message_slices s set claimed_by = ${batch}::uuid, lease_until = ${new Date(now + leaseMs)}
    from due, sendings g
    where s.id = due.id and g.id = s.sending
    returning s.id, s.account, g.channel, s.sending, g.source_kind, g.source, s.version, g.run, g.created_at as stamp_time,
      s.stamp_prefix, s.seed, s.contacts, s.expires_at, s.is_idempotent, s.reservations`.execute(db)
  return rows.flatMap(toMessages)
}

/**
 * Makes rows of messages of slices, claimed as the slice is; those that were recorded, or are rows, are passed
 * over. An address of '' says that the contact was erased meanwhile.
 */
function materialise(db: Db, condition: RawBuilder<unknown>): Promise<unknown> {
  return sql`
    insert into messages (id, account, lane, channel, kind, sending, version, contact, address, stamp, thread, set,
      stamp_time, not_before, expires_at, created_at, state, claimed_by, lease_until, is_idempotent, reservations)
    overriding system value
    select m.id, s.account, s.lane, g.channel, 'campaign', s.sending, s.version, m.contact,
      case when exists (select from erased_contacts e where e.account = s.account and e.contact = m.contact) then '' end,
      m.stamp, m.stamp, g.run, g.created_at, s.not_before, s.expires_at, s.created_at, 'claimed', s.claimed_by, s.lease_until,
      s.is_idempotent, case when s.reservations is not null then place_reservations(s.reservations, m.place) end
    from message_slices s join sendings g on g.id = s.sending cross join lateral (
      select slice_message_id(s.id, place - 1) as id, slice_stamp(s.stamp_prefix, s.seed, place - 1) as stamp, contact,
        place::integer - 1 as place
      from unnest(s.contacts) with ordinality as c (contact, place)) m
    where ${condition}
      and not exists (select from sent_messages e where e.account = s.account and e.stamp = m.stamp)
      and not exists (select from messages e where e.id = m.id)
    order by m.id
    -- The same statement may still be under way on a connection that was lost. Without a target, so that it waits for
    -- that at none of the unique indexes while it holds another.
    on conflict do nothing`.execute(db)
}

/** Makes rows of some messages of slices that a batch holds, and has locked: see lockMessageSlices. */
export async function materialiseSliceMessages(tx: Db, batch: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const slices = [...new Set(ids.map(getMessageSliceId))]
  await materialise(
    tx,
    sql`s.id = any(${slices}::bigint[]) and s.claimed_by = ${batch}::uuid and m.id = any(${ids}::bigint[])`,
  )
}

/** Makes rows of the rest of abandoned slices, as `lost` selects them; they keep the claim of the slice. */
async function dissolveSlices(tx: Db, lost: RawBuilder<{ id: number }>): Promise<void> {
  const { rows } = await lost.execute(tx)
  if (rows.length === 0) return
  const lostSlices = sql`s.id = any(${rows.map(({ id }) => id)}::bigint[])`
  await materialise(tx, lostSlices)
  await sql`delete from message_slices s where ${lostSlices}`.execute(tx)
}

/** Makes rows of the messages of the slices that the batches of a sender hold, claimed as those were. */
export function dissolveSenderSlices(tx: Db, { first, last }: { first: string; last: string }): Promise<void> {
  return dissolveSlices(
    tx,
    sql`
      select id from message_slices where claimed_by between ${first}::uuid and ${last}::uuid
      order by id for update`,
  )
}

/** The same of slices whose lease has ended, of all senders unless some are given, as `selectClaimSender` names them. One of which something is being recorded is not lost. */
export function dissolveLostSlices(tx: Db, now: Date, senders: readonly string[] | null = null): Promise<void> {
  return dissolveSlices(
    tx,
    sql`
      select id from message_slices
      where claimed_by is not null and lease_until < ${now}
        and (${senders}::text[] is null or ${selectClaimSender(sql`claimed_by`)} = any(${senders}::text[]))
      order by id for update skip locked`,
  )
}

/**
 * Locks those of the given slices that a batch holds; no other batch can take them from it before the transaction ends. Leases are still
 * renewed meanwhile.
 */
export async function lockMessageSlices(tx: Db, batch: string, slices: ReadonlySet<number>): Promise<Set<number>> {
  if (slices.size === 0) return new Set()
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('lock-slices')}
    select id from message_slices where id = any(${[...slices]}::bigint[]) and claimed_by = ${batch}::uuid
    order by id for key share`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Locks the reservations of a batch's slices until the transaction ends: nothing of them is recorded meanwhile. */
export async function lockSliceReservations(
  tx: Db,
  batch: string,
  slices: ReadonlySet<number>,
): Promise<Map<number, SliceReservations>> {
  if (slices.size === 0) return new Map()
  const { rows } = await sql<{ id: number; reservations: SliceReservations | null }>`
    select id, reservations from message_slices
    where id = any(${[...slices]}::bigint[]) and claimed_by = ${batch}::uuid
    order by id for no key update`.execute(tx)
  return new Map(rows.map(({ id, reservations }) => [id, reservations ?? {}]))
}

/**
 * Gives slices back of which nothing was started, to be claimed again at `notBefore` (milliseconds); `sizes`: how many
 * messages of each are untouched. Gives those that could be: the others are started, or no longer the batch's.
 */
export async function releaseMessageSlices(
  db: Db,
  batch: string,
  sizes: ReadonlyMap<number, number>,
  notBefore: number,
): Promise<Set<number>> {
  if (sizes.size === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    with whole as (
      select s.id from message_slices s
      join unnest(${[...sizes.keys()]}::bigint[], ${[...sizes.values()]}::integer[]) as g (id, untouched) using (id)
      where s.claimed_by = ${batch}::uuid and cardinality(s.contacts) = g.untouched
      order by s.id for no key update of s
    )
    update message_slices s set claimed_by = null, lease_until = null, not_before = greatest(s.not_before, ${new Date(notBefore)})
    from whole where s.id = whole.id
    returning s.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Gives back every slice that one name has claimed: none of it was started. */
export async function releaseAllMessageSlices(db: Db, batch: string): Promise<void> {
  await sql`update message_slices set claimed_by = null, lease_until = null where claimed_by = ${batch}::uuid`.execute(
    db,
  )
}

/** Keeps the slices that the batches of a sender hold from being taken for abandoned; what is just ending is passed over. */
export async function renewMessageSlices(
  db: Db,
  { first, last }: { first: string; last: string },
  until: Date,
): Promise<void> {
  await sql`
    with mine as (
      select id from message_slices where claimed_by between ${first}::uuid and ${last}::uuid
      for no key update skip locked
    )
    update message_slices s set lease_until = ${until} from mine where s.id = mine.id`.execute(db)
}

/** Ends the slices of a batch: each of their messages is recorded, or a row. */
export async function endMessageSlices(db: Db, batch: string, slices: ReadonlySet<number>): Promise<void> {
  if (slices.size === 0) return
  await sql`
    with mine as (
      select id from message_slices where id = any(${[...slices]}::bigint[]) and claimed_by = ${batch}::uuid
      order by id for update
    )
    delete from message_slices s using mine where s.id = mine.id`.execute(db)
}
