import { type RawBuilder, sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import { campaignActionTypes, getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
import { buildPreparedPrefix, type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { runEachIsolated } from '../../../jobs/failures.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import type { AudienceShares } from '../../../sending/plan/audience-shares.ts'
import { BEST_TIME_WINDOW_HOURS } from '../../../sending/plan/best-times.ts'
import { openCampaignSending, pauseSending, resumeSending } from '../../../sending/plan/sendings.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { insertRunExperiment } from '../experiments/decision.ts'
import type { StoredExperiment } from '../experiments/stored.ts'
import { type ActionRef, actionSegmentsColumn, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { CRITERIA_CHANGED_FLAW, hasApprovedCriteria } from '../validation/approved.ts'

type DueCampaign = Pick<
  StoredAction,
  'id' | 'account' | 'type' | 'name' | 'segments' | 'last_validation' | 'approved'
> & {
  version: number
  versions: StoredAction['versions']
  settings: Pick<StoredAction['settings'], 'priority' | 'experiment'>
  scheduler: NonNullable<StoredAction['scheduler']>
}

/** Condition on an action `a`: it is a campaign whose start has come. */
const isStartDue = (now: Date) => sql`
  a.state = 50 and a.type = any(${campaignActionTypes}::text[]) and a.deleted_at is null and (a.scheduler->>'startsAt')::timestamptz <= ${now}`

/** Condition: the start of a campaign has come. */
export function isCampaignDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from actions a where ${isStartDue(now)})`
}

/** The ids of campaigns whose start has come: asked several times a second, nearly always for nothing. */
async function findDueCampaigns(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${buildPreparedPrefix('campaigns-due')}
    select a.id from actions a where ${isStartDue(now)} order by a.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The campaigns whose start has come, locked. */
async function lockDueCampaigns(tx: Db, now: Date, only: number | null): Promise<DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`${buildPreparedPrefix('campaigns-begin')}
    select a.id, a.account, a.type, a.name, a.last_validation, a.approved, a.version, a.versions, a.settings, a.scheduler, ${actionSegmentsColumn} as segments from actions a
    where ${isStartDue(now)} and (${only}::integer is null or a.id = ${only})
    for update of a skip locked`.execute(tx)
  return rows
}

/** Distributes the audience of an experiment by `<account>:<action>:experiment:<contact id>`. */
function buildAudienceShares(
  { account, id, type }: DueCampaign,
  { holdout, versions }: StoredExperiment,
  numbers: Readonly<Record<string, number>>,
): AudienceShares {
  return {
    key: `${account}:${getActionFamily(type).showId(id)}:experiment`,
    holdout,
    versions: versions.map(({ id: version, share }) => ({ version: numbers[version]!, share })),
  }
}

async function startCampaign(tx: Db, campaign: DueCampaign, now: Date): Promise<void> {
  const { id, account, type, version, versions, settings, scheduler, segments } = campaign
  const { endDate, speed, startDate, windowHours: bestTimeHours = BEST_TIME_WINDOW_HOURS } = scheduler
  const { experiment } = settings
  const channel = getActionChannel(type)
  const { id: sendingId } = await openCampaignSending(
    tx,
    {
      account,
      channel,
      sourceKind: getChannelTraits(channel).sourceKind,
      source: id,
      version,
      lane: settings.priority ? outboxLanes.urgent : outboxLanes.bulk,
      audience: segments,
      endsAt: endDate === null ? null : new Date(endDate),
      speed,
      localStart: scheduler.type === 'timeZoneSchedule' ? startDate : null,
      bestTime: scheduler.type === 'bestTime' && startDate !== null ? { start: startDate, hours: bestTimeHours } : null,
      shares: experiment && versions ? buildAudienceShares(campaign, experiment, versions) : null,
    },
    now,
  )
  if (experiment && versions)
    await insertRunExperiment(tx, { sending: sendingId, account, action: id }, experiment, versions)
  await tx.updateTable('actions').set({ state: 55, sending: sendingId, started_at: now }).where('id', '=', id).execute()
}

/** Revokes the validation of a campaign that cannot start as it was approved, and reports it. */
async function revokeValidation(
  tx: Db,
  { id, account, type, name, last_validation: last, approved }: DueCampaign,
  now: Date,
): Promise<void> {
  const validation = { ...last, result: 'failed', endedAt: now.toISOString(), errors: [CRITERIA_CHANGED_FLAW] }
  await tx
    .updateTable('actions')
    .set({ state: 20, last_validation: toJsonbText(validation) })
    .where('id', '=', id)
    .execute()
  const { sourceKind, showId } = getActionFamily(type)
  await recordAudit(tx, {
    account,
    at: now,
    actor: SYSTEM_ACTOR,
    origin: null,
    operation: 'campaign start',
    object: { type: sourceKind, id: String(showId(id)), name },
    problem: CRITERIA_CHANGED_FLAW.type,
  })
  if (approved) await enqueueTask(tx, 'approvals.undone', { account, approval: approved.approval })
}

/**
 * Begins the campaigns whose start has come, or the given one if its has: state 55, and a sending. One whose end has
 * passed meanwhile has nothing to plan. One that was approved for other criteria goes back to 20.
 */
export function beginCampaigns(db: Db, now: Date, only: number | null = null): Promise<void> {
  return inTransaction(db, async (tx) => {
    for (const campaign of await lockDueCampaigns(tx, now, only)) {
      const { approved, account, segments } = campaign
      const isApproved = await hasApprovedCriteria(tx, approved, account, segments)
      await (isApproved ? startCampaign : revokeValidation)(tx, campaign, now)
    }
  })
}

/** Begins each campaign whose start has come, alone. */
export async function beginDueCampaigns(db: Db, now: Date): Promise<void> {
  await runEachIsolated(db, 'begin campaigns', await findDueCampaigns(db, now), {
    subjectOf: (id) => `action ${id}`,
    work: (id) => beginCampaigns(db, now, id),
  })
}

/**
 * Ends the campaigns whose sendings have finished: every message was handed over once, refused, held or cancelled. They
 * give their segments free, and go on naming them.
 */
export async function endCampaigns(tx: Db, finished: readonly number[], now: Date): Promise<void> {
  if (finished.length === 0) return
  await sql`${buildPreparedPrefix('campaigns-over')}
    with over as (
      select id from actions
      where state = 55 and deleted_at is null and sending = any(${finished}::bigint[])
      order by id for update
    ), freed as (
      delete from action_segments s using over where s.action = over.id returning s.action, s.segment, s.role, s.position
    ), named as (
      select over.id, jsonb_build_object(
        'selected', coalesce(jsonb_agg(f.segment order by f.position) filter (where f.role = 'selected'), '[]'),
        'excluded', coalesce(jsonb_agg(f.segment order by f.position) filter (where f.role = 'excluded'), '[]')) as segments
      from over left join freed f on f.action = over.id group by over.id
    )
    update actions a set state = 60, ended_at = ${now},
      scheduler = a.scheduler || jsonb_build_object('segments', named.segments)
    from named where a.id = named.id`.execute(tx)
}

/** Stops the hand-over of a campaign. Throws notFound, conflict `action-state`. */
export function pauseAction(db: Db, ref: ActionRef): Promise<void> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    decideActionTransition('pause', action)
    if (action.sending !== null) await pauseSending(tx, action.sending)
  })
}

/** Lets a paused campaign go on where it stopped. Throws notFound, conflict `action-state`. */
export function resumeAction(db: Db, ref: ActionRef, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    decideActionTransition('resume', action)
    if (action.sending !== null) await resumeSending(tx, action.sending, now)
  })
}
