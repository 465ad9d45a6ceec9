import type { Db } from '../../../database/connection/connect.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { appendEvents } from '../../events/record/append.ts'
import { parkRuns } from '../waits/parking.ts'
import type { EffectHandlers, NodeEffectRequest, RunEffectRequest, RunStepTransaction } from './effect-handlers.ts'
import { isOpenRun, type StoredRun } from './run.ts'
import type { WorkflowRunState } from './run-state.ts'
import type { EffectKind } from './step.ts'
import type { RunSteps, StepperRequest } from './step-run.ts'
import { stepRun } from './step-run.ts'
import { lockClaimedRuns } from './stored-runs.ts'
import type { StepContext } from './visits.ts'
import { type WrittenRunPosition, writeWorkflowRunStates } from './write-runs.ts'

/** A run that is being walked. */
export interface RunStepper {
  draft: WorkflowRunState
  walk: RunSteps
  /** What it needs to go on; undefined: it has gone as far as this transaction goes. */
  wanted: StepperRequest | undefined
}

/** Begins to walk. */
export function startRunStepper(draft: WorkflowRunState, around: StepContext): RunStepper {
  const walker: RunStepper = { draft, walk: stepRun(draft, around), wanted: undefined }
  resume(walker, undefined)
  return walker
}

function resume(walker: RunStepper, answer: unknown): void {
  const { value, done } = walker.walk.next(answer)
  walker.wanted = done ? undefined : (value as StepperRequest)
}

function resumeAll(walkers: readonly RunStepper[], answers: readonly unknown[]): void {
  for (const [index, walker] of walkers.entries()) resume(walker, answers[index])
}

/** The walkers that want something of a kind, with what they ask for. */
function wanting<Kind extends StepperRequest['kind']>(walkers: readonly RunStepper[], kind: Kind) {
  const found = walkers.filter((walker) => walker.wanted?.kind === kind)
  const requests = found.map(({ draft, wanted }) => ({
    draft,
    asked: wanted as Extract<StepperRequest, { kind: Kind }>,
  }))
  return { found, requests }
}

/** The walkers whose node asks for something of a kind. */
function asking<Kind extends EffectKind>(walkers: readonly RunStepper[], kind: Kind) {
  const found = walkers.filter(({ wanted }) => wanted?.kind === 'ask' && wanted.ask.kind === kind)
  const requests = found.map(({ draft, wanted }) => {
    const { ask, visit } = wanted as Extract<StepperRequest, { kind: 'ask' }>
    return { draft, asked: ask, visit } as unknown as NodeEffectRequest<Kind>
  })
  return { found, requests }
}

/** Makes ready what effects are to do, of every kind that needs it. */
async function prepare({ prepares }: EffectHandlers, walkers: readonly RunStepper[], now: number): Promise<boolean> {
  const preparing = walkers.filter(({ wanted }) => wanted?.kind === 'prepare')
  for (const [kind, own] of Map.groupBy(preparing, ({ wanted }) => (wanted as Preparing).ask.kind)) {
    const perform = prepares[kind] as
      | ((list: readonly unknown[], now: number) => Promise<readonly unknown[]>)
      | undefined
    const requests = own.map(({ draft, wanted }) => {
      const { ask, visit } = wanted as Preparing
      return { draft, asked: ask, visit }
    })
    resumeAll(own, perform ? await perform(requests, now) : [])
  }
  return preparing.length > 0
}

type Preparing = Extract<StepperRequest, { kind: 'prepare' }>

/** Does what reads nothing but the database and the sandbox, until no walker needs it. */
export async function performStepperReads(
  db: Db,
  performers: EffectHandlers,
  walkers: readonly RunStepper[],
  now: number,
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    isBusy = await prepare(performers, walkers, now)
    const contacts = wanting(walkers, 'contact')
    if (contacts.found.length > 0) {
      isBusy = true
      resumeAll(
        contacts.found,
        await performers.contact(
          db,
          contacts.requests.map(({ draft }) => draft),
        ),
      )
    }
    const scripts = wanting(walkers, 'evaluate')
    if (scripts.found.length > 0) {
      isBusy = true
      resumeAll(scripts.found, await performers.evaluate(scripts.requests))
    }
    for (const [kind, perform] of Object.entries(performers.reads)) {
      const asked = asking(walkers, kind as EffectKind)
      if (asked.found.length === 0) continue
      isBusy = true
      const answers = await (perform as (db: Db, list: readonly unknown[], now: number) => Promise<readonly unknown[]>)(
        db,
        asked.requests,
        now,
      )
      resumeAll(asked.found, answers)
    }
  }
}

