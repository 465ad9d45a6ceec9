import type { Db } from '../../../database/connection/connect.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { appendEvents } from '../../events/record/append.ts'
import type { EffectKind } from '../nodes/node-contract.ts'
import { parkRuns } from '../waits/park-runs.ts'
import type { EffectHandlers, NodeEffectRequest, RunEffectRequest, RunStepTransaction } from './effect-handlers.ts'
import { lockClaimedRuns } from './load-runs.ts'
import type { StepContext } from './node-visit.ts'
import { isOpenRun, type StoredRun } from './run.ts'
import { recordRunEffect, type WorkflowRunState } from './run-state.ts'
import { stepRun } from './step-run.ts'
import type { RunSteps, StepperRequest } from './stepper-requests.ts'
import { type WrittenRunPosition, writeWorkflowRunStates } from './write-runs.ts'

/** A run that is being walked. */
export interface RunStepper {
  draft: WorkflowRunState
  walk: RunSteps
  /** Request that must be answered before it continues; `undefined` if it is done for this transaction. */
  wanted: StepperRequest | undefined
}

/** Begins to walk. */
export function startRunStepper(draft: WorkflowRunState, around: StepContext): RunStepper {
  const stepper: RunStepper = { draft, walk: stepRun(draft, around), wanted: undefined }
  resumeStepper(stepper, undefined)
  return stepper
}

function resumeStepper(stepper: RunStepper, answer: unknown): void {
  const { value, done } = stepper.walk.next(answer)
  stepper.wanted = done ? undefined : (value as StepperRequest)
}

function resumeSteppers(walkers: readonly RunStepper[], answers: readonly unknown[]): void {
  for (const [index, stepper] of walkers.entries()) resumeStepper(stepper, answers[index])
}

/** The walkers that want something of a kind, with what they ask for. */
function filterByRequest<Kind extends StepperRequest['kind']>(walkers: readonly RunStepper[], kind: Kind) {
  const matchingSteppers = walkers.filter((stepper) => stepper.wanted?.kind === kind)
  const requests = matchingSteppers.map(({ draft, wanted: pendingRequest }) => ({
    draft,
    asked: pendingRequest as Extract<StepperRequest, { kind: Kind }>,
  }))
  return { found: matchingSteppers, requests }
}

/** The walkers whose node asks for something of a kind. */
function filterByEffect<Kind extends EffectKind>(walkers: readonly RunStepper[], kind: Kind) {
  const effectSteppers = walkers.filter(
    ({ wanted: pendingRequest }) => pendingRequest?.kind === 'ask' && pendingRequest.ask.kind === kind,
  )
  const requests = effectSteppers.map(({ draft, wanted: pendingRequest }) => {
    const { ask: effectRequest, visit } = pendingRequest as Extract<StepperRequest, { kind: 'ask' }>
    return { draft, asked: effectRequest, visit } as unknown as NodeEffectRequest<Kind>
  })
  return { found: effectSteppers, requests }
}

/** Makes ready what effects are to do, of every kind that needs it. */
async function prepareEffects(
  { prepares }: EffectHandlers,
  walkers: readonly RunStepper[],
  now: number,
): Promise<boolean> {
  const preparing = walkers.filter(({ wanted: pendingRequest }) => pendingRequest?.kind === 'prepare')
  for (const [kind, kindSteppers] of Map.groupBy(
    preparing,
    ({ wanted: pendingRequest }) => (pendingRequest as PrepareRequest).ask.kind,
  )) {
    const perform = prepares[kind] as
      | ((list: readonly unknown[], now: number) => Promise<readonly unknown[]>)
      | undefined
    const requests = kindSteppers.map(({ draft, wanted: pendingRequest }) => {
      const { ask: effectRequest, visit } = pendingRequest as PrepareRequest
      return { draft, asked: effectRequest, visit }
    })
    resumeSteppers(kindSteppers, perform ? await perform(requests, now) : [])
  }
  return preparing.length > 0
}

type PrepareRequest = Extract<StepperRequest, { kind: 'prepare' }>

/** Does what reads nothing but the database and the sandbox, until no walker needs it. */
export async function performStepperReads(
  db: Db,
  performers: EffectHandlers,
  walkers: readonly RunStepper[],
  now: number,
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    isBusy = await prepareEffects(performers, walkers, now)
    const contacts = filterByRequest(walkers, 'contact')
    if (contacts.found.length > 0) {
      isBusy = true
      resumeSteppers(
        contacts.found,
        await performers.contact(
          db,
          contacts.requests.map(({ draft }) => draft),
        ),
      )
    }
    const scripts = filterByRequest(walkers, 'evaluate')
    if (scripts.found.length > 0) {
      isBusy = true
      resumeSteppers(scripts.found, await performers.evaluate(scripts.requests))
    }
    for (const [kind, perform] of Object.entries(performers.reads)) {
      const effectRequests = filterByEffect(walkers, kind as EffectKind)
      if (effectRequests.found.length === 0) continue
      isBusy = true
      const answers = await (perform as (db: Db, list: readonly unknown[], now: number) => Promise<readonly unknown[]>)(
        db,
        effectRequests.requests,
        now,
      )
      resumeSteppers(effectRequests.found, answers)
    }
  }
}

/** Returns true if the request of a stepper leaves the service. */
export function isExternalCall({ calls }: EffectHandlers, { wanted: pendingRequest }: RunStepper): boolean {
  return pendingRequest?.kind === 'ask' && pendingRequest.ask.kind in calls
}

