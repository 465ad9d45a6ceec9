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
} from '../run-stepper/commit-steps.ts'
import { type HappenedWaitRow, listHappenedWaits, loadStoredRuns } from '../run-stepper/load-runs.ts'
import { loadStepContext } from '../run-stepper/load-step-context.ts'
import type { StepContext } from '../run-stepper/node-visit.ts'
import type { StoredRun, WorkflowRunKey } from '../run-stepper/run.ts'
import { describeCallSpan, describeRunsSpan, describeStepSpan, formatCallName } from '../run-stepper/run-spans.ts'
import { createWorkflowRunState, type RunStage, type WorkflowRunState } from '../run-stepper/run-state.ts'
import { parkStoppedRuns } from '../waits/park-runs.ts'
import type { WorkflowEngineContext } from './engine-context.ts'
import { claimRuns, RUN_CLAIM_BATCH, RUN_LEASE_RENEW_MS, releaseRuns, renewRunLeases } from './run-leases.ts'
import { MAX_CONSECUTIVE_NODES } from './run-limits.ts'

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
const MAX_EXTERNAL_CALLS = 100
const MAX_RUN_TRIES = 5

const formatRunKey = ({ account, id }: WorkflowRunKey): string => `${account} ${id}`

const toFailingTask = ({ id }: WorkflowRunKey) => ({ task: 'perform workflows', subject: `run ${id}` })

/** Runs on their way, and what they are performed in. */
interface StepRound {
  walkers: readonly RunStepper[]
  around: StepContext
  /** Span of the claimed runs, if tracing is on. */
  span: TraceSpan | undefined
}

/** The stage in which a run is taken. `isBegun`: this process has begun the request of its node. */
function findInitialStage(rows: readonly HappenedWaitRow[], isBegun: boolean): RunStage {
  if (rows.some(({ isGoal, event }) => isGoal && event === null)) return 'goalsUnsearched'
  if (rows.some(({ event }) => event === null)) return 'waitsUnsearched'
  return isBegun ? 'requestBegun' : 'free'
}

/** Extracts the waits and goals of a run that have happened. */
function toHappenedWaits(rows: readonly HappenedWaitRow[]): Pick<WorkflowRunState, 'happened' | 'reached'> {
  const happenedWaits = rows.flatMap(({ id, isGoal, event }) => (event === null ? [] : [{ id, isGoal, event }]))
  const reachedGoal = happenedWaits.find(({ isGoal }) => isGoal)
  return {
    happened: new Map(happenedWaits.filter(({ isGoal }) => !isGoal).map(({ id, event }) => [id, event])),
    reached: reachedGoal ? { goal: reachedGoal.id, event: reachedGoal.event } : null,
  }
}

