import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { clearSoft } from '../contacts/bounces.ts'
import { findBursts } from './bursts.ts'
import { adoptEarly } from './early.ts'
import type { Classification } from './new-event.ts'

/** A hit whose class is final from now on. */
interface DueHit {
  event: string
  account: AccountId
  stamp: string
  contact: number | null
  field: number | null
  classification: Classification | null
}

interface NearHit {
  event: string
  account: AccountId
  stamp: string
  link: number
  hit_at: Date
}

/** Age at which a hit is settled: the window of the bursts, and what a group commit and a turn of the timer take. */
const DUE = sql`interval '2600 milliseconds'`
const MOST_HITS = 5000

/**
 * Settles the hits of 2.6 s ago: those of a burst become `genericrobot`, the others keep their class for good, and a
 * person's hit proves its address good. Answers how many were settled. To be called several times a second; several
 * processes may do so.
 */
export async function settleHits(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    await adoptEarly(tx)
    const due = await takeDue(tx)
    if (due.length === 0) return 0
    const bursts = await burstsAround(tx, due)
    await markRobots(tx, [...bursts])
    await sql`delete from unsettled_hits where event = any(${due.map(({ event }) => event)}::uuid[])`.execute(tx)
    await clearSoftOf(
      tx,
      due.filter(({ event, classification }) => classification === null && !bursts.has(event)),
    )
    return due.length
  })
}

/** The honeypot of a message that was followed. */
export interface Honeypot {
  account: AccountId
  stamp: string
  /** A keyed hash of the whole address of who did so. */
  visitor: Uint8Array
}

/**
 * Notes that a honeypot link was followed: hits of that visitor on that stamp are a robot's, those of the 3 s before
 * and, as they are stored, those of the 10 minutes after.
 */
export async function springHoneypot(db: Db, { account, stamp, visitor }: Honeypot): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      insert into sprung_honeypots (account, stamp, visitor, sprung_at) values (${account}, ${stamp}, ${visitor}, clock_timestamp())
      on conflict (account, stamp, visitor) do update set sprung_at = excluded.sprung_at`.execute(tx)
    const { rows } = await sql<{ event: string }>`
      select event from unsettled_hits
      where account = ${account} and stamp = ${stamp} and visitor = ${visitor} and classification is null
        and hit_at > clock_timestamp() - interval '3 seconds'`.execute(tx)
    await markRobots(
      tx,
      rows.map(({ event }) => event),
    )
  })
}

async function takeDue(tx: Db): Promise<DueHit[]> {
  const { rows } = await sql<DueHit>`
    select event, account, stamp, contact, field, classification from unsettled_hits
    where at < clock_timestamp() - ${DUE} order by at limit ${MOST_HITS} for update skip locked`.execute(tx)
  return rows
}

/** The bursts that hits now due are part of; their later hits are found with the first. */
async function burstsAround(tx: Db, due: readonly DueHit[]): Promise<Set<string>> {
  const { rows } = await sql<NearHit>`
    select event, account, stamp, link, hit_at from unsettled_hits
    where link is not null and (account, stamp) in (
      select * from unnest(${due.map(({ account }) => account)}::integer[], ${due.map(({ stamp }) => stamp)}::uuid[]))`.execute(
    tx,
  )
  return findBursts(
    rows.map(({ event, account, stamp, link, hit_at }) => ({
      event,
      stamp: `${account} ${stamp}`,
      link,
      hitAt: hit_at.getTime(),
    })),
  )
}

/** Hits become `genericrobot` in the log and among the unsettled, unless they have a class already. */
async function markRobots(tx: Db, events: readonly string[]): Promise<void> {
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

/** A person read or followed what was sent there. */
async function clearSoftOf(tx: Db, hits: readonly DueHit[]): Promise<void> {
  for (const [account, own] of Map.groupBy(hits, (hit) => hit.account)) {
    const places = own.flatMap(({ contact, field }) => (contact === null || field === null ? [] : [{ contact, field }]))
    await clearSoft(tx, account, places)
  }
}
