import { type RawBuilder, sql } from 'kysely'
import { type ContentVersionSource, getVersionLifetimeMs } from '../../channels/version-source.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import { recordEvents } from '../../features/events/record/effects.ts'
import { createCancellationEvent } from '../../features/events/record/record.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import type { OutboxLane } from '../../lib/lanes.ts'
import type { SentSourceNumber } from '../../lib/sources.ts'
import { type AudienceShares, storeHeldOutContacts } from './audience-shares.ts'
import { type BestTimeWindow, computeBestMoments } from './best-times.ts'
import { loadContentVersion } from './content-version.ts'
import { MESSAGE_SLICE_SIZE } from './message-slices.ts'
import type { ConditionalContentVersion } from './sendings.ts'
import type { ContentVersionChoice } from './version-choice.ts'
import { computeZoneMoments } from './zone-moments.ts'

/** A campaign without an end date: its messages wait as long as it takes. */
const NO_END_DATE = new Date('9999-12-31T00:00:00Z')

export interface AudiencePlan extends SentSourceNumber {
  sending: number
  account: AccountId
  /** The set of its stamps. */
  run: string
  version: number
  content: ContentVersionSource
  /** Contents for those for whom a condition is true. */
  versions: readonly ConditionalContentVersion[] | null
  lane: OutboxLane
  startedAt: Date
  expiresAt: Date
  /** Messages an hour; 0 means no limit. */
  speed: number
  /** Digits of a clock, where each contact's own shows them when its message is due. */
  localStart: string | null
  bestTime: BestTimeWindow | null
  /** Content versions by share; contacts of no share wait as the remainder. */
  shares: AudienceShares | null
  /** Number of planned contacts who receive nothing. */
  heldOut: number
  /** The last contact that was planned; null before the first. */
  plannedThrough: number | null
  /** Number of planned contacts who receive a message. */
  recipients: number
}

export async function loadAudiencePlan(db: Db, sending: number): Promise<AudiencePlan | undefined> {
  const { rows: planRows } = await sql<Omit<AudiencePlan, 'content' | 'expiresAt'> & { ends_at: Date | null }>`
    select g.id as sending, g.account, g.source_kind as "sourceKind", g.source, g.run, g.version, g.versions, g.lane, g.created_at as "startedAt", g.ends_at,
      g.speed, g.local_start as "localStart", g.best_time as "bestTime", g.shares, g.held_out as "heldOut", g.planned_through as "plannedThrough",
      coalesce((select sum(recipients) from sending_counts c where c.sending = g.id), 0)::bigint as recipients
    from sendings g where g.id = ${sending} and g.kind = 'campaign' and g.state = 'planning'`.execute(db)
  const [row] = planRows
  const contentVersion = row && (await loadContentVersion(db, row.account, row.version))
  if (!row || !contentVersion) return undefined
  const { ends_at, ...plan } = row
  return { ...plan, content: contentVersion.source, expiresAt: ends_at ?? NO_END_DATE }
}

/** Returns true if the messages of a campaign leave one by one, each at a moment of its own. */
function isPaced({ speed, localStart, bestTime }: AudiencePlan): boolean {
  return speed > 0 || localStart !== null || bestTime !== null
}

/** The moments of contacts by their ids, in milliseconds; undefined: none has one of its own. */
function loadOwnMoments(
  db: Db,
  { account, content: source, localStart, bestTime }: AudiencePlan,
  slice: readonly number[],
): Promise<Map<number, number>> | undefined {
  if (bestTime !== null) return computeBestMoments(db, { account, source, bestTime }, slice)
  return localStart === null ? undefined : computeZoneMoments(db, { account, source, startDate: localStart }, slice)
}

/**
 * Computes when the message of each contact is due: spread by the speed, or at the time of the contact's own clock; nothing without a
 * pace. Messages that are late still keep the pace: see claimMessages.
 */
export async function computeDueMoments(db: Db, plan: AudiencePlan, slice: readonly number[]): Promise<Date[]> {
  const { startedAt, speed, recipients, expiresAt, shares } = plan
  if (!isPaced(plan)) return []
  // Parts of an audience are due at once, and leave at the pace that the claim keeps.
  if (shares) return slice.map(() => startedAt)
  const contactMoments = await loadOwnMoments(db, plan, slice)
  return slice.map((contact, index) => {
    const spreadMoment =
      speed > 0 ? startedAt.getTime() + ((recipients + index) * 3_600_000) / speed : startedAt.getTime()
    // What would come after the end is claimed at the end, and recorded as expired.
    return new Date(Math.min(Math.max(spreadMoment, contactMoments?.get(contact) ?? 0), expiresAt.getTime()))
  })
}

interface DuplicateContact {
  id: number
  unicity: string
  hash: string
  other: number
}

/** Computes when the chosen messages are due: the remainder of an experiment waits for its decision, or for the end. */
function buildDueTime(
  { version, shares, expiresAt }: AudiencePlan,
  regularDue: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return shares ? sql`case when version = ${version} then ${expiresAt}::timestamptz else ${regularDue} end` : regularDue
}

/**
 * Builds the waiting rows of a campaign: one for each message if each has a moment of its own, otherwise slices of its audience, each of
 * one version.
 */
