import { randomUUID } from 'node:crypto'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import { runInSpan, type TraceSpan } from '../../../lib/telemetry/tracing.ts'
import { isEventHistoryAway } from '../../events/history/older-events.ts'
import {
  commitRunSteps,
  isExternalCall,
  performExternalCall,
  performStepperReads,
  type RunStepper,
  startRunStepper,
} from '../stepping/round.ts'
import type { StoredRun, WorkflowRunKey } from '../stepping/run.ts'
import { describeCallSpan, describeRunsSpan, describeStepSpan, formatCallName } from '../stepping/run-spans.ts'
import { createWorkflowRunState, type WorkflowRunState } from '../stepping/run-state.ts'
import { loadStepContext } from '../stepping/step-context.ts'
import { type HappenedWaitRow, listHappenedWaits, loadStoredRuns } from '../stepping/stored-runs.ts'
import type { StepContext } from '../stepping/visits.ts'
import { parkStoppedRuns } from '../waits/parking.ts'
import { claimRuns, releaseRuns, renewRuns } from './claim.ts'
import type { WorkflowEngineContext } from './context.ts'
import { MAX_CONSECUTIVE_NODES, RUN_CLAIM_BATCH, RUN_LEASE_RENEW_MS } from './limits.ts'

/** Performs runs that are due, in any number of processes. */
export interface WorkflowWorker {
  /** Takes what is due and performs it; gives how many runs were taken. Calls that leave the service go on afterwards. */
  work(): Promise<number>
  /** Resolves when no call is in progress. */
  idle(): Promise<void>
  /** Stops: runs in hand are given back. */
  stop(): Promise<void>
}

/** A run that fails for no reason of its own is taken again after this. */
const RETRY_MS = 30_000
/** Calls that leave the service, at once. */
const MAX_CALLS = 100
const TRIES = 5

const keyOf = ({ account, id }: WorkflowRunKey): string => `${account} ${id}`

const unitOf = ({ id }: WorkflowRunKey) => ({ task: 'perform workflows', subject: `run ${id}` })

/** Runs on their way, and what they are performed in. */
interface Round {
  walkers: readonly RunStepper[]
  around: StepContext
  /** Of the runs that were taken, where there is tracing. */
  span: TraceSpan | undefined
}

/** What is known of the waits and goals of a run. */
function whatHappened(
  rows: readonly HappenedWaitRow[],
): Pick<WorkflowRunState, 'happened' | 'reached' | 'mustLook' | 'hasNewGoals'> {
  const over = rows.flatMap(({ id, isGoal, event }) => (event === null ? [] : [{ id, isGoal, event }]))
  const goal = over.find(({ isGoal }) => isGoal)
  return {
    happened: new Map(over.filter(({ isGoal }) => !isGoal).map(({ id, event }) => [id, event])),
    reached: goal ? { goal: goal.id, event: goal.event } : null,
    mustLook: rows.some(({ isGoal, event }) => !isGoal && event === null),
    hasNewGoals: rows.some(({ isGoal, event }) => isGoal && event === null),
  }
}

