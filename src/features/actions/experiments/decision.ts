import { sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import { buildPreparedPrefix, type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import { runEachIsolated } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import { hasOpenAudienceShares, releaseAudienceRemainder } from '../../../sending/plan/audience-shares.ts'
import { trackGoalChanges } from '../goals/goal-keeping.ts'
import { type ActionRef, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import type { ExperimentResult } from './experiment-schemas.ts'
import { computeDecisionTime, evaluateExperiment, readExperimentResult } from './result.ts'
import { loadRunExperiment } from './runs.ts'
import type { RunExperiment, StoredExperiment } from './stored.ts'

/** Keeps the experiment of a run that begins; `versions`: the numbers of its frozen contents by their ids. */
export async function insertRunExperiment(
  tx: Db,
  { sending, account, action }: { sending: number; account: AccountId; action: number },
  { versions, holdout, metric, decideAfter, minimum, decide, goal }: StoredExperiment,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const runVersions = versions.map(({ id, share }) => ({ id, share, version: numbers[id]! }))
  await tx
    .insertInto('campaign_experiments')
    .values({
      sending,
      account,
      action,
      holdout: String(holdout),
      minimum,
      decide,
      versions: toJsonbText(runVersions),
      metric: toJsonbText(metric),
      decide_after: toJsonbText(decideAfter),
      goal: goal && toJsonbText(goal),
    })
    .execute()
  if (goal) await trackGoalChanges(tx, { account, sending }, goal)
}

/** Condition: an experiment is under way. */
export const isExperimentActive = sql`exists (
  select from campaign_experiments where ended_at is null or counted_at is null and settled_at is null)`

/** Runs several times a second and nearly always finds no active experiment. */
function hasActiveExperiments(db: Db): Promise<boolean> {
  return isSqlConditionTrue(db, 'experiments-open-any', isExperimentActive)
}

/** Starts the clocks of experiments whose last message of the shares has its outcome. */
async function startDecisionClocks(tx: Db, now: Date): Promise<void> {
  await sql`${buildPreparedPrefix('experiments-settled')}
    with settled as (
      select x.sending from campaign_experiments x join sendings s on s.id = x.sending
      where x.counted_at is null and x.settled_at is null and not ${hasOpenAudienceShares}
      for update of x skip locked)
    update campaign_experiments x set settled_at = ${now} from settled where x.sending = settled.sending`.execute(tx)
}

/** Sends the rest a version. False when it does not wait any more. */
async function releaseRemainder(
  tx: Db,
  run: RunExperiment,
  decision: NonNullable<RunExperiment['decision']>,
  now: Date,
): Promise<boolean> {
  const { account, sending } = run
  const { version } = run.versions.find(({ id }) => id === decision.version)!
  if (!(await releaseAudienceRemainder(tx, { account, sending, version }, now))) return false
  await sql`
    update campaign_experiments set decided_at = ${now}, ended_at = ${now}, decision = ${toJsonbText(decision)}::jsonb
    where sending = ${sending}`.execute(tx)
  return true
}

type OverdueExperiment = RunExperiment & { is_finished: boolean; type: StoredAction['type']; started_at: Date }

/** Experiments whose time is over; with `sending` that one, locked. */
async function findOverdueExperiments(db: Db, now: Date, sending?: number): Promise<OverdueExperiment[]> {
  const sendingCondition = sending === undefined ? sql`` : sql`and x.sending = ${sending} for update of x skip locked`
  const { rows } =
    await sql<OverdueExperiment>`${buildPreparedPrefix(sending === undefined ? 'experiments-over' : 'experiment-over')}
    select x.*, s.state not in ('planning', 'running') as is_finished, a.type, a.started_at
    from campaign_experiments x join sendings s on s.id = x.sending join actions a on a.id = x.action
    where x.ended_at is null and x.settled_at is not null ${sendingCondition}`.execute(db)
  return rows.filter((row) => computeDecisionTime(row)! <= now)
}

/** Moves experiments on: their clocks start, and those that decide by themselves do once their time is over. */
export async function advanceExperiments(db: Db, now: Date): Promise<void> {
  if (!(await hasActiveExperiments(db))) return
  await inTransaction(db, (tx) => startDecisionClocks(tx, now))
  await runEachIsolated(db, 'advance experiments', await findOverdueExperiments(db, now), {
    subjectOf: ({ action }) => `action ${action}`,
    work: ({ sending }) =>
      inTransaction(db, async (tx) => {
        for (const run of await findOverdueExperiments(tx, now, sending)) await completeExperiment(tx, run, now)
      }),
  })
}

/** Ends an experiment that is over and locked, or decides of it. */
async function completeExperiment(tx: Db, run: OverdueExperiment, now: Date): Promise<void> {
  if (run.is_finished) {
    await sql`update campaign_experiments set ended_at = ${now} where sending = ${run.sending}`.execute(tx)
  } else if (run.decide === 'auto') {
    const { first: bestVersion, isClear } = await evaluateExperiment(tx, run, {
      type: run.type,
      startedAt: run.started_at,
    })
    await releaseRemainder(tx, run, { version: bestVersion.id, by: 'auto', isClear }, now)
  }
}

/**
 * Sends the rest of a campaign a version, also before the time is over. Throws notFound, 400 for an unknown version, conflict when the
 * action has no experiment, it is decided of, or no rest waits.
 */
export function decideExperiment(db: Db, ref: ActionRef, version: string, now: Date): Promise<ExperimentResult> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    decideActionTransition('read', action)
    const { title, showId } = getActionFamily(action.type)
    const actionLabel = `The ${title} ${showId(action.id)}`
    const { experiment } = action.settings
    if (!experiment)
      throw conflictProblem('experiment-missing', `${actionLabel} has no experiment: set settings.experiment.`)
    const index = experiment.versions.findIndex(({ id }) => id === version)
    if (index < 0)
      throw badRequestProblem('/version', `must be ${experiment.versions.map(({ id }) => id).join(' or ')}`)
    const createNotWaitingProblem = () =>
      conflictProblem('experiment-not-waiting', `${actionLabel} has no remaining contacts that wait for a decision.`)
    if (action.state !== 55 || action.sending === null) throw createNotWaitingProblem()
    await sql`select from campaign_experiments where sending = ${action.sending} for update`.execute(tx)
    const run = await loadRunExperiment(tx, action.sending)
    if (!run) throw createNotWaitingProblem()
    if (run.decided_at)
      throw conflictProblem(
        'experiment-decided',
        `${actionLabel} already has a decision: version ${run.decision?.version} was chosen.`,
      )
    const { isClear, best } = await evaluateExperiment(tx, run, { type: action.type, startedAt: action.started_at! })
    const decision = { version, by: 'person', isClear: isClear && best === version } as const
    if (!(await releaseRemainder(tx, run, decision, now))) throw createNotWaitingProblem()
    return (await readExperimentResult(tx, action, now))!
  })
}
