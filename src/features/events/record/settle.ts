import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import type { AccountId } from '../../../lib/account.ts'
import { clearSoftBounces } from '../../contacts/bounce-flags/bounce-flags.ts'
import { findBursts, MAX_BURST_LINKS } from '../hits/bursts.ts'
import { countContactHours, type FinalizedHit } from './contact-hours.ts'
import { type AdoptedOptout, adoptEarlyReactions, hasDueEarlyReaction } from './early.ts'

/** Effect of opt-outs once their channel is known. */
export type MuteAdoptedOptouts = (tx: Db, optouts: readonly AdoptedOptout[]) => Promise<void>

/** A hit on a link that may be part of a burst. */
interface NearHit {
  event: string
  account: AccountId
  stamp: string
  link: number
  /** Milliseconds. */
  hit_at: number
}

/** Hits whose class is final from now on. */
interface DueHits {
  count: number
  /** Their ids: an array as PostgreSQL writes it, which goes back as it came. */
  events: string
  /** Hits of stamps that several links of were followed, later ones included. */
  near: NearHit[]
}

/** Age at which a hit is settled: the window of the bursts, and the duration of a group commit and a run of the timer. */
const FINAL_AGE_MS = 2600
const MAX_HITS = 5000
/** Period before a followed honeypot in which hits are reclassified. */
const HONEYPOT_WINDOW_MS = 3000

/**
 * Settles the hits of 2.6 s ago: those of a burst become `genericrobot`, the others keep their class for good, and a
 * person's hit proves its address good. Answers how many were settled. To be called several times a second; several
 * processes may do so.
 */
export async function finalizeHits(db: Db, mute: MuteAdoptedOptouts = async () => undefined): Promise<number> {
  if (!(await hasDueHits(db))) return 0
  return inTransaction(db, async (tx) => {
    await mute(tx, await adoptEarlyReactions(tx))
    const { count, events, near: nearHits } = await lockDueHits(tx)
    if (count === 0) return 0
    const linkHits = nearHits.map(({ event, account, stamp, link, hit_at: hitAt }) => ({
      event,
      stamp: `${account} ${stamp}`,
      link,
      hitAt,
    }))
    await markRobotHits(tx, [...findBursts(linkHits)])
    await removeFinalHits(tx, events)
    return count
  })
}

/** The honeypot of a message that was followed. */
export interface FollowedHoneypot {
  account: AccountId
  stamp: string
  /** A keyed hash of the whole address of who did so. */
  visitor: Uint8Array
}

/**
 * Records that a honeypot link was followed: hits of that visitor on that stamp are a robot's, those of the 3 s before
 * and, as they are stored, those of the 10 minutes after.
 */
export async function recordHoneypot(db: Db, { account, stamp, visitor }: FollowedHoneypot): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      insert into sprung_honeypots (account, stamp, visitor, sprung_at) values (${account}, ${stamp}, ${visitor}, clock_timestamp())
      on conflict (account, stamp, visitor) do update set sprung_at = excluded.sprung_at`.execute(tx)
    const { rows } = await sql<{ event: string }>`
      select event from unsettled_hits
      where event >= ${buildFirstId(HONEYPOT_WINDOW_MS)} and account = ${account} and stamp = ${stamp} and visitor = ${visitor}
        and classification is null and hit_at > clock_timestamp() - interval '3 seconds'`.execute(tx)
    await markRobotHits(
      tx,
      rows.map(({ event }) => event),
    )
  })
}

/** Builds the smallest id of a hit stored `ageMs` milliseconds ago: ids begin with the time (RFC 9562, 5.7). */
function buildFirstId(ageMs: number): RawBuilder<string> {
  return sql`(select (lpad(to_hex(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint - ${ageMs}::integer), 12, '0')
    || repeat('0', 20))::uuid)`
}

/** Condition: a hit or an early reaction is due. */
export const isHitDue = sql`exists (select from unsettled_hits where event < ${buildFirstId(FINAL_AGE_MS)}) or ${hasDueEarlyReaction}`

/**
 * Returns true if a hit or an early reaction is due. It runs several times a second, nearly always without a result, and so without a
 * transaction.
 */
function hasDueHits(db: Db): Promise<boolean> {
  return isSqlConditionTrue(db, 'hits-due-any', isHitDue)
}

/** Takes the hits that are due, and finds those around them that may be bursts; later hits of a burst are found with the first. */
async function lockDueHits(tx: Db): Promise<DueHits> {
  const { rows } = await sql<DueHits>`${buildPreparedPrefix('hits-due')}
    with due as materialized (
      select event, account, stamp, link from unsettled_hits where event < ${buildFirstId(FINAL_AGE_MS)}
      order by event limit ${MAX_HITS} for update skip locked),
    near as materialized (
      select event, account, stamp, link, date_part('epoch', hit_at) * 1000 as hit_at from unsettled_hits
      where link is not null and stamp = any(array(select distinct stamp from due where link is not null))),
    busy as (select account, stamp from near group by account, stamp having count(distinct link) > ${MAX_BURST_LINKS})
    select count(*), array_agg(event)::text as events,
      (select coalesce(json_agg(near), '[]') from near where (account, stamp) in (select account, stamp from busy)) as near
    from due`.execute(tx)
  return rows[0] ?? { count: 0, events: '{}', near: [] }
}

/** Hits become `genericrobot` in the log and among the unsettled, unless they have a class already. */
async function markRobotHits(tx: Db, events: readonly string[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    with marked as (
      update unsettled_hits set classification = 'genericrobot'
      where event = any(${events}::uuid[]) and classification is null
      returning event, at)
    update events e set classification = 'genericrobot',
      detail = jsonb_set(detail::jsonb,
        array[case when kind like 'hits/%' then 'hit' else 'interaction' end, 'classification'], '"genericrobot"')::json
    from marked m where e.id = m.event and e.at = m.at`.execute(tx)
}

/** A person opened or clicked a message sent there: soft bounces of the address are forgiven, and its hour is counted. */
async function removeFinalHits(tx: Db, events: string): Promise<void> {
  const { rows: finalHits } = await sql<
    FinalizedHit & { account: AccountId; contact: number; field: number; is_soft: boolean }
  >`
    with settled as (
      delete from unsettled_hits where event = any(${events}::uuid[])
      returning event, at, hit_at, account, contact, field, classification)
    select event, at, hit_at, account, contact, field, exists (
      select from soft_bounces s where s.account = h.account and s.contact = h.contact and s.field = h.field) as is_soft
    from settled h where classification is null and contact is not null`.execute(tx)
  const rows = finalHits.filter(({ is_soft }) => is_soft)
  for (const [account, addressFields] of Map.groupBy(rows, (row) => row.account))
    await clearSoftBounces(tx, account, addressFields)
  await countContactHours(tx, finalHits)
}
