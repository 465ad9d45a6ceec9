import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Clock } from '../../lib/clock.ts'
import { contactId } from '../../lib/ids.ts'
import { recordEvents } from '../events/effects.ts'
import { cancellation } from '../events/record.ts'
import { loadAudience } from '../segments/audience.ts'
import { type Lane, lanes } from './outbox.ts'
import { loadVersion, type VersionSource } from './version.ts'
import { zoneMoments } from './zones.ts'

/** Contacts planned at once: the first slice is being sent while the next is made. */
const SLICE = 5000
/** A campaign without an end date: its messages wait as long as it takes. */
const NEVER = new Date('9999-12-31T00:00:00Z')

interface Run {
  account: AccountId
  action: number
  run: string
}

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
  selected: number[]
  excluded: number[]
  plannedThrough: number
  recipients: number
}

async function loadPlan(db: Db, { account, action, run }: Run): Promise<Plan | undefined> {
  const { rows: found } = await sql<{
    version: number
    started_at: Date
    scheduler: { type: string; startDate?: string | null; endDate?: string | null; speed?: number }
    planned_through: number | null
    selected: number[]
    excluded: number[]
    recipients: number
  }>`
    select a.version, a.started_at, a.scheduler, a.planned_through,
      array(select segment from action_segments s where s.action = a.id and role = 'selected') as selected,
      array(select segment from action_segments s where s.action = a.id and role = 'excluded') as excluded,
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
    selected: row.selected,
    excluded: row.excluded,
    plannedThrough: row.planned_through ?? 0,
    recipients: row.recipients,
  }
}

/** When each contact of a slice may be sent to: at once, spread by the speed, or as the contact's own clock says. */
async function momentsOf(db: Db, plan: Plan, slice: readonly number[]): Promise<Date[]> {
  const { startedAt, speed, recipients, expiresAt } = plan
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

/** Queues a slice in one statement; gives the contacts whose address another contact of the run has. */
async function queueSlice(
  db: Db,
  plan: Plan,
  slice: readonly number[],
  moments: readonly Date[],
): Promise<Duplicate[]> {
  const { account, action, run, version, lane, expiresAt, source } = plan
  const { rows: duplicates } = await sql<Duplicate>`
    with slice as (
      select c.id, n.not_before, c.unicity, c.hash, md5(lower(c.fields->>${String(source.settings.field)}))::uuid as address
      from unnest(${slice}::bigint[], ${moments}::timestamptz[]) as n (id, not_before)
      join contacts c on c.account = ${account} and c.id = n.id
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
    ), queued as (
      insert into messages (account, lane, channel, kind, action, version, contact, stamp, thread, set, stamp_time, not_before, expires_at, created_at)
      select ${account}, ${lane}, ${source.channel}, 'campaign', ${action}, ${version}, id, stamp, stamp, ${run}::uuid, ${plan.startedAt}, not_before, ${expiresAt}, now()
      from (select id, not_before, uuidv7() as stamp from judged where owner is null or owner = id order by id) as chosen
    )
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

async function planSlice(db: Db, plan: Plan, slice: readonly number[]): Promise<boolean> {
  const moments = await momentsOf(db, plan, slice)
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('actions')
      .set({ planned_through: slice.at(-1)! })
      .where('id', '=', plan.action)
      .where('run', '=', plan.run)
      .where('state', '=', 55)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const duplicates = await queueSlice(tx, plan, slice, moments)
    await sql`insert into run_counts as c (action, run, shard, recipients, cancelled)
      values (${plan.action}, ${plan.run}::uuid, 0, ${slice.length}, ${duplicates.length})
      on conflict (action, run, shard) do update
      set recipients = c.recipients + excluded.recipients, cancelled = c.cancelled + excluded.cancelled`.execute(tx)
    await cancelDuplicates(tx, plan, duplicates)
    return true
  })
}

async function* slices(db: Db, plan: Plan, now: number): AsyncGenerator<number[]> {
  const audience = await loadAudience(db, plan.account, { selected: plan.selected, excluded: plan.excluded }, now)
  const query = sql<{
    id: number
  }>`select id from (${audience}) as audience (id) where id > ${plan.plannedThrough} order by id`
  let slice: number[] = []
  for await (const { id } of rows(db, query, { batch: SLICE, patienceMs: 600_000 })) {
    slice.push(id)
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/**
 * Makes the messages of a campaign's run, slice by slice in ascending contact id, from one snapshot of its segments.
 * Called again after a crash it goes on behind the last slice that was committed, from a new snapshot. It does nothing
 * when the run is over, deleted or planned already.
 */
export async function planCampaign(context: { db: Db; clock: Clock }, run: Run, signal?: AbortSignal): Promise<void> {
  const { db, clock } = context
  const plan = await loadPlan(db, run)
  if (!plan) return
  for await (const slice of slices(db, plan, clock.now())) {
    signal?.throwIfAborted()
    if (!(await planSlice(db, plan, slice))) return
    plan.recipients += slice.length
  }
  await db
    .updateTable('actions')
    .set({ planned_at: new Date(clock.now()) })
    .where('id', '=', run.action)
    .where('run', '=', run.run)
    .where('state', '=', 55)
    .execute()
}