/** Does what a walker wants of the outside, and goes on. */
export async function performExternalCall(
  db: Db,
  performers: EffectHandlers,
  stepper: RunStepper,
  now: number,
): Promise<void> {
  const { ask: effectRequest } = stepper.wanted as Extract<StepperRequest, { kind: 'ask' }>
  const { requests } = filterByEffect([stepper], effectRequest.kind)
  const perform = performers.calls[effectRequest.kind] as (db: Db, request: unknown, now: number) => Promise<unknown>
  resumeStepper(stepper, await perform(db, requests[0], now))
}

/** Asks and resumes; what is done in the transaction ends the walks at this node. */
async function answerRequests<Asked>(
  waitingSteppers: readonly RunStepper[],
  requests: readonly RunEffectRequest<Asked>[],
  perform: (requests: readonly RunEffectRequest<Asked>[]) => Promise<readonly unknown[]>,
): Promise<boolean> {
  if (waitingSteppers.length === 0) return false
  resumeSteppers(waitingSteppers, await perform(requests))
  return true
}

/** Does what changes something, in the transaction of the steps, until no walker needs it. */
async function performEffects(
  stepTransaction: RunStepTransaction,
  performers: EffectHandlers,
  walkers: readonly RunStepper[],
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const searchRequests = filterByRequest(walkers, 'searchEvents')
    isBusy = await answerRequests(searchRequests.found, searchRequests.requests, (list) =>
      performers.searchEvents(stepTransaction, list),
    )
    const beginRequests = filterByRequest(walkers, 'begin')
    isBusy = (await answerRequests(beginRequests.found, beginRequests.requests, async (list) => list)) || isBusy
    const cappingRequests = filterByRequest(walkers, 'capping')
    isBusy =
      (await answerRequests(cappingRequests.found, cappingRequests.requests, (list) =>
        performers.capping(stepTransaction, list),
      )) || isBusy
    for (const [kind, perform] of Object.entries(performers.effects)) {
      const effectRequests = filterByEffect(walkers, kind as EffectKind)
      for (const { draft } of effectRequests.found) recordRunEffect(draft)
      isBusy =
        (await answerRequests(effectRequests.found, effectRequests.requests, (list) =>
          perform(stepTransaction, list as never),
        )) || isBusy
    }
    await performStepperReads(stepTransaction.tx, performers, walkers, stepTransaction.now)
  }
}

/** Throws when there is no performer for what a walker wants. */
function requireNoPending(walkers: readonly RunStepper[]): void {
  const unservedStepper = walkers.find(({ wanted: pendingRequest }) => pendingRequest !== undefined)
  if (unservedStepper?.wanted)
    throw new Error(`a node wants what nothing performs: ${JSON.stringify(unservedStepper.wanted).slice(0, 200)}`)
}

/** Result of the steppers of one transaction. */
export interface CommittedSteps {
  /** Their runs are at their next step, and still the worker's. */
  goOn: StoredRun[]
  /** Another process wrote them meanwhile: they are to be read again. */
  changed: WorkflowRunState[]
}

/** Commits what walkers have done, with its effects, in one transaction. */
export async function commitRunSteps(
  { db, performers, worker }: { db: Db; performers: EffectHandlers; worker: string },
  walkers: readonly RunStepper[],
  around: StepContext,
): Promise<CommittedSteps> {
  const { now } = around
  const keys = walkers.map(({ draft }) => draft.run)
  return inTransaction(db, async (tx) => {
    const locked = new Map(
      (await lockClaimedRuns(tx, worker, keys)).map((lockedRun) => [`${lockedRun.account} ${lockedRun.id}`, lockedRun]),
    )
    const lockedSteppers = walkers.map((stepper) => ({
      walker: stepper,
      lock: locked.get(`${stepper.draft.run.account} ${stepper.draft.run.id}`),
    }))
    await parkRuns(
      tx,
      lockedSteppers.flatMap(({ lock }) => (lock && !lock.isActive ? [lock] : [])),
    )
    const active = lockedSteppers.filter(({ lock }) => lock?.isActive)
    const { mine: unchangedSteppers = [], changed = [] } = Object.groupBy(active, ({ walker: stepper, lock }) =>
      lock!.moves === stepper.draft.stored.moves ? 'mine' : 'changed',
    )
    const stepTransaction: RunStepTransaction = { tx, now, around, events: [] }
    const ownSteppers = unchangedSteppers.map(({ walker: stepper }) => stepper)
    await performEffects(stepTransaction, performers, ownSteppers)
    requireNoPending(ownSteppers)
    const runStates = ownSteppers.map(({ draft }) => draft)
    await performers.giveBack(stepTransaction, runStates)
    const marks = await writeWorkflowRunStates(tx, runStates, now)
    await appendEvents(tx, stepTransaction.events)
    return {
      goOn: runStates.flatMap((draft) => buildNextRun(draft, marks) ?? []),
      changed: changed.map(({ walker: stepper }) => stepper.draft),
    }
  })
}

/** Phases that a worker performs at once. */
const IMMEDIATE_PHASES: ReadonlySet<StoredRun['phase']> = new Set(['enter', 'cleared', 'begun'])

/** The run as it is stored now, when its worker goes on with it. */
function buildNextRun(
  { run, stage, dueAt }: WorkflowRunState,
  marks: readonly WrittenRunPosition[],
): StoredRun | undefined {
  const goesOn = IMMEDIATE_PHASES.has(run.phase) || stage === 'waitsUnsearched'
  if (!isOpenRun(run) || dueAt !== undefined || !goesOn) return undefined
  const writtenPosition = marks.find(({ id, account }) => id === run.id && account === run.account)
  // An interrupt that arrived meanwhile makes it due.
  if (writtenPosition?.interrupt) return undefined
  // One that has only been looked for is not written.
  return writtenPosition ? { ...run, moves: run.moves + 1, mark: writtenPosition.mark } : run
}
