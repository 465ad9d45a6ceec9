import { type RawBuilder, sql } from 'kysely'
import type { SendingChannelName } from '../../channels/channel-traits.ts'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../database/rows/sql-condition.ts'
import { enqueueTasks } from '../../jobs/enqueue.ts'
import type { OutboxLane } from '../../lib/lanes.ts'
import type { SentSource, SentSourceKind } from '../../lib/sources.ts'
import type { AudienceShares } from './audience-shares.ts'
import type { BestTimeWindow } from './best-times.ts'

/** Properties that a sending has from its start. */
export interface SendingContent extends SentSource {
  channel: SendingChannelName
  /** The content version that its messages have unless they name their own. */
  version: number
  lane: OutboxLane
}

/** Content version for contacts that meet a condition, written as between `{% if` and `%}`. */
export interface ConditionalContentVersion {
  version: number
  condition: string
}

/** A campaign that begins: who it goes to, and how. */
export interface NewCampaignSending extends SendingContent {
  /**
   * Segments; they are written down as contacts when the plan begins. With an application only those who have a live
   * subscription of it.
   */
  audience: { selected: readonly number[]; excluded: readonly number[]; application?: string }
  /** Contents for those for whom a condition is true, the first of them; others have the version of the sending. */
  versions?: readonly ConditionalContentVersion[]
  endsAt: Date | null
  /** Messages an hour; 0: as fast as gateways allow. */
  speed: number
  /** Digits of a clock, where each contact's own shows them when its message is due. */
  localStart: string | null
  /** Messages leave when each contact is likely to read them. */
  bestTime?: BestTimeWindow | null
  /** Parts of the audience get contents of their own; the rest waits until it is released. */
  shares?: AudienceShares | null
}

/** A run that was opened; `run` is the set of its stamps. */
export interface OpenedSendingRun {
  id: number
  run: string
}

/**
 * Opens a campaign, in state `planning`, and enqueues the job that plans it. One whose end has passed has nothing to plan
 * and is `running` at once.
 */
export async function openCampaignSending(tx: Db, campaign: NewCampaignSending, now: Date): Promise<OpenedSendingRun> {
  const { account, channel, sourceKind, source, version, lane, audience, endsAt, speed, localStart, versions } =
    campaign
  const { bestTime, shares } = campaign
  const hasEnded = endsAt !== null && endsAt.getTime() <= now.getTime()
  const { rows } = await sql<OpenedSendingRun>`
    insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, ends_at, speed, next_turn_at,
      local_start, audience, versions, best_time, shares, planned_at, created_at)
    values (${account}, ${channel}, ${sourceKind}, ${source}, 'campaign', ${version}, ${lane}, uuidv7(),
      ${hasEnded ? 'running' : 'planning'}, ${endsAt}, ${speed}, ${now}, ${localStart}, ${toJsonbText(audience)}, ${versions ? toJsonbText(versions) : null},
      ${bestTime ? toJsonbText(bestTime) : null}, ${shares ? toJsonbText(shares) : null}, ${hasEnded ? now : null}, ${now})
    returning id, run`.execute(tx)
  const [openedRow] = rows
  if (!hasEnded) await enqueuePlans(tx, [openedRow!.id])
  return openedRow!
}

/** Opens a test; its proofs are queued by the caller, in the same transaction. */
export async function openTestSending(tx: Db, content: SendingContent, now: Date): Promise<OpenedSendingRun> {
  const { account, channel, sourceKind, source, version, lane } = content
  const { rows } = await sql<OpenedSendingRun>`
    insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, created_at)
    values (${account}, ${channel}, ${sourceKind}, ${source}, 'test', ${version}, ${lane}, uuidv7(), 'running', ${now})
    returning id, run`.execute(tx)
  return rows[0]!
}

/** One text for one source. */
export const toSendingSourceKey = ({ account, sourceKind, source }: SentSource): string =>
  `${account} ${sourceKind} ${source}`

/** Sources as rows `n`. */
function selectSourceRows(contents: readonly SendingContent[]): RawBuilder<unknown> {
  const mapColumn = <Key extends keyof SendingContent>(key: Key) => contents.map((content) => content[key])
  return sql`unnest(
      ${mapColumn('account')}::integer[], ${mapColumn('channel')}::text[], ${mapColumn('sourceKind')}::text[], ${mapColumn('source')}::integer[],
      ${mapColumn('version')}::integer[], ${mapColumn('lane')}::smallint[]
    ) as n (account, channel, source_kind, source, version, lane)`
}

/**
 * The sendings of what is sent on demand, in the order of `contents`, which name each source once. They are made with
 * the first message, and given the version of the latest; in one order of sources, so that transactions cannot deadlock.
 */
