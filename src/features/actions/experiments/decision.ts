import { sql } from 'kysely'
import { familyOf } from '../../../channels/families.ts'
import { type Db, inTransaction, json, prepared } from '../../../database/connection/connect.ts'
import { holds } from '../../../database/locks/holds.ts'
import { eachAlone } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest, conflict } from '../../../lib/errors/problem.ts'
import { hasOpenShares, releaseRest } from '../../../sending/plan/audience-shares.ts'
import { watchGoal } from '../goals/goal-keeping.ts'
import { type ActionRef, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decide as decideState } from '../resource/states.ts'
import type { ExperimentResult } from './experiment-schemas.ts'
import { decidesAtOf, judgeRun, readExperiment } from './result.ts'
import { loadRunExperiment } from './runs.ts'
import type { RunExperiment, StoredExperiment } from './stored.ts'

/** Keeps the experiment of a run that begins; `versions`: the numbers of its frozen contents by their ids. */
export async function openExperiment(
  tx: Db,
  { sending, account, action }: { sending: number; account: AccountId; action: number },
  { versions, holdout, metric, decideAfter, minimum, decide, goal }: StoredExperiment,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const own = versions.map(({ id, share }) => ({ id, share, version: numbers[id]! }))
  await tx
    .insertInto('campaign_experiments')
    .values({
      ...{ sending, account, action, holdout: String(holdout), minimum, decide },
      versions: json(own),
      metric: json(metric),
      decide_after: json(decideAfter),
      goal: goal && json(goal),
    })
    .execute()
  if (goal) await watchGoal(tx, { account, sending }, goal)
}

/** Condition: an experiment is under way. */
export const isExperimentOpen = sql`exists (
  select from campaign_experiments where ended_at is null or counted_at is null and settled_at is null)`

/** Whether an experiment is under way: asked several times a second, nearly always for nothing. */
function hasOpen(db: Db): Promise<boolean> {
  return holds(db, 'experiments-open-any', isExperimentOpen)
}

/** Starts the clocks of experiments whose last message of the shares has its outcome. */
async function startClocks(tx: Db, now: Date): Promise<void> {
  await sql`${prepared('experiments-settled')}
    with settled as (
      select x.sending from campaign_experiments x join sendings s on s.id = x.sending
      where x.counted_at is null and x.settled_at is null and not ${hasOpenShares}
      for update of x skip locked)
    update campaign_experiments x set settled_at = ${now} from settled where x.sending = settled.sending`.execute(tx)
}

/** Sends the rest a version. False when it does not wait any more. */
async function decideRun(
  tx: Db,
  run: RunExperiment,
  decision: NonNullable<RunExperiment['decision']>,
  now: Date,
): Promise<boolean> {
  const { account, sending } = run
  const { version } = run.versions.find(({ id }) => id === decision.version)!
  if (!(await releaseRest(tx, { account, sending, version }, now))) return false
  await sql`
    update campaign_experiments set decided_at = ${now}, ended_at = ${now}, decision = ${json(decision)}::jsonb
    where sending = ${sending}`.execute(tx)
  return true
}

type Over = RunExperiment & { is_finished: boolean; type: StoredAction['type']; started_at: Date }

/** Experiments whose time is over; with `sending` that one, locked. */
async function overExperiments(db: Db, now: Date, sending?: number): Promise<Over[]> {
  const one = sending === undefined ? sql`` : sql`and x.sending = ${sending} for update of x skip locked`
  const { rows } = await sql<Over>`${prepared(sending === undefined ? 'experiments-over' : 'experiment-over')}
    select x.*, s.state not in ('planning', 'running') as is_finished, a.type, a.started_at
    from campaign_experiments x join sendings s on s.id = x.sending join actions a on a.id = x.action
    where x.ended_at is null and x.settled_at is not null ${one}`.execute(db)
  return rows.filter((row) => decidesAtOf(row)! <= now)
}

/** Moves experiments on: their clocks start, and those that decide by themselves do once their time is over. */
export async function advanceExperiments(db: Db, now: Date): Promise<void> {
  if (!(await hasOpen(db))) return
  await inTransaction(db, (tx) => startClocks(tx, now))
  await eachAlone(db, 'advance experiments', await overExperiments(db, now), {
    subjectOf: ({ action }) => `action ${action}`,
    work: ({ sending }) =>
      inTransaction(db, async (tx) => {
        for (const run of await overExperiments(tx, now, sending)) await endOrDecide(tx, run, now)
      }),
  })
}

/** Ends an experiment that is over and locked, or decides of it. */
async function endOrDecide(tx: Db, run: Over, now: Date): Promise<void> {
  if (run.is_finished) {
    await sql`update campaign_experiments set ended_at = ${now} where sending = ${run.sending}`.execute(tx)
  } else if (run.decide === 'auto') {
    const { first, isClear } = await judgeRun(tx, run, { type: run.type, startedAt: run.started_at })
    await decideRun(tx, run, { version: first.id, by: 'auto', isClear }, now)
  }
}

/**
 * Sends the rest of a campaign a version, also before the time is over. Throws notFound, 400 for an unknown version, conflict when the
 * action has no experiment, it is decided of, or no rest waits.
 */
export function decideExperiment(db: Db, ref: ActionRef, version: string, now: Date): Promise<ExperimentResult> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    decideState('read', action)
    const { title, showId } = familyOf(action.type)
    const named = `The ${title} ${showId(action.id)}`
    const { experiment } = action.settings
    if (!experiment) throw conflict('experiment-missing', `${named} has no experiment: set settings.experiment.`)
    const index = experiment.versions.findIndex(({ id }) => id === version)
    if (index < 0) throw badRequest('/version', `must be ${experiment.versions.map(({ id }) => id).join(' or ')}`)
    const waiting = () => conflict('experiment-not-waiting', `${named} has no rest that waits for a decision.`)
    if (action.state !== 55 || action.sending === null) throw waiting()
    await sql`select from campaign_experiments where sending = ${action.sending} for update`.execute(tx)
    const run = await loadRunExperiment(tx, action.sending)
    if (!run) throw waiting()
    if (run.decided_at)
      throw conflict('experiment-decided', `${named} was decided of: version ${run.decision?.version}.`)
    const { isClear, best } = await judgeRun(tx, run, { type: action.type, startedAt: action.started_at! })
    const decision = { version, by: 'person', isClear: isClear && best === version } as const
    if (!(await decideRun(tx, run, decision, now))) throw waiting()
    return (await readExperiment(tx, action, now))!
  })
}
