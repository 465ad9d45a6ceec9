import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Lane, MessageRequest, Stamp } from './outbox.ts'

/** A message this sender holds until its lease ends. */
export interface Claimed {
  id: number
  account: AccountId
  channel: 'email' | 'sms'
  kind: 'message' | 'campaign' | 'test' | 'copy'
  action: number
  version: number
  contact: number | null
  address: string | null
  stamp: Stamp
  request: MessageRequest
  /** Tries before this one. */
  attempts: number
  expiresAt: Date
  createdAt: Date
}

interface Row {
  id: number
  account: number
  channel: Claimed['channel']
  kind: Claimed['kind']
  action: number
  version: number
  contact: number | null
  address: string | null
  stamp: string
  thread: string
  set: string
  stamp_time: Date
  request: unknown
  attempts: number
  expires_at: Date
  created_at: Date
}

function read(row: Row): Claimed {
  const { stamp, thread, set, stamp_time, request, expires_at, created_at, ...same } = row
  return {
    ...same,
    stamp: { id: stamp, thread, set, time: stamp_time.getTime() },
    request: request as MessageRequest,
    expiresAt: expires_at,
    createdAt: created_at,
  }
}

const columns = sql`m.id, m.account, m.channel, m.kind, m.action, m.version, m.contact, m.address, m.stamp, m.thread, m.set,
  m.stamp_time, m.request, m.attempts, m.expires_at, m.created_at`

/**
 * Claims up to `limit` due messages of a lane for a sender. Accounts take equal turns within the lane, and the actions
 * of an account within its turn; those of paused actions wait. The actions that wait are found by a loose index scan,
 * so the cost does not grow with the queue.
 */
export async function claimMessages(
  db: Db,
  sender: string,
  lane: Lane,
  { limit, now, leaseMs }: { limit: number; now: number; leaseMs: number },
): Promise<Claimed[]> {
  const { rows } = await sql<Row>`
    with recursive heads as (
      (select account, action from messages where state = 'queued' and lane = ${lane} order by account, action limit 1)
      union all
      select next.account, next.action from heads h cross join lateral (
        select account, action from messages
        where state = 'queued' and lane = ${lane} and (account, action) > (h.account, h.action)
        order by account, action limit 1) next
    ), waiting as (
      select h.account, h.action, count(*) over (partition by h.account) as of_account
      from heads h join actions a on a.account = h.account and a.id = h.action
      where not a.paused or a.deleted_at is not null
    ), turns as (
      select account, action, ceil(${limit}::numeric / (select count(distinct account) from waiting) / of_account)::integer as share
      from waiting
    ), due as (
      select mine.id from turns t cross join lateral (
        select m.id from messages m
        where m.state = 'queued' and m.lane = ${lane} and m.account = t.account and m.action = t.action
          and m.not_before <= ${new Date(now)}
        order by m.not_before, m.id limit t.share
        for update skip locked) mine
    )
    update messages m set state = 'claimed', claimed_by = ${sender}::uuid, lease_until = ${new Date(now + leaseMs)}
    from due where m.id = due.id
    returning ${columns}`.execute(db)
  return rows.map(read).sort((a, b) => a.id - b.id)
}

/** The messages a sender held, as claimed; for taking up what a dead one left. */
export async function claimedBy(db: Db, sender: string): Promise<Claimed[]> {
  const { rows } =
    await sql<Row>`select ${columns} from messages m where m.state = 'claimed' and m.claimed_by = ${sender}::uuid`.execute(
      db,
    )
  return rows.map(read)
}

/** Gives messages back untried, to be claimed again at `notBefore` (milliseconds); only those this sender still holds. */
export async function releaseMessages(
  db: Db,
  sender: string,
  ids: readonly number[],
  { notBefore, reply }: { notBefore: number; reply: string },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update messages set state = 'queued', claimed_by = null, lease_until = null, last_reply = left(${reply}, 500),
      not_before = greatest(not_before, ${new Date(notBefore)})
    where id = any(${ids}::bigint[]) and claimed_by = ${sender}::uuid and state = 'claimed'`.execute(db)
}

/** Keeps what a sender holds from being taken for lost. */
export async function renewLeases(db: Db, sender: string, until: Date): Promise<void> {
  await sql`update messages set lease_until = ${until} where claimed_by = ${sender}::uuid and state = 'claimed'`.execute(
    db,
  )
}

/**
 * Messages of senders that are gone without a journal anyone can read: whether they went out is not known, so they are
 * held, counted and shown. A sender that comes back may still record them. Gives how many.
 */
export async function holdLost(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lost as (
      update messages set state = 'held', lease_until = null, attempts = attempts + 1,
        last_reply = 'the sender ended without a word'
      where state = 'claimed' and lease_until < ${now}
      returning action, "set"
    ), counted as (
      insert into run_counts as c (action, run, shard, held) select action, "set", 0, count(*) from lost group by action, "set"
      on conflict (action, run, shard) do update set held = c.held + excluded.held
    )
    select count(*)::integer as n from lost`.execute(db)
  return rows[0]?.n ?? 0
}
