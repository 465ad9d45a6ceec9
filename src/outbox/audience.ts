import { sql } from 'kysely'
import type { VersionSource } from '../channels/version-source.ts'
import { arrayText } from '../database/array-text.ts'
import { type Db, inTransaction } from '../database/connect.ts'
import { recordEvents } from '../features/events/effects.ts'
import { cancellation } from '../features/events/record.ts'
import type { Clock } from '../lib/clock.ts'
import { contactId } from '../lib/ids.ts'
import { type Lane, lanes } from '../lib/lanes.ts'
import { nextSlice, type Run, takeSnapshot } from './audience-snapshot.ts'
import { SLICE_SIZE } from './slices.ts'
import { loadVersion } from './version.ts'
import { zoneMoments } from './zones.ts'

/** Contacts planned at once: the first slices are being sent while the next are made. */
const SLICE = 5000
/** The first slice is small: its messages leave at once. */
const FIRST_SLICE = 500
/** A campaign without an end date: its messages wait as long as it takes. */
const NEVER = new Date('9999-12-31T00:00:00Z')

interface Plan extends Run {
  version: number
  source: VersionSource
  lane: Lane
  startedAt: Date
  expiresAt: Date
  /** Messages an hour; 0 means no limit. */
  speed: number
  type: string
  startDate: string | null
  /** The last contact that was planned; null before the first. */
  plannedThrough: number | null
  /** How many of the audience were planned. */
  recipients: number
}

async function loadPlan(db: Db, { account, action, run }: Run): Promise<Plan | undefined> {
  const { rows: found } = await sql<{
    version: number
    started_at: Date
    scheduler: { type: string; startDate?: string | null; endDate?: string | null; speed?: number }
    planned_through: number | null
    recipients: number
  }>`
    select a.version, a.started_at, a.scheduler, a.planned_through,
      coalesce((select sum(recipients) from run_counts c where c.action = a.id and c.run = a.run), 0)::bigint as recipients
    from actions a
    where a.account = ${account} and a.id = ${action} and a.run = ${run}::uuid and a.state = 55 and a.planned_at is null
      and a.deleted_at is null`.execute(db)
  const [row] = found
  const version = row && (await loadVersion(db, account, row.version))
  if (!row || !version) return undefined
  const { scheduler } = row
  return {
    account,
    action,
    run,
    version: row.version,
    source: version.source,
    lane: version.source.settings.priority ? lanes.urgent : lanes.bulk,
    startedAt: row.started_at,
    expiresAt: scheduler.endDate ? new Date(scheduler.endDate) : NEVER,
    speed: scheduler.speed ?? 0,
    type: scheduler.type,
    startDate: scheduler.startDate ?? null,
    plannedThrough: row.planned_through,
    recipients: row.recipients,
  }
}

/** Whether the messages of a campaign leave one by one, each at a moment of its own. */
function isPaced({ speed, type }: Plan): boolean {
  return speed > 0 || type === 'timeZoneSchedule'
}

/**
 * When it is each contact's turn: spread by the speed, or when its own clock says so; nothing without a pace. What comes
 * later than its turn still keeps the pace: see claimMessages.
 */
async function momentsOf(db: Db, plan: Plan, slice: readonly number[]): Promise<Date[]> {
  const { startedAt, speed, recipients, expiresAt } = plan
  if (!isPaced(plan)) return []
  const zoned =
    plan.type === 'timeZoneSchedule' && plan.startDate !== null
      ? await zoneMoments(db, { ...plan, startDate: plan.startDate }, slice)
      : undefined
  return slice.map((contact, index) => {
    const spread = speed > 0 ? startedAt.getTime() + ((recipients + index) * 3_600_000) / speed : startedAt.getTime()
    // What would come after the end is claimed at the end, and told as expired.
    return new Date(Math.min(Math.max(spread, zoned?.get(contact) ?? 0), expiresAt.getTime()))
  })
}

interface Duplicate {
  id: number
  unicity: string
  hash: string
  other: number
}

/** What a campaign waits as: a row for each message when each has a moment of its own, else slices of its audience. */
function waiting(plan: Plan, now: Date) {
  const { account, action, run, version, lane, expiresAt, source, startedAt } = plan
  if (isPaced(plan))
    return sql`
      insert into messages (account, lane, channel, kind, action, version, contact, stamp, thread, set, stamp_time, not_before, expires_at, created_at)
      select ${account}, ${lane}, ${source.channel}, 'campaign', ${action}, ${version}, id, stamp, stamp, ${run}::uuid, ${startedAt}, not_before, ${expiresAt}, ${now}
      from (select id, not_before, uuidv7() as stamp from chosen order by id) as messages`
  return sql`
    insert into message_slices (account, lane, channel, action, version, run, stamp_time, contacts, not_before, expires_at, created_at)
    select ${account}, ${lane}, ${source.channel}, ${action}, ${version}, ${run}::uuid, ${startedAt},
      contacts, ${startedAt}, ${expiresAt}, ${now}
    from (
      select array_agg(id order by id) as contacts
      from (select id, (row_number() over (order by id) - 1) / ${SLICE_SIZE} as nth from chosen) as numbered
      group by nth order by nth) as slices`
}