/** Creates a worker. */
export function createWorkflowWorker(context: WorkflowEngineContext): WorkflowWorker {
  const { db, clock, log, performers, tracing } = context
  const workerId = randomUUID()
  const heldRuns = new Map<string, WorkflowRunKey>()
  const pendingCalls = new Set<Promise<void>>()
  const begunVisits = new Set<string>()
  /** Visits that runs had behind them when they were taken. */
  const stepsAtClaim = new Map<string, number>()
  /** Runs whose call is in progress. */
  const callingKeys = new Set<string>()
  let isStopping = false
  const leaseTimer = setInterval(() => {
    renewRunLeases(db, workerId, [...heldRuns.values()], clock.now()).catch((error) => {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'leases of workflow runs could not be renewed')
    })
  }, RUN_LEASE_RENEW_MS).unref()

  /** Makes drafts of runs. */
  async function createRunStates(runs: readonly StoredRun[]): Promise<WorkflowRunState[]> {
    const waitingRuns = runs.filter(({ phase, goal }) => phase === 'wait' || goal === null)
    const happenedByRun = Map.groupBy(
      await listHappenedWaits(db, waitingRuns),
      ({ account, run }) => `${account} ${run}`,
    )
    const definitions = await context.definitions.load(db, runs)
    return runs.map((run) => {
      const definition = definitions(run)
      if (!definition) throw new Error(`version ${run.version} of the workflow ${run.workflow} is gone`)
      const happenedRows = happenedByRun.get(formatRunKey(run)) ?? []
      const isBegun = begunVisits.has(`${formatRunKey(run)} ${run.node} ${run.visit}`)
      return createWorkflowRunState(run, definition, {
        ...toHappenedWaits(happenedRows),
        stage: findInitialStage(happenedRows, isBegun),
      })
    })
  }

  /** Lets the runs go that this worker has no further business with. */
  function forgetRuns(keys: readonly WorkflowRunKey[]): void {
    for (const key of keys) {
      heldRuns.delete(formatRunKey(key))
      stepsAtClaim.delete(formatRunKey(key))
    }
  }

  /** Gives runs back that have performed many nodes in a row; gives the others. */
  async function yieldTurns(runs: readonly StoredRun[]): Promise<StoredRun[]> {
    const mustYield = (run: StoredRun) =>
      run.phase === 'enter' && run.steps - (stepsAtClaim.get(formatRunKey(run)) ?? run.steps) >= MAX_CONSECUTIVE_NODES
    const longRuns = runs.filter(mustYield)
    forgetRuns(longRuns)
    await releaseRuns(db, workerId, longRuns, clock.now())
    return runs.filter((run) => !longRuns.includes(run))
  }

  /** Commits walkers; runs that others wrote meanwhile are read and walked again. */
  async function commitSteppers(steppers: readonly RunStepper[], stepContext: StepContext): Promise<StoredRun[]> {
    if (steppers.length === 0) return []
    const { goOn, changed } = await commitRunSteps({ db, performers, worker: workerId }, steppers, stepContext)
    for (const { phase, node, visit, ...run } of goOn)
      if (phase === 'begun') begunVisits.add(`${formatRunKey(run)} ${node} ${visit}`)
    const reloadedRuns = await loadStoredRuns(
      db,
      changed.map(({ run }) => run),
    )
    const continuedRuns = [...goOn, ...reloadedRuns]
    const continuedKeys = new Set(continuedRuns.map(formatRunKey))
    forgetRuns(steppers.map(({ draft }) => draft.run).filter((run) => !continuedKeys.has(formatRunKey(run))))
    return continuedRuns
  }

  /** Does what leaves the service apart from the batch, then goes on with the run. */
  function startCall(stepper: RunStepper, span: TraceSpan | undefined): void {
    const { run } = stepper.draft
    const key = formatRunKey(run)
    const visitKey = `${key} ${run.node} ${run.visit}`
    callingKeys.add(key)
    const performCall = () => performExternalCall(db, performers, stepper, clock.now())
    const callDone = runInSpan(tracing, formatCallName(stepper), () => describeCallSpan(stepper, span), performCall)
      .finally(() => callingKeys.delete(key))
      .then(async () =>
        advanceRounds({ walkers: [stepper], around: await loadStepContext(context, [run], clock.now()), span }),
      )
      .catch((error) => postponeRuns([run], error))
      .finally(() => {
        begunVisits.delete(visitKey)
        pendingCalls.delete(callDone)
      })
    pendingCalls.add(callDone)
  }

  /** Begins the calls of walkers, unless their workflows were stopped. */
  async function startCalls(steppers: readonly RunStepper[], span: TraceSpan | undefined): Promise<void> {
    const stoppedRuns = await parkStoppedRuns(
      db,
      workerId,
      steppers.map(({ draft }) => draft.run),
    )
    forgetRuns(stoppedRuns)
    const parkedKeys = new Set(stoppedRuns.map(formatRunKey))
    for (const stepper of steppers) if (!parkedKeys.has(formatRunKey(stepper.draft.run))) startCall(stepper, span)
  }

  /** Reads what walkers need, begins the calls of some and commits the others; gives the runs that go on. */
  async function stepRound({ walkers: steppers, around: stepContext, span }: StepRound): Promise<StoredRun[]> {
    await performStepperReads(db, performers, steppers, stepContext.now)
    const callingSteppers = steppers.filter((stepper) => isExternalCall(performers, stepper))
    await startCalls(callingSteppers, span)
    return commitSteppers(
      steppers.filter((stepper) => !callingSteppers.includes(stepper)),
      stepContext,
    )
  }

  /** Takes walkers on until their runs wait or end. */
  async function advanceRounds(firstRound: StepRound | null): Promise<void> {
    for (let nextRound = firstRound; nextRound !== null; ) {
      const currentRound = nextRound
      const { walkers: steppers, span } = currentRound
      const runs = await runInSpan(
        tracing,
        'step',
        () => describeStepSpan(steppers, span),
        () => stepRound(currentRound),
      )
      if (isStopping) return releaseRuns(db, workerId, runs, clock.now())
      nextRound = await beginRound(await yieldTurns(runs), span)
    }
  }

  /** Begins to walk; null: there is no run. */
  async function beginRound(runs: readonly StoredRun[], span: TraceSpan | undefined): Promise<StepRound | null> {
    if (runs.length === 0) return null
    const stepContext = await loadStepContext(context, runs, clock.now())
    return {
      walkers: (await createRunStates(runs)).map((draft) => startRunStepper(draft, stepContext)),
      around: stepContext,
      span,
    }
  }

  async function postponeRuns(runs: readonly WorkflowRunKey[], error: unknown): Promise<void> {
    forgetRuns(runs)
    let delayMs = RETRY_MS
    if (!isDatabaseUnavailable(error))
      for (const run of runs)
        delayMs = Math.max(delayMs, await recordTaskFailure(db, toFailingTask(run), error).catch(() => 0))
    await releaseRuns(db, workerId, runs, clock.now() + delayMs).catch(() => undefined)
  }

  /** Performs runs; what fails in a batch is tried again in halves, so that only the faulty run waits. */
  async function performRuns(
    keys: readonly WorkflowRunKey[],
    span: TraceSpan | undefined,
    tries = MAX_RUN_TRIES,
  ): Promise<void> {
    try {
      const runs = await loadStoredRuns(
        db,
        keys.filter((key) => !callingKeys.has(formatRunKey(key))),
      )
      for (const run of runs) stepsAtClaim.set(formatRunKey(run), run.steps)
      await advanceRounds(await beginRound(runs, span))
      for (const run of runs) await recordTaskSuccess(db, toFailingTask(run))
    } catch (error) {
      // Others of the batch may need nothing of the older events.
      const isHistoryMissing = isEventHistoryAway(error)
      if (isHistoryMissing ? keys.length === 1 : isDatabaseUnavailable(error)) return postponeRuns(keys, error)
      if (keys.length === 1 && tries === 0) return postponeRuns(keys, error)
      if (keys.length === 1) return performRuns(keys, span, tries - 1)
      const middle = Math.ceil(keys.length / 2)
      await performRuns(keys.slice(0, middle), span, MAX_RUN_TRIES - 1)
      await performRuns(keys.slice(middle), span, MAX_RUN_TRIES - 1)
    }
  }

  return {
    async work() {
      if (isStopping || pendingCalls.size >= MAX_EXTERNAL_CALLS) return 0
      const claimedRuns = await claimRuns(db, workerId, { limit: RUN_CLAIM_BATCH, now: clock.now() })
      for (const key of claimedRuns) heldRuns.set(formatRunKey(key), key)
      if (claimedRuns.length > 0)
        await runInSpan(
          tracing,
          'workflow runs',
          () => describeRunsSpan(claimedRuns),
          (span) => performRuns(claimedRuns, span),
        )
      return claimedRuns.length
    },
    async idle() {
      while (pendingCalls.size > 0) await Promise.all(pendingCalls)
    },
    async stop() {
      isStopping = true
      clearInterval(leaseTimer)
      await Promise.race([Promise.all(pendingCalls), new Promise((resolve) => setTimeout(resolve, 3000).unref())])
      await releaseRuns(db, workerId, [...heldRuns.values()], clock.now()).catch(() => undefined)
    },
  }
}
