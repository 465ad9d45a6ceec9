import { sql } from 'kysely'
import { campaignTypes } from '../../channels/facts.ts'
import { type Db, inTransaction, prepared } from '../../database/connect.ts'
import { addingJob } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { decide } from './states.ts'
import { lockAction } from './stored.ts'

/** The select list that has rows of actions planned; one job a run waits. */
const planJob = sql`select ${addingJob(
  'campaigns.plan',
  sql`'campaigns.plan ' || run`,
  sql`json_build_object('account', account, 'action', id, 'run', run)`,
)}`

/**
 * Begins the campaigns whose start has come, or the given one if its has: state 55, a run, and a job that plans it.
 * One whose end has passed meanwhile has nothing to plan.
 */
export async function beginCampaigns(db: Db, now: Date, only: number | null = null): Promise<void> {
  await sql`${prepared('campaigns-begin')}
    with due as (
      select id, (scheduler->>'endDate')::timestamptz <= ${now} as over from actions
      where state = 50 and type = any(${campaignTypes}::text[]) and deleted_at is null
        and (scheduler->>'startsAt')::timestamptz <= ${now} and (${only}::integer is null or id = ${only})
      for update skip locked
    ), begun as (
      update actions a set state = 55, paused = false, run = uuidv7(), started_at = ${now}, next_turn_at = ${now},
        audience_at = null, planned_through = null, planned_at = case when due.over then ${now}::timestamptz end
      from due where a.id = due.id
      returning a.account, a.id, a.run, due.over
    )
    ${planJob} from begun where over is not true`.execute(db)
}

/** Has every campaign planned whose process died while it was at it. One that is being planned is not disturbed. */
export async function wakePlans(db: Db): Promise<void> {
  await sql`
    ${planJob} from actions where state = 55 and planned_at is null and deleted_at is null`.execute(db)
}

/** From the end date on what is left must be claimed, so that it becomes "expired": a pause no longer holds it. */
export async function endCampaigns(db: Db, now: Date): Promise<void> {
  await sql`${prepared('campaigns-at-end')}
    update actions set paused = false
    where state = 55 and paused and deleted_at is null and (scheduler->>'endDate')::timestamptz <= ${now}`.execute(db)
}

/**
 * Ends the campaigns of which every message was handed over once, refused, held or cancelled. They give their segments
 * free, and go on naming them.
 */
export async function finishCampaigns(db: Db, now: Date): Promise<void> {
  await sql`${prepared('campaigns-over')}
    with over as (
      select id, run from actions a
      where state = 55 and planned_at is not null and deleted_at is null
        and not exists (select from message_slices s where s.action = a.id)
        and not exists (select from messages m where m.action = a.id and m.attempts = 0 and m.kind = 'campaign')
      for update skip locked
    ), freed as (
      delete from action_segments s using over where s.action = over.id returning s.action, s.segment, s.role, s.position
    ), forgotten as (
      delete from run_addresses r using over where r.run = over.run
    ), named as (
      select over.id, jsonb_build_object(
        'selected', coalesce(jsonb_agg(f.segment order by f.position) filter (where f.role = 'selected'), '[]'),
        'excluded', coalesce(jsonb_agg(f.segment order by f.position) filter (where f.role = 'excluded'), '[]')) as segments
      from over left join freed f on f.action = over.id group by over.id
    )
    update actions a set state = 60, paused = false, ended_at = ${now},
      scheduler = a.scheduler || jsonb_build_object('segments', named.segments)
    from named where a.id = named.id`.execute(db)
}

/** Stops the hand-over of a campaign. Throws notFound, conflict `action-state`. */
export function pauseAction(db: Db, account: AccountId, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    decide('pause', await lockAction(tx, account, id))
    await tx.updateTable('actions').set({ paused: true }).where('id', '=', id).execute()
  })
}

/**
 * Lets a paused campaign go on where it stopped; with a speed, what is left leaves at that pace from now on.
 * Throws notFound, conflict `action-state`.
 */
export function resumeAction(db: Db, account: AccountId, id: number, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    decide('resume', await lockAction(tx, account, id))
    await tx.updateTable('actions').set({ paused: false, next_turn_at: now }).where('id', '=', id).execute()
  })
}