/** Queues contacts of the audience in one statement; gives those whose address another contact of the run has. */
async function queueContacts(
  db: Db,
  plan: Plan,
  { contacts, moments, now }: { contacts: readonly number[]; moments: readonly Date[]; now: Date },
): Promise<Duplicate[]> {
  const { account, run, source } = plan
  const { rows: duplicates } = await sql<Duplicate>`
    with slice as (
      -- Who was deleted meanwhile has a message too, which tells so.
      select n.id, n.not_before, c.unicity, c.hash, md5(lower(c.fields->>${String(source.settings.field)}))::uuid as address
      from unnest(${arrayText(contacts)}::bigint[], ${arrayText(moments)}::timestamptz[]) as n (id, not_before)
      left join contacts c on c.account = ${account} and c.id = n.id
    ), fresh as (
      insert into run_addresses (run, address, contact)
      select ${run}::uuid, address, min(id) from slice where address is not null group by address
      on conflict do nothing
      returning address, contact
    ), owners as (
      select address, contact from fresh
      union all
      select r.address, r.contact from run_addresses r join (select distinct address from slice) s using (address) where r.run = ${run}::uuid
    ), judged as (
      select s.*, o.contact as owner from slice s left join owners o using (address)
    ), chosen as (
      select id, not_before from judged where owner is null or owner = id
    ), queued as (${waiting(plan, now)})
    select id, unicity, encode(hash, 'hex') as hash, owner as other from judged where owner <> id order by id`.execute(
    db,
  )
  return duplicates
}

async function cancelDuplicates(db: Db, plan: Plan, duplicates: readonly Duplicate[]): Promise<void> {
  if (duplicates.length === 0) return
  const { account, action, run, source } = plan
  const { rows: stamps } = await sql<{
    id: string
  }>`select uuidv7() as id from generate_series(1, ${duplicates.length}::integer)`.execute(db)
  const events = duplicates.map(({ id, unicity, hash, other }, index) => {
    const stamp = { id: stamps[index]!.id, thread: stamps[index]!.id, set: run, time: plan.startedAt.getTime() }
    const footprint = { type: 'footprint', id: contactId(id), unicity, hash } as const
    const send = {
      account,
      channel: source.channel,
      action,
      kind: 'campaign',
      contact: id,
      footprint,
      field: source.settings.field,
      stamp,
    } as const
    return cancellation(send, { type: 'duplicate address', value: { contact: contactId(other) } })
  })
  await recordEvents(db, events)
}

/** Plans a slice, unless the run has ended or somebody else planned it: then nothing is changed and the answer is false. */
async function planSlice(db: Db, plan: Plan, contacts: readonly number[], now: Date): Promise<boolean> {
  const moments = await momentsOf(db, plan, contacts)
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('actions')
      .set({ planned_through: contacts.at(-1)! })
      .where('id', '=', plan.action)
      .where('run', '=', plan.run)
      .where('state', '=', 55)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`planned_through is not distinct from ${plan.plannedThrough}`)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const duplicates = await queueContacts(tx, plan, { contacts, moments, now })
    await sql`insert into run_counts as c (action, run, shard, recipients, cancelled)
      values (${plan.action}, ${plan.run}::uuid, 0, ${contacts.length}, ${duplicates.length})
      on conflict (action, run, shard) do update
      set recipients = c.recipients + excluded.recipients, cancelled = c.cancelled + excluded.cancelled`.execute(tx)
    await cancelDuplicates(tx, plan, duplicates)
    return true
  })
}

/** Ends the planning of a run: its audience is not needed any more. */
function endPlan(db: Db, { run, action }: Run, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.deleteFrom('campaign_audiences').where('run', '=', run).execute()
    await tx
      .updateTable('actions')
      .set({ planned_at: now })
      .where('id', '=', action)
      .where('run', '=', run)
      .where('state', '=', 55)
      .execute()
  })
}

/**
 * Makes the messages of a campaign's run, slice by slice in ascending contact id, from one snapshot of its segments.
 * Called again after a crash it goes on behind the last slice that was committed; called twice at once, every slice is
 * still planned once. It does nothing when the run is over, deleted or planned already.
 * `slice`: contacts planned at once.
 */
export async function planCampaign(
  { db, clock }: { db: Db; clock: Clock },
  run: Run,
  { signal, slice = SLICE }: { signal?: Pick<AbortSignal, 'throwIfAborted'>; slice?: number } = {},
): Promise<void> {
  if (!(await takeSnapshot(db, run, clock.now()))) return
  const plan = await loadPlan(db, run)
  if (!plan) return
  for (;;) {
    signal?.throwIfAborted()
    const { recipients: planned } = plan
    const count = planned === 0 ? Math.min(FIRST_SLICE, slice) : slice
    const contacts = await nextSlice(db, plan.run, { planned, count })
    if (contacts.length === 0) break
    if (!(await planSlice(db, plan, contacts, new Date(clock.now())))) return
    plan.plannedThrough = contacts.at(-1)!
    plan.recipients += contacts.length
  }
  await endPlan(db, run, new Date(clock.now()))
}