function buildWaitingRows(plan: AudiencePlan, now: Date) {
  const { account, sending, run, lane, content, startedAt } = plan
  // Some contents end on their own, so long after each message is due.
  const lifetimeMs = getVersionLifetimeMs(content) ?? null
  const buildEndTime = (dueMoment: RawBuilder<unknown>) =>
    sql`least(${plan.expiresAt}::timestamptz, ${dueMoment} + ${lifetimeMs}::double precision * interval '1 millisecond')`
  if (isPaced(plan)) {
    const due = buildDueTime(plan, sql`not_before`)
    return sql`
      insert into messages (account, lane, channel, kind, sending, version, contact, stamp, thread, set, stamp_time, not_before, expires_at, created_at)
      select ${account}, ${lane}, ${content.channel}, 'campaign', ${sending}, version, id, stamp, stamp, ${run}::uuid, ${startedAt}, ${due}, ${buildEndTime(due)}, ${now}
      from (select id, version, not_before, uuidv7() as stamp from chosen order by id) as messages`
  }
  const due = buildDueTime(plan, sql`${startedAt}::timestamptz`)
  return sql`
    insert into message_slices (account, lane, sending, version, contacts, not_before, expires_at, created_at)
    select ${account}, ${lane}, ${sending}, version, contacts, ${due}, ${buildEndTime(due)}, ${now}
    from (
      select version, array_agg(id order by id) as contacts
      from (select id, version, (row_number() over (partition by version order by id) - 1) / ${MESSAGE_SLICE_SIZE} as nth from chosen) as numbered
      group by version, nth order by min(id)) as slices`
}

/** Contacts that are planned together. */
export interface AudiencePart {
  contacts: readonly number[]
  /** Due times of their messages; none without a pace. */
  moments: readonly Date[]
  /** Undefined: all have the version of the sending. */
  chosen: ContentVersionChoice | undefined
  /** The last contact of the audience that is dealt with, and those of it that are held out. */
  through: number
  heldOut: readonly number[]
}

/** Queues contacts of the audience in one statement; gives those whose address another contact of the run has. */
async function queueContacts(
  db: Db,
  plan: AudiencePlan,
  { contacts, moments, chosen: chosenVersions, rest: restVersion }: AudiencePart & { rest: number },
  now: Date,
): Promise<DuplicateContact[]> {
  if (contacts.length === 0) return []
  const { account, run, content } = plan
  const { rows: duplicates } = await sql<DuplicateContact>`
    with slice as (
      -- A contact that was deleted meanwhile has a message too, whose cancellation says so.
      select n.id, coalesce(n.version, ${restVersion}) as version, n.not_before, c.unicity, c.hash, md5(lower(c.fields->>${String(content.settings.field)}))::uuid as address
      from unnest(${formatPostgresArray(contacts)}::bigint[], ${formatPostgresArray(chosenVersions?.versions ?? [])}::integer[],
        ${formatPostgresArray(moments)}::timestamptz[]) as n (id, version, not_before)
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
      select id, version, not_before from judged where owner is null or owner = id
    ), queued as (${buildWaitingRows(plan, now)})
    select id, unicity, encode(hash, 'hex') as hash, owner as other from judged where owner <> id order by id`.execute(
    db,
  )
  return duplicates
}

async function cancelDuplicates(db: Db, plan: AudiencePlan, duplicates: readonly DuplicateContact[]): Promise<void> {
  if (duplicates.length === 0) return
  const { account, sourceKind, source, run, content } = plan
  const { rows: stampRows } = await sql<{
    id: string
  }>`select uuidv7() as id from generate_series(1, ${duplicates.length}::integer)`.execute(db)
  const cancellationEvents = duplicates.map(({ id, unicity, hash, other: otherContact }, index) => {
    const stamp = { id: stampRows[index]!.id, thread: stampRows[index]!.id, set: run, time: plan.startedAt.getTime() }
    const footprint = { type: 'footprint', id: formatContactId(id), unicity, hash } as const
    const send = {
      account,
      channel: content.channel,
      sourceKind,
      source,
      kind: 'campaign',
      contact: id,
      footprint,
      field: content.settings.field,
      stamp,
    } as const
    return createCancellationEvent(send, {
      type: 'duplicate address',
      value: { contact: formatContactId(otherContact) },
    })
  })
  await recordEvents(db, cancellationEvents)
}

/** Plans a slice, unless the run has ended or another process planned it: then nothing is changed and the answer is false. */
export async function planAudienceSlice(db: Db, plan: AudiencePlan, part: AudiencePart, now: Date): Promise<boolean> {
  const { contacts, chosen: chosenVersions, through, heldOut } = part
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ rest: number }>`
      update sendings set planned_through = ${through}, failed_conditions = failed_conditions + ${chosenVersions?.failed ?? 0},
        held_out = held_out + ${heldOut.length}
      where id = ${plan.sending} and state = 'planning' and planned_through is not distinct from ${plan.plannedThrough}
      returning coalesce(rest_version, version) as rest`.execute(tx)
    const [updatedRow] = rows
    if (!updatedRow) return false
    const duplicates = await queueContacts(tx, plan, { ...part, rest: updatedRow.rest }, now)
    await sql`insert into sending_counts as c (sending, shard, recipients, cancelled)
      values (${plan.sending}, 0, ${contacts.length}, ${duplicates.length})
      on conflict (sending, shard) do update
      set recipients = c.recipients + excluded.recipients, cancelled = c.cancelled + excluded.cancelled`.execute(tx)
    await cancelDuplicates(tx, plan, duplicates)
    await storeHeldOutContacts(tx, plan.sending, heldOut, now)
    return true
  })
}

/** Ends the planning of a sending: its audience is not needed any more. */
export function endAudiencePlan(db: Db, { run, sending }: AudiencePlan, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.deleteFrom('campaign_audiences').where('run', '=', run).execute()
    await sql`
      update sendings set state = 'running', planned_at = ${now} where id = ${sending} and state = 'planning'`.execute(
      tx,
    )
  })
}