export async function openOnDemandSendings(tx: Db, contents: readonly SendingContent[], now: Date): Promise<number[]> {
  if (contents.length === 0) return []
  type OpenedSending = SentSource & { id: number }
  const { rows: existingRows } = await sql<OpenedSending>`${buildPreparedPrefix('sendings-on-demand')}
    select s.account, s.source_kind as "sourceKind", s.source, s.id
    from ${selectSourceRows(contents)} join sendings s using (account, source_kind, source, version)
    where s.kind = 'message' and s.state = 'running'`.execute(tx)
  const idsBySource = new Map(existingRows.map((row) => [toSendingSourceKey(row), row.id]))
  const newContents = contents.filter((content) => !idsBySource.has(toSendingSourceKey(content)))
  if (newContents.length > 0) {
    const { rows: insertedRows } = await sql<OpenedSending>`
      insert into sendings (account, channel, source_kind, source, kind, version, lane, state, created_at)
      select account, channel, source_kind, source, 'message', version, lane, 'running', ${now}::timestamptz
      from ${selectSourceRows(newContents)} order by account, source_kind, source
      on conflict (account, source_kind, source) where kind = 'message' and state = 'running'
      do update set version = excluded.version
      returning account, source_kind as "sourceKind", source, id`.execute(tx)
    for (const row of insertedRows) idsBySource.set(toSendingSourceKey(row), row.id)
  }
  return contents.map((content) => idsBySource.get(toSendingSourceKey(content))!)
}

function enqueuePlans(db: Db, sendings: readonly number[]): Promise<void> {
  return enqueueTasks(
    db,
    'campaigns.plan',
    sendings.map((sending) => ({ payload: { sending }, key: `campaigns.plan ${sending}` })),
  )
}

/** Has every campaign planned whose process died meanwhile. One that is being planned is not disturbed. */
export async function enqueueUnfinishedPlans(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from sendings where kind = 'campaign' and state = 'planning'`.execute(db)
  await enqueuePlans(
    db,
    rows.map(({ id }) => id),
  )
}

/** Stops the hand-over of a campaign. */
export async function pauseSending(tx: Db, id: number): Promise<void> {
  await sql`update sendings set paused = true where id = ${id} and state in ('planning', 'running')`.execute(tx)
}

/** Lets a campaign go on where it stopped; with a speed, the rest leaves at that pace from now on. */
export async function resumeSending(tx: Db, id: number, now: Date): Promise<void> {
  await sql`update sendings set paused = false, next_turn_at = ${now} where id = ${id}`.execute(tx)
}

/**
 * Cancels all sendings of a source: what waits is due at once, so that senders cancel it, and who was to be sent to is
 * forgotten.
 */
export async function cancelSendings(tx: Db, { account, sourceKind, source }: SentSource, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update sendings set state = 'cancelled', paused = false, ended_at = coalesce(ended_at, ${now})
    where account = ${account} and source_kind = ${sourceKind} and source = ${source} and state <> 'cancelled'
    returning id`.execute(tx)
  if (rows.length === 0) return
  const cancelled = rows.map(({ id }) => id)
  await sql`
    with runs as (select run from sendings where id = any(${cancelled}::bigint[]) and run is not null),
      addresses as (delete from run_addresses r using runs where r.run = runs.run)
    delete from campaign_audiences a using runs where a.run = runs.run`.execute(tx)
  await sql`
    with waiting as (
      select id from message_slices
      where sending = any(${cancelled}::bigint[]) and claimed_by is null and not_before > ${now} order by id for update)
    update message_slices s set not_before = ${now} from waiting where s.id = waiting.id`.execute(tx)
  await sql`
    with waiting as (
      select id from messages
      where sending = any(${cancelled}::bigint[]) and state = 'queued' and not_before > ${now} order by id for update)
    update messages m set not_before = ${now} from waiting where m.id = waiting.id`.execute(tx)
}

/** Returns true if a campaign of a source is under way: at least one message was not yet handed over for the first time. */
export async function isCampaignUnderWay(db: Db, { account, sourceKind, source }: SentSource): Promise<boolean> {
  const { rows } = await sql`
    select from sendings
    where account = ${account} and source_kind = ${sourceKind} and source = ${source} and kind = 'campaign'
      and state in ('planning', 'running') limit 1`.execute(db)
  return rows.length > 0
}

/** From its end on the rest of a campaign must be claimed, so that it becomes "expired": a pause no longer holds it. */
export async function liftExpiredPauses(db: Db, now: Date): Promise<void> {
  await sql`${buildPreparedPrefix('sendings-at-end')}
    update sendings set paused = false
    where kind <> 'message' and state in ('planning', 'running') and paused and ends_at <= ${now}`.execute(db)
}

/**
 * Ends the runs without anything to be handed over for the first time: a campaign when every message was handed
 * over once, refused, held or cancelled; a test when every proof has come to its end or is held. Their owners learn it
 * from a row, in the same transaction.
 */
