import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type ConversionCounts, estimateConversionRates } from '../../../lib/beta.ts'
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

const NONE: ConversionCounts = { visits: 0, conversions: 0 }

/** Which events `reachedParts` reads. */
export function buildGoalRunEventFilter({ run, channel, startedAt }: GoalRun): EventReadScope[] {
  const { account, action, goal } = run
  const sent = buildSendEventFilter({ account, action, channel }, startedAt)
  return [sent, ...buildGoalEventFilter({ account, event: goal.event, since: startedAt })]
}

/**
 * Parts of a `with`: `compared`, who is compared, with when each was sent to or held out, and `reached`, who of them reached the
 * goal, with the first event in time. Both have version (null: held out) and contact.
 */
function reachedParts(events: RawBuilder<unknown>, { run, channel, startedAt }: GoalRun): RawBuilder<unknown> {
  const { account, action, sending, goal, versions } = run
  const within = sql`${timeSpanLengthMs(goal.within)}::double precision * interval '1 millisecond'`
  return sql`
    sent as materialized (${selectVersionSends(events, { account, action, channel }, { versions, startedAt })}),
    compared as materialized (
      select version, contact, min(at) as since from sent where contact is not null group by 1, 2
      union all
      select null::integer, h.contact, h.created_at from (${selectHeldOutContacts(sending)}) h),
    happened as materialized (${selectGoalEvents(events, { account, event: goal.event, since: startedAt })}),
    reached as materialized (
      select p.version, p.contact, min(x.at) as at
      from compared p join happened x on x.contact = p.contact and x.at > p.since and x.at <= p.since + ${within}
      group by 1, 2)`
}

/** How many reached the goal of a run until now: counted from the events. `more`: further parts of the `with`. */
export async function countGoalReached(db: Db, goalRun: GoalRun, more = sql``): Promise<GoalCounts> {
  const rows = await withEventTable(db, buildGoalRunEventFilter(goalRun), async (tx, events) => {
    const counted = await sql<ConversionCounts & { version: number | null }>`
    with ${reachedParts(events, goalRun)} ${more}
    select p.version, count(*)::integer as visits, count(r.contact)::integer as conversions
    from compared p left join reached r on r.contact = p.contact and r.version is not distinct from p.version
    group by p.version`.execute(tx)
    return counted.rows
  })
  const counts = rows.map(({ version, visits, conversions }) => [version, { visits, conversions }] as const)
  return {
    versions: Object.fromEntries(counts.filter(([version]) => version !== null)),
    heldOut: counts.find(([version]) => version === null)?.[1] ?? NONE,
  }
}

/** What counts say of a rate. */
function shown(counts: ConversionCounts) {
  const { visits: contacts, conversions: reached } = counts
  const [{ interval }] = estimateConversionRates([counts]) as [ReturnType<typeof estimateConversionRates>[number]]
  return { contacts, reached, rate: contacts === 0 ? null : reached / contacts, interval }
}

/** How a version does against those held out; null where one of them is nobody. */
export function computeGoalLift(
  own: ConversionCounts,
  heldOut: ConversionCounts,
): GoalResult['versions'][number]['lift'] {
  if (own.visits === 0 || heldOut.visits === 0) return null
  const [rate, base] = [own.conversions / own.visits, heldOut.conversions / heldOut.visits]
  const difference = rate - base
  const [belief] = estimateConversionRates([own, heldOut])
  return { difference, relative: base === 0 ? null : difference / base, probability: belief!.probability }
}

function resultOf(
  { event, within }: StoredGoal,
  versions: readonly { id: string; counts: ConversionCounts }[],
  heldOut: ConversionCounts,
): Omit<GoalResult, 'countedAt'> {
  return {
    ...{ event, within },
    versions: versions.map(({ id, counts }) => ({ id, ...shown(counts), lift: computeGoalLift(counts, heldOut) })),
    holdout: shown(heldOut),
  }
}

/** The goal of an experiment that has not begun. */
export const buildPlannedGoalResult = ({ goal, versions }: StoredExperiment): GoalResult | null =>
  goal
    ? {
        ...resultOf(
          goal,
          versions.map(({ id }) => ({ id, counts: NONE })),
          NONE,
        ),
        countedAt: null,
      }
    : null

/** Whether a run has a goal. */
export const hasGoal = (run: RunExperiment): run is GoalRun['run'] => run.goal !== null

/** How many reached the goal of a run: the final counts, or those of now; null without a goal. */
export async function readGoalResult(db: Db, run: RunExperiment, of: Omit<GoalRun, 'run'>): Promise<GoalResult | null> {
  if (!hasGoal(run)) return null
  const counts = run.goal_counts ?? (await countGoalReached(db, { run, ...of }))
  const versions = run.versions.map(({ id, version }) => ({ id, counts: counts.versions[version] ?? NONE }))
  return { ...resultOf(run.goal, versions, counts.heldOut), countedAt: run.goal_counted_at?.toISOString() ?? null }
}

/** Who reached the goal of a run, of one version (null: of those held out), as rows: contact, at; of the events that are given. */
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
    select r.contact, r.at from (with ${reachedParts(events, goalRun)} select * from reached) r
    where r.version is not distinct from ${version}::integer`
}
