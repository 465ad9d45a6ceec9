import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import type { ClockState } from '../../lib/time/clock-steps.ts'
import { MESSAGE_LEASE_MS } from '../claim/renew-message-leases.ts'
import { selectWaitingSendings } from '../plan/waiting-sendings.ts'
import { selectLongestRetryDelay } from './backoff.ts'

/** Messages that are made due in one statement. */
const DUE_BATCH_SIZE = 10_000

/**
 * Condition on a queued message `m` of a sending `g`, whose moment is to come: it does not wait for a moment of its own, but for less
 * than what is left of its wait. One of the rest of an experiment waits for its decision, one that pressure holds for its rules.
 */
const buildLateCondition = (at: RawBuilder<unknown>, hasStepped: boolean): RawBuilder<boolean> => sql<boolean>`
  m.postponement is null and case
    when m.attempts > 0 then m.not_before > ${at} + ${selectLongestRetryDelay(sql`m.kind`, sql`m.attempts`)}
    when m.not_before <= m.created_at then true
    -- Given back untried, or spread by a speed that the claim keeps as well.
    else ${hasStepped}::boolean and (m.last_reply is not null
      or g.speed > 0 and g.local_start is null and g.best_time is null and g.shares is null) end`

async function makeLaneDue(db: Db, lane: OutboxLane, { now, hasStepped }: ClockState): Promise<boolean> {
  const currentTime = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<{ n: number }>`
    with recursive heads as (${selectWaitingSendings('messages', lane)}
    ), late as (
      select mine.id from heads h join sendings g on g.id = h.sending cross join lateral (
        select m.id from messages m
        where m.state = 'queued' and m.lane = ${lane} and m.account = h.account and m.sending = h.sending
          and m.not_before > ${currentTime} and ${buildLateCondition(currentTime, hasStepped)}
        order by m.not_before, m.id limit ${DUE_BATCH_SIZE} for update skip locked) mine
      limit ${DUE_BATCH_SIZE}
    ), due as (
      update messages m set not_before = ${currentTime} from late where m.id = late.id returning m.id
    )
    select count(*)::integer as n from due`.execute(db)
  return rows[0]?.n === DUE_BATCH_SIZE
}

/** Makes due what waits as messages or slices, though it never waits for so long. A campaign with a speed waits for its next turn at most. */
export async function makeMessagesDue(db: Db, state: ClockState): Promise<void> {
  const { hasStepped } = state
  const now = new Date(state.now)
  await sql`
    update sendings set next_turn_at = ${now}
    where kind <> 'message' and state in ('planning', 'running') and speed > 0
      and next_turn_at > ${now}::timestamptz + interval '1 hour' / speed`.execute(db)
  await sql`
    with late as (
      select s.id from message_slices s join sendings g on g.id = s.sending
      where s.claimed_by is null and s.not_before > ${now}
        and (s.not_before <= s.created_at or ${hasStepped}::boolean and g.shares is null)
      order by s.id for update of s skip locked
    )
    update message_slices s set not_before = ${now} from late where s.id = late.id`.execute(db)
  for (const lane of Object.values(outboxLanes)) while (await makeLaneDue(db, lane, state));
}

/** Ends claims that last longer than any does. Of a sender that lives nothing is lost by it: see `holdLost`. */
export async function endLateClaims(db: Db, now: number): Promise<void> {
  const [currentDate, longestLease] = [new Date(now), new Date(now + MESSAGE_LEASE_MS)]
  await sql`
    with late as (
      select id from messages where state = 'claimed' and lease_until > ${longestLease} order by id for no key update skip locked)
    update messages m set lease_until = ${currentDate} from late where m.id = late.id`.execute(db)
  await sql`
    with late as (
      select id from message_slices where claimed_by is not null and lease_until > ${longestLease}
      order by id for no key update skip locked)
    update message_slices s set lease_until = ${currentDate} from late where s.id = late.id`.execute(db)
}
