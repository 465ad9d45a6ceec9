import { type RawBuilder, sql } from 'kysely'
import { type Db, inSavepoint, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { isStatementTimeout } from '../../database/errors.ts'
import { loadSegmentAudience } from '../../features/segments/members/segment-audience.ts'
import { contactsWithLiveDevicesSql } from '../../features/subscriptions/live.ts'
import type { AccountId } from '../../lib/account.ts'
import type { NewCampaignSending } from './sendings.ts'

/** The one statement that finds all contacts may take this long. */
const SNAPSHOT_TIMEOUT_MS = 600_000
/** The first contacts are looked for alone where that is quick. */
const FIRST_CONTACTS_MS = 150
/** Bytes of a contact's id. */
const ID_BYTES = 8

/** The first contacts of an audience: they are planned while the rest of it is found. */
export interface FirstAudienceContacts {
  count: number
  plan(contacts: readonly number[]): Promise<void>
}

interface WaitingAudience {
  account: AccountId
  run: string
  audience_at: Date | null
  /** `through`: who was the last contact of the account when the first were planned. */
  audience: NewCampaignSending['audience'] & { through?: number }
  planned: number
  planned_through: number | null
}

/** The ids of those who are in the segments of a sending; behind the first that were planned, those who were there then. */
async function selectContacts(
  db: Db,
  { account, audience, planned, planned_through }: WaitingAudience,
  now: number,
): Promise<RawBuilder<unknown>> {
  const { application, through } = audience
  const segmentContacts = await loadSegmentAudience(db, account, audience, now)
  const reachableCondition =
    application === undefined ? sql`true` : sql`id in (${contactsWithLiveDevicesSql(account, application)})`
  const unplannedCondition =
    planned === 0 ? sql`true` : sql`id > ${planned_through} and id <= ${through ?? Number.MAX_SAFE_INTEGER}`
  return sql`select id from (${segmentContacts}) as audience (id) where ${reachableCondition} and ${unplannedCondition}`
}

/** One at a time in a process: it needs a second connection while it holds one. */
let isPlanningFirst = false

/** Plans the first contacts in transactions of their own, once the last contact of the account is kept. */
async function planFirstContacts(
  db: Db,
  tx: Db,
  { sending, account, contacts }: { sending: number; account: AccountId; contacts: RawBuilder<unknown> },
  { count, plan }: FirstAudienceContacts,
): Promise<void> {
  if (isPlanningFirst) return
  isPlanningFirst = true
  try {
    const firstContacts = await inSavepoint(tx, async (inner) => {
      await sql`select set_config('statement_timeout', ${String(FIRST_CONTACTS_MS)}, true)`.execute(inner)
      const { rows } = await sql<{ id: number }>`${contacts} order by id limit ${count}`.execute(inner)
      return rows.map(({ id }) => id)
    }).catch((error) => {
      if (isStatementTimeout(error)) return []
      throw error
    })
    if (firstContacts.length === 0) return
    const { rows } = await sql<{
      last: number
    }>`select max(id) as last from contacts where account = ${account}`.execute(tx)
    await sql`update sendings set audience = audience || ${toJsonbText({ through: rows[0]?.last })}::jsonb where id = ${sending} and audience_at is null`.execute(
      db,
    )
    await plan(firstContacts)
  } finally {
    isPlanningFirst = false
  }
}

/**
 * Writes down who is in the segments of a sending now, once: what becomes of them later does not matter, and the
 * process that goes on after a crash has the same audience. Its first contacts are planned meanwhile, of the same moment;
 * when the process ends before the rest is written, the rest is that of the next try, without contacts created since.
 * False when the sending is not being planned, or another process is at it.
 */
export async function takeAudienceSnapshot(
  db: Db,
  sending: number,
  now: number,
  firstContacts: FirstAudienceContacts,
): Promise<boolean> {
  const isSnapshotStored = await inTransaction(db, async (tx) => {
    // Both statements that find contacts see those of one moment.
    await sql`set transaction isolation level repeatable read`.execute(tx)
    const { rows: lockRows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('audience'), ${sending}::integer) as mine`.execute(tx)
    if (!lockRows[0]?.mine) return false
    const { rows } = await sql<WaitingAudience>`
      select g.account, g.run, g.audience_at, g.audience, g.planned_through, g.held_out + coalesce(
        (select sum(recipients) from sending_counts c where c.sending = g.id), 0)::bigint as planned
      from sendings g where g.id = ${sending} and g.kind = 'campaign' and g.state = 'planning'`.execute(tx)
    const [waitingAudience] = rows
    if (!waitingAudience) return false
    if (waitingAudience.audience_at !== null) return true
    const contacts = await selectContacts(tx, waitingAudience, now)
    if (waitingAudience.planned === 0)
      await planFirstContacts(db, tx, { sending, account: waitingAudience.account, contacts }, firstContacts)
    await sql`select set_config('statement_timeout', ${String(SNAPSHOT_TIMEOUT_MS)}, true)`.execute(tx)
    // Of those that a process planned before it ended, the number counts alone.
    await sql`
      insert into campaign_audiences (run, contacts)
      select ${waitingAudience.run}::uuid, decode(repeat('00', ${waitingAudience.planned * ID_BYTES}::integer), 'hex') || coalesce(string_agg(int8send(id), '' order by id), '')
      from (${contacts}) as audience (id)
      on conflict do nothing`.execute(tx)
    return true
  })
  if (!isSnapshotStored) return false
  await sql`
    with taken as (
      update sendings set audience_at = ${new Date(now)}, audience = null
      where id = ${sending} and state = 'planning' and audience_at is null
    )
    -- It was cancelled meanwhile.
    delete from campaign_audiences a using sendings g where g.id = ${sending} and a.run = g.run and g.state <> 'planning'`.execute(
    db,
  )
  return true
}

/** At most `count` contacts of a run's audience, ascending, behind the first `planned` of them. */
export async function readAudienceSlice(
  db: Db,
  run: string,
  { planned, count }: { planned: number; count: number },
): Promise<number[]> {
  const { rows } = await sql<{ ids: Buffer }>`
    select substring(contacts from ${planned * ID_BYTES + 1}::integer for ${count * ID_BYTES}::integer) as ids
    from campaign_audiences where run = ${run}::uuid`.execute(db)
  const ids = rows[0]?.ids ?? Buffer.alloc(0)
  return Array.from({ length: ids.length / ID_BYTES }, (_, n) => Number(ids.readBigInt64BE(n * ID_BYTES)))
}