export async function finishSendings(db: Db, now: Date): Promise<void> {
  await sql`${buildPreparedPrefix('sendings-over')}
    with over as (
      select id, run from sendings s
      where state = 'running' and (
        kind = 'campaign'
          and not exists (select from message_slices m where m.sending = s.id)
          and not exists (select from messages m where m.sending = s.id and m.attempts = 0)
        or kind = 'test' and not exists (select from messages m where m.sending = s.id and m.state <> 'held'))
      for no key update skip locked
    ), forgotten as (
      delete from run_addresses r using over where r.run = over.run
    ), ended as (
      update sendings s set state = 'finished', paused = false, ended_at = ${now} from over where s.id = over.id
      returning s.id, s.source_kind, s.source, s.kind
    )
    insert into sending_ends (sending, source_kind, source, kind) select * from ended`.execute(db)
}

/** A run that has finished. */
export interface FinishedSendingRun {
  sending: number
  source: number
  kind: 'campaign' | 'test'
}

/** Condition: runs are under way that may come to an end. */
export const hasRunningSendings = sql`exists (select from sendings where kind <> 'message' and state in ('planning', 'running'))`

/** Condition: there are ends of runs to take. */
export function hasSendingEndsCondition(sourceKinds: readonly SentSourceKind[]): RawBuilder<unknown> {
  return sql`exists (select from sending_ends where source_kind = any(${sourceKinds}::text[]))`
}

/** Returns true if ended runs are ready to be processed. It runs several times a second, nearly always without a result. */
export function hasSendingEnds(db: Db, sourceKinds: readonly SentSourceKind[]): Promise<boolean> {
  return isSqlConditionTrue(db, 'sending-ends-any', hasSendingEndsCondition(sourceKinds))
}

/** Takes the ends of runs of some kinds of source, at most once if the caller's transaction commits. */
export async function takeSendingEnds(tx: Db, sourceKinds: readonly SentSourceKind[]): Promise<FinishedSendingRun[]> {
  const { rows } = await sql<FinishedSendingRun>`${buildPreparedPrefix('sending-ends')}
    delete from sending_ends e using (
      select sending from sending_ends where source_kind = any(${sourceKinds}::text[]) order by sending limit 100 for update skip locked
    ) taken
    where e.sending = taken.sending
    returning e.sending, e.source, e.kind`.execute(tx)
  return rows
}

/** Figures of a sending. */
export interface SendingFigures {
  recipients: number
  sent: number
  cancelled: number
  refused: number
  held: number
  /** Put off, and tried again later. */
  deferred: number
  /** Not tried yet, as a rule of pressure lets them wait. */
  postponed: number
  /** ISO 8601. */
  lastSentAt: string | null
  paused: boolean
}

/** Status of an outbox message `m` that has not ended: exactly one state. */
export const outboxMessageStatus = sql`case when m.state = 'held' then 'held' when m.attempts > 0 then 'deferred'
  when m.postponement is not null and m.state = 'queued' then 'postponed' else 'waiting' end`

const isoFormat = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/** The figures of the sending whose id an expression gives, as JSON; zeros when it is null. */
export function selectSendingFigures(sending: RawBuilder<unknown>): RawBuilder<SendingFigures> {
  return sql<SendingFigures>`(
    select json_build_object('recipients', coalesce(sum(c.recipients), 0)::bigint, 'sent', coalesce(sum(c.sent), 0)::bigint,
      'cancelled', coalesce(sum(c.cancelled), 0)::bigint, 'refused', coalesce(sum(c.refused), 0)::bigint,
      'held', coalesce(sum(c.held), 0)::bigint, 'deferred', (
        select count(*) from messages m where m.sending = ${sending} and m.kind = 'campaign' and m.attempts > 0 and ${outboxMessageStatus} = 'deferred'),
      'postponed', (
        select count(*) from sendings o
        join messages m on m.account = o.account and m.sending = o.id and m.postponement is not null
        where o.id = ${sending} and m.kind = 'campaign' and ${outboxMessageStatus} = 'postponed'),
      'lastSentAt', to_char(max(c.last_sent_at) at time zone 'UTC', ${isoFormat}),
      'paused', coalesce((select g.paused from sendings g where g.id = ${sending}), false))
    from sending_counts c where c.sending = ${sending})`
}

/** The figures of several sendings, by id. */
export async function readSendingFigures(db: Db, sendings: readonly number[]): Promise<Map<number, SendingFigures>> {
  if (sendings.length === 0) return new Map()
  const { rows } = await sql<{ id: number; figures: SendingFigures }>`
    select n.id, ${selectSendingFigures(sql`n.id`)} as figures from unnest(${sendings}::bigint[]) as n (id)`.execute(db)
  return new Map(rows.map(({ id, figures }) => [id, figures]))
}

/** Does the periodic work on sendings: any number of processes may. */
export async function advanceSendings(db: Db, now: Date): Promise<void> {
  await liftExpiredPauses(db, now)
  await finishSendings(db, now)
}
