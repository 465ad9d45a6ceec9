import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type ConversionCounts, estimateConversionRates } from '../../../lib/beta-distribution.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import { selectHeldOutContacts } from '../../../sending/plan/audience-shares.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import type { MeasuredRun } from '../experiments/over.ts'
import { buildSendEventFilter, selectVersionSends } from '../experiments/sent.ts'
import type { RunExperiment, StoredExperiment } from '../experiments/stored.ts'
import { buildGoalEventFilter, selectGoalEvents } from './goal-events.ts'
import type { GoalResult } from './goal-schemas.ts'
import type { GoalCounts, StoredGoal } from './stored-goal.ts'

/** A run with a goal, and where its sends are found. */
export interface GoalRun extends MeasuredRun {
  run: RunExperiment & { goal: StoredGoal }
}

const EMPTY_COUNTS: ConversionCounts = { visits: 0, conversions: 0 }

/** Filter of the events that `buildReachedParts` reads. */
export function buildGoalRunEventFilter({ run, channel, startedAt }: GoalRun): EventReadScope[] {
  const { account, action, goal } = run
  const sendFilter = buildSendEventFilter({ account, action, channel }, startedAt)
  return [sendFilter, ...buildGoalEventFilter({ account, event: goal.event, since: startedAt })]
}

/**
 * Parts of a `with`: `compared`, who is compared, with when each was sent to or held out, and `reached`, who of them reached the
 * goal, with the first event in time. Both have version (null: held out) and contact.
 */
function buildReachedParts(events: RawBuilder<unknown>, { run, channel, startedAt }: GoalRun): RawBuilder<unknown> {
  const { account, action, sending, goal, versions } = run
  const withinInterval = sql`${timeSpanLengthMs(goal.within)}::double precision * interval '1 millisecond'`
  return sql`
    sent as materialized (${selectVersionSends(events, { account, action, channel }, { versions, startedAt })}),
    compared as materialized (
      select version, contact, min(at) as since from sent where contact is not null group by 1, 2
      union all
      select null::integer, h.contact, h.created_at from (${selectHeldOutContacts(sending)}) h),
    happened as materialized (${selectGoalEvents(events, { account, event: goal.event, since: startedAt })}),
    reached as materialized (
      select p.version, p.contact, min(x.at) as at
      from compared p join happened x on x.contact = p.contact and x.at > p.since and x.at <= p.since + ${withinInterval}
      group by 1, 2)`
}

/** Counts the contacts that reached the goal of a run until now, from the events. `extraParts` are further parts of the `with` clause. */
export async function countGoalReached(db: Db, goalRun: GoalRun, extraParts = sql``): Promise<GoalCounts> {
  const rows = await withEventTable(db, buildGoalRunEventFilter(goalRun), async (tx, events) => {
    const countRows = await sql<ConversionCounts & { version: number | null }>`
    with ${buildReachedParts(events, goalRun)} ${extraParts}
    select p.version, count(*)::integer as visits, count(r.contact)::integer as conversions
    from compared p left join reached r on r.contact = p.contact and r.version is not distinct from p.version
    group by p.version`.execute(tx)
    return countRows.rows
  })
  const counts = rows.map(({ version, visits, conversions }) => [version, { visits, conversions }] as const)
  return {
    versions: Object.fromEntries(counts.filter(([version]) => version !== null)),
    heldOut: counts.find(([version]) => version === null)?.[1] ?? EMPTY_COUNTS,
  }
}

/** Presents counts as a rate. */
function presentRate(counts: ConversionCounts) {
  const { visits: contactCount, conversions: reachedCount } = counts
  const [{ interval }] = estimateConversionRates([counts]) as [ReturnType<typeof estimateConversionRates>[number]]
  return {
    contacts: contactCount,
    reached: reachedCount,
    rate: contactCount === 0 ? null : reachedCount / contactCount,
    interval,
  }
}

/** Lift of a version over the held-out contacts; null if either side has no contacts. */
export function computeGoalLift(
  versionCounts: ConversionCounts,
  heldOut: ConversionCounts,
): GoalResult['versions'][number]['lift'] {
  if (versionCounts.visits === 0 || heldOut.visits === 0) return null
  const [versionRate, heldOutRate] = [
    versionCounts.conversions / versionCounts.visits,
    heldOut.conversions / heldOut.visits,
  ]
  const difference = versionRate - heldOutRate
  const [estimate] = estimateConversionRates([versionCounts, heldOut])
  return {
    difference,
    relative: heldOutRate === 0 ? null : difference / heldOutRate,
    probability: estimate!.probability,
  }
}

function buildGoalResult(
  { event, within }: StoredGoal,
  versions: readonly { id: string; counts: ConversionCounts }[],
  heldOut: ConversionCounts,
): Omit<GoalResult, 'countedAt'> {
  return {
    event,
    within,
    versions: versions.map(({ id, counts }) => ({
      id,
      ...presentRate(counts),
      lift: computeGoalLift(counts, heldOut),
    })),
    holdout: presentRate(heldOut),
  }
}

/** Result of the goal of an experiment that has not started. */
export const buildPlannedGoalResult = ({ goal, versions }: StoredExperiment): GoalResult | null =>
  goal
    ? {
        ...buildGoalResult(
          goal,
          versions.map(({ id }) => ({ id, counts: EMPTY_COUNTS })),
          EMPTY_COUNTS,
        ),
        countedAt: null,
      }
    : null

/** True if the run has a goal. */
export const hasGoal = (run: RunExperiment): run is GoalRun['run'] => run.goal !== null

/** Number of contacts that reached the goal of a run: the final counts, or the current ones; null without a goal. */
export async function readGoalResult(db: Db, run: RunExperiment, of: Omit<GoalRun, 'run'>): Promise<GoalResult | null> {
  if (!hasGoal(run)) return null
  const counts = run.goal_counts ?? (await countGoalReached(db, { run, ...of }))
  const versions = run.versions.map(({ id, version }) => ({ id, counts: counts.versions[version] ?? EMPTY_COUNTS }))
  return {
    ...buildGoalResult(run.goal, versions, counts.heldOut),
    countedAt: run.goal_counted_at?.toISOString() ?? null,
  }
}

/**
 * Selects the contacts that reached the goal of a run, for one version (null: the held-out contacts), from the events passed in. Columns:
 * contact, at.
 */
export function selectGoalContacts(
  events: RawBuilder<unknown>,
  goalRun: GoalRun,
  version: number | null,
): RawBuilder<unknown> {
  const { sending, goal_counted_at } = goalRun.run
  if (goal_counted_at)
    return sql`select contact, reached_at as at from experiment_goals
      where sending = ${sending} and version is not distinct from ${version}::integer`
  return sql`
    select r.contact, r.at from (with ${buildReachedParts(events, goalRun)} select * from reached) r
    where r.version is not distinct from ${version}::integer`
}