/** Creates a worker. */
export function createWorkflowWorker(context: WorkflowEngineContext): WorkflowWorker {
  const { db, clock, log, performers, tracing } = context
  const worker = randomUUID()
  const held = new Map<string, WorkflowRunKey>()
  const calls = new Set<Promise<void>>()
  const begun = new Set<string>()
  /** Visits that runs had behind them when they were taken. */
  const takenAt = new Map<string, number>()
  /** Runs whose call is in progress. */
  const calling = new Set<string>()
  let isStopping = false
  const renewal = setInterval(() => {
    renewRuns(db, worker, [...held.values()], clock.now()).catch((error) => {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'leases of workflow runs could not be renewed')
    })
  }, RUN_LEASE_RENEW_MS).unref()

  /** Makes drafts of runs. */
  async function draftsOf(runs: readonly StoredRun[]): Promise<WorkflowRunState[]> {
    const waiting = runs.filter(({ phase, goal }) => phase === 'wait' || goal === null)
    const happened = Map.groupBy(await listHappenedWaits(db, waiting), ({ account, run }) => `${account} ${run}`)
    const definitions = await context.definitions.load(db, runs)
    return runs.flatMap((run) => {
      const definition = definitions(run)
      if (!definition) throw new Error(`version ${run.version} of the workflow ${run.workflow} is gone`)
      const draft = createWorkflowRunState(run, definition, whatHappened(happened.get(keyOf(run)) ?? []))
      draft.hasBegun = begun.has(`${keyOf(run)} ${run.node} ${run.visit}`)
      return [draft]
    })
  }

  /** Lets the runs go that this worker has no further business with. */
  function letGo(keys: readonly WorkflowRunKey[]): void {
    for (const key of keys) {
      held.delete(keyOf(key))
      takenAt.delete(keyOf(key))
    }
  }

  /** Gives runs back that have performed many nodes in a row; gives the others. */
  async function yieldTurns(runs: readonly StoredRun[]): Promise<StoredRun[]> {
    const isLong = (run: StoredRun) =>
      run.phase === 'enter' && run.steps - (takenAt.get(keyOf(run)) ?? run.steps) >= MAX_CONSECUTIVE_NODES
    const long = runs.filter(isLong)
    letGo(long)
    await releaseRuns(db, worker, long, clock.now())
    return runs.filter((run) => !long.includes(run))
  }

  /** Commits walkers; runs that others wrote meanwhile are read and walked again. */
  async function finish(walkers: readonly RunStepper[], around: StepContext): Promise<StoredRun[]> {
    if (walkers.length === 0) return []
    const { goOn, changed } = await commitRunSteps({ db, performers, worker }, walkers, around)
    for (const { phase, node, visit, ...run } of goOn)
      if (phase === 'begun') begun.add(`${keyOf(run)} ${node} ${visit}`)
    const again = await loadStoredRuns(
      db,
      changed.map(({ run }) => run),
    )
    const kept = [...goOn, ...again]
    const names = new Set(kept.map(keyOf))
    letGo(walkers.map(({ draft }) => draft.run).filter((run) => !names.has(keyOf(run))))
    return kept
  }

  /** Does what leaves the service apart from the batch, then goes on with the run. */
  function call(walker: RunStepper, span: TraceSpan | undefined): void {
    const { run } = walker.draft
    const key = keyOf(run)
    const begunAs = `${key} ${run.node} ${run.visit}`
    calling.add(key)
    const perform = () => performExternalCall(db, performers, walker, clock.now())
    const done = runInSpan(tracing, formatCallName(walker), () => describeCallSpan(walker, span), perform)
      .finally(() => calling.delete(key))
      .then(async () =>
        advance({ walkers: [walker], around: await loadStepContext(context, [run], clock.now()), span }),
      )
      .catch((error) => giveUp([run], error))
      .finally(() => {
        begun.delete(begunAs)
        calls.delete(done)
      })
    calls.add(done)
  }

  /** Begins the calls of walkers, unless their workflows were stopped. */
  async function callAll(walkers: readonly RunStepper[], span: TraceSpan | undefined): Promise<void> {
    const stopped = await parkStoppedRuns(
      db,
      worker,
      walkers.map(({ draft }) => draft.run),
    )
    letGo(stopped)
    const parked = new Set(stopped.map(keyOf))
    for (const walker of walkers) if (!parked.has(keyOf(walker.draft.run))) call(walker, span)
  }

  /** Reads what walkers need, begins the calls of some and commits the others; gives the runs that go on. */
  async function step({ walkers, around, span }: Round): Promise<StoredRun[]> {
    await performStepperReads(db, performers, walkers, around.now)
    const leaving = walkers.filter((walker) => isExternalCall(performers, walker))
    await callAll(leaving, span)
    return finish(
      walkers.filter((walker) => !leaving.includes(walker)),
      around,
    )
  }

  /** Takes walkers on until their runs wait or end. */
  async function advance(begun: Round | null): Promise<void> {
    for (let round = begun; round !== null; ) {
      const current = round
      const { walkers, span } = current
      const runs = await runInSpan(
        tracing,
        'step',
        () => describeStepSpan(walkers, span),
        () => step(current),
      )
      if (isStopping) return releaseRuns(db, worker, runs, clock.now())
      round = await begin(await yieldTurns(runs), span)
    }
  }

  /** Begins to walk; null: there is no run. */
  async function begin(runs: readonly StoredRun[], span: TraceSpan | undefined): Promise<Round | null> {
    if (runs.length === 0) return null
    const around = await loadStepContext(context, runs, clock.now())
    return { walkers: (await draftsOf(runs)).map((draft) => startRunStepper(draft, around)), around, span }
  }

  async function giveUp(runs: readonly WorkflowRunKey[], error: unknown): Promise<void> {
    letGo(runs)
    let delayMs = RETRY_MS
    if (!isDatabaseUnavailable(error))
      for (const run of runs)
        delayMs = Math.max(delayMs, await recordTaskFailure(db, unitOf(run), error).catch(() => 0))
    await releaseRuns(db, worker, runs, clock.now() + delayMs).catch(() => undefined)
  }

  /** Performs runs; what fails in a batch is tried again in halves, so that only the faulty run waits. */
  async function perform(keys: readonly WorkflowRunKey[], span: TraceSpan | undefined, tries = TRIES): Promise<void> {
    try {
      const runs = await loadStoredRuns(
        db,
        keys.filter((key) => !calling.has(keyOf(key))),
      )
      for (const run of runs) takenAt.set(keyOf(run), run.steps)
      await advance(await begin(runs, span))
      for (const run of runs) await recordTaskSuccess(db, unitOf(run))
    } catch (error) {
      // Others of the batch may need nothing of the older events.
      const isAway = isEventHistoryAway(error)
      if (isAway ? keys.length === 1 : isDatabaseUnavailable(error)) return giveUp(keys, error)
      if (keys.length === 1 && tries === 0) return giveUp(keys, error)
      if (keys.length === 1) return perform(keys, span, tries - 1)
      const half = Math.ceil(keys.length / 2)
      await perform(keys.slice(0, half), span, TRIES - 1)
      await perform(keys.slice(half), span, TRIES - 1)
    }
  }

  return {
    async work() {
      if (isStopping || calls.size >= MAX_CALLS) return 0
      const claimed = await claimRuns(db, worker, { limit: RUN_CLAIM_BATCH, now: clock.now() })
      for (const key of claimed) held.set(keyOf(key), key)
      if (claimed.length > 0)
        await runInSpan(
          tracing,
          'workflow runs',
          () => describeRunsSpan(claimed),
          (span) => perform(claimed, span),
        )
      return claimed.length
    },
    async idle() {
      while (calls.size > 0) await Promise.all(calls)
    },
    async stop() {
      isStopping = true
      clearInterval(renewal)
      await Promise.race([Promise.all(calls), new Promise((resolve) => setTimeout(resolve, 3000).unref())])
      await releaseRuns(db, worker, [...held.values()], clock.now()).catch(() => undefined)
    },
  }
}