/** Whether what a walker wants leaves the service. */
export function isExternalCall({ calls }: EffectHandlers, { wanted }: RunStepper): boolean {
  return wanted?.kind === 'ask' && wanted.ask.kind in calls
}

/** Does what a walker wants of the outside, and goes on. */
export async function performExternalCall(
  db: Db,
  performers: EffectHandlers,
  walker: RunStepper,
  now: number,
): Promise<void> {
  const { ask } = walker.wanted as Extract<StepperRequest, { kind: 'ask' }>
  const { requests } = asking([walker], ask.kind)
  const perform = performers.calls[ask.kind] as (db: Db, request: unknown, now: number) => Promise<unknown>
  resume(walker, await perform(db, requests[0], now))
}

/** Asks and resumes; what is done in the transaction ends the walks at this node. */
async function answer<Asked>(
  found: readonly RunStepper[],
  requests: readonly RunEffectRequest<Asked>[],
  perform: (requests: readonly RunEffectRequest<Asked>[]) => Promise<readonly unknown[]>,
): Promise<boolean> {
  if (found.length === 0) return false
  resumeAll(found, await perform(requests))
  return true
}

/** Does what changes something, in the transaction of the steps, until no walker needs it. */
async function performEffects(
  step: RunStepTransaction,
  performers: EffectHandlers,
  walkers: readonly RunStepper[],
): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const looks = wanting(walkers, 'look')
    for (const { draft } of looks.found) draft.hasEffect = true
    isBusy = await answer(looks.found, looks.requests, (list) => performers.look(step, list))
    const begun = wanting(walkers, 'begin')
    isBusy = (await answer(begun.found, begun.requests, async (list) => list)) || isBusy
    const capped = wanting(walkers, 'capping')
    isBusy = (await answer(capped.found, capped.requests, (list) => performers.capping(step, list))) || isBusy
    for (const [kind, perform] of Object.entries(performers.effects)) {
      const asked = asking(walkers, kind as EffectKind)
      for (const { draft } of asked.found) {
        draft.hasEffect = true
        draft.mark = 'here'
      }
      isBusy = (await answer(asked.found, asked.requests, (list) => perform(step, list as never))) || isBusy
    }
    await performStepperReads(step.tx, performers, walkers, step.now)
  }
}

/** Throws when there is no performer for what a walker wants. */
function refuseOpen(walkers: readonly RunStepper[]): void {
  const open = walkers.find(({ wanted }) => wanted !== undefined)
  if (open?.wanted) throw new Error(`a node wants what nothing performs: ${JSON.stringify(open.wanted).slice(0, 200)}`)
}

/** What became of the walkers of one transaction. */
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
    const locked = new Map((await lockClaimedRuns(tx, worker, keys)).map((one) => [`${one.account} ${one.id}`, one]))
    const found = walkers.map((walker) => ({
      walker,
      lock: locked.get(`${walker.draft.run.account} ${walker.draft.run.id}`),
    }))
    await parkRuns(
      tx,
      found.flatMap(({ lock }) => (lock && !lock.isActive ? [lock] : [])),
    )
    const active = found.filter(({ lock }) => lock?.isActive)
    const { mine = [], changed = [] } = Object.groupBy(active, ({ walker, lock }) =>
      lock!.moves === walker.draft.stored.moves ? 'mine' : 'changed',
    )
    const step: RunStepTransaction = { tx, now, around, events: [] }
    const own = mine.map(({ walker }) => walker)
    await performEffects(step, performers, own)
    refuseOpen(own)
    const drafts = own.map(({ draft }) => draft)
    await performers.giveBack(step, drafts)
    const marks = await writeWorkflowRunStates(tx, drafts, now)
    await appendEvents(tx, step.events)
    return {
      goOn: drafts.flatMap((draft) => nextOf(draft, marks) ?? []),
      changed: changed.map(({ walker }) => walker.draft),
    }
  })
}

/** What a worker does at once. */
const inHand: ReadonlySet<StoredRun['phase']> = new Set(['enter', 'cleared', 'begun'])

/** The run as it is stored now, when its worker goes on with it. */
function nextOf(
  { run, mustLook, again }: WorkflowRunState,
  marks: readonly WrittenRunPosition[],
): StoredRun | undefined {
  if (!isOpenRun(run) || again !== undefined || (!inHand.has(run.phase) && !mustLook)) return undefined
  const written = marks.find(({ id, account }) => id === run.id && account === run.account)
  // What it was told meanwhile makes it due.
  if (written?.interrupt) return undefined
  // One that has only been looked for is not written.
  return written ? { ...run, moves: run.moves + 1, mark: written.mark } : run
}
